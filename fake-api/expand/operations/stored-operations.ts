/** The operations that keep a resource: list, get, create, replace, patch, delete, and those of singletons. */
import { article, listed, sentence } from '../model/name-spelling.ts';
import type { CrudLetter } from '../model/resource-model.ts';
import { groupParameters } from '../schema/declared-parameters.ts';
import { ListLayout } from '../schema/list-style.ts';
import { isSecret } from '../schema/schema-book.ts';
import { selectionParameters } from '../schema/selection-parameters.ts';
import { createdHeaders, ifMatch, isTagged, tagged } from './entity-tags.ts';
import { type Operation, unfinished } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';
import { refusedWhileUsed } from './operation-description.ts';
import { setOperation } from './set-operation.ts';
import { sharedAsync, startedSuccess } from './started-task.ts';

type Maker = (bench: OperationBuilder) => Operation;

const makers: Readonly<Partial<Record<CrudLetter, Maker>>> = {
  L: list,
  G: get,
  C: create,
  R: replace,
  P: patch,
  D: remove,
  S: setOperation,
};
const singletonMakers: Readonly<Partial<Record<CrudLetter, Maker>>> = {
  G: singletonGet,
  R: singletonPut,
  P: patch,
  S: setOperation,
};

export function storedOperations(bench: OperationBuilder): Operation[] {
  const { model } = bench.resource;
  const known = model.singleton ? singletonMakers : makers;
  return [...model.ops].filter((letter) => letter in known).map((letter) => storedOperation(bench, letter));
}

export function storedOperation(bench: OperationBuilder, letter: CrudLetter): Operation {
  return (bench.resource.model.singleton ? singletonMakers : makers)[letter]!(bench);
}

function list(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model } = resource;
  const item = schemas.summary();
  const layout = new ListLayout(resource.style.list, resource);
  const selection = selectionParameters([...model.key, ...schemas.fields], resource, book);
  const declared = groupParameters('list', resource, platform, book, { path: resource.collectionPath });
  const query = [...layout.query, ...selection.query, ...declared];
  const { onRequest } = resource.style.list;
  if (onRequest !== null && !query.some((parameter) => parameter['name'] === onRequest))
    model.spot.fail(`a list parameter ${onRequest}, as on-request says`, 'none', 'MODEL_REFERENCE');
  const filters = [...model.key, ...schemas.fields]
    .filter((field) => field.filter.length > 0)
    .map((field) => bench.spell(field.name));
  return bench.finish({
    kind: 'list',
    method: 'get',
    path: resource.collectionPath,
    id: `list${model.plural}`,
    capability: 'read',
    query,
    success: {
      status: 200,
      schema: schemas.page(item, layout),
      headers: layout.headers,
      text: `A page of ${model.noun[1]}`,
    },
    extensions: { 'x-svc-list': layout.extension, ...selection.extensions },
    words: {
      opening: `List all ${model.noun[1]}${bench.aliases}`,
      joint: 'in',
      contrast: model.distinguish,
      handle: filters.length > 0 ? `Filter by ${listed(filters.slice(0, 5))}` : '',
      filler: schemas.fields,
      summary: `List ${model.noun[1]}`,
    },
  });
}

function get(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model } = resource;
  const shown = schemas.fields.filter((field) => !isSecret(field));
  const known = shown.filter((field) => !field.inSummary);
  return bench.finish({
    kind: 'get',
    method: 'get',
    path: resource.itemPath,
    id: `get${model.singular}`,
    capability: 'read',
    query: groupParameters('get', resource, platform, book),
    success: { status: 200, schema: schemas.read(), text: `The ${model.noun[0]}`, ...tagged(bench) },
    extensions: {},
    words: {
      opening: `Get one ${model.noun[0]}${bench.aliases} by ${bench.keyPhrase}`,
      joint: 'from',
      contrast: `${isConfigured(bench) ? 'Returns every setting' : 'Returns all fields'}, among them ${bench.fieldList(known.length > 2 ? known : shown, 6)}`,
      handle: '',
      filler: schemas.fields,
      summary: `Get one ${model.noun[0]}`,
    },
  });
}

/** Whether callers state what the object is; an event, a finished file or a measurement has no settings. */
const isConfigured = ({ writable, resource }: OperationBuilder): boolean =>
  writable.length > 0 && ['C', 'R', 'P', 'S'].some((letter) => resource.model.ops.has(letter as CrudLetter));

function create(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model, style } = resource;
  const keyed = style.create.at === 'collection' ? model.key.filter((field) => !field.readOnly) : [];
  const required = [...keyed, ...schemas.fields.filter((field) => field.required)].map((field) =>
    bench.spell(field.name),
  );
  const optional = bench.writable.filter((field) => !field.required);
  const body = schemas.create();
  const answer = model.ops.has('G') || !model.arrayBody ? schemas.read() : schemas.summary();
  return bench.finish({
    kind: 'create',
    method: 'post',
    path: style.create.at === 'item' ? resource.itemPath : resource.collectionPath,
    id: `create${model.arrayBody ? model.plural : model.singular}`,
    capability: 'write',
    query: groupParameters('create', resource, platform, book),
    body: {
      schema: model.arrayBody ? { type: 'array', items: body, minItems: 1, maxItems: 100 } : body,
      media: 'application/json',
    },
    success: {
      status: style.create.status,
      schema: model.arrayBody ? { type: 'array', items: answer } : answer,
      text: model.arrayBody ? `The created ${model.noun[1]}` : `The created ${model.noun[0]}`,
      ...createdHeaders(bench),
    },
    extensions: {},
    words: {
      opening: model.arrayBody
        ? `Create new ${model.noun[1]}${bench.aliases}`
        : `Create a new ${model.noun[0]}${bench.aliases}`,
      joint: 'in',
      contrast: [
        `Add or set up${required.length > 0 ? ` with ${listed(required.slice(0, 5))}` : ''}`,
        ...(optional.length > 0
          ? [`optional ${optional.length > 1 ? 'are' : 'is'} ${bench.fieldList(optional, 5)}`]
          : []),
      ].join('; '),
      handle: '',
      filler: schemas.fields,
      summary: model.arrayBody ? `Create ${model.noun[1]}` : `Create ${article(model.noun[0])} ${model.noun[0]}`,
    },
  });
}

function replace(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model, style } = resource;
  const partial = model.ops.has('P') ? '; to alter single ones use the partial change' : '';
  const changeable = bench.writable.filter((field) => !field.immutable);
  // Few fields say too little: what sets the object apart is said too.
  const apart = changeable.length < 3 ? `. ${sentence(model.distinguish)}` : '';
  return bench.finish({
    kind: 'replace',
    method: 'put',
    path: resource.itemPath,
    id: `replace${model.singular}`,
    capability: 'write',
    query: groupParameters('replace', resource, platform, book),
    body: { schema: schemas.replace(), media: 'application/json' },
    success: {
      status: style.replace.status,
      schema: schemas.read(),
      text: `The replaced ${model.noun[0]}`,
      ...tagged(bench),
    },
    extensions: style.replace.upsert ? { 'x-svc-upsert': true } : {},
    words: {
      opening: `Replace the whole ${model.noun[0]}${bench.aliases}`,
      joint: 'in',
      contrast: `Writes ${bench.fieldList(changeable, 4)} together; settings left out return to their defaults${partial}${apart}`,
      handle: '',
      filler: bench.writable,
      summary: `Replace the whole ${model.noun[0]}`,
    },
  });
}

function patch(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model, style } = resource;
  const changeable = bench.writable.filter((field) => !field.immutable);
  return bench.finish({
    kind: 'patch',
    method: 'patch',
    path: resource.itemPath,
    id: `update${model.singular}`,
    capability: 'write',
    query: [...groupParameters('patch', resource, platform, book), ...(isTagged(bench) ? [ifMatch] : [])],
    body: { schema: schemas.patch(), media: style.patch.media },
    success: { status: 200, schema: schemas.read(), text: `The changed ${model.noun[0]}`, ...tagged(bench) },
    extensions: {},
    words: {
      opening: `Change some fields of one ${model.noun[0]}${bench.aliases}`,
      joint: 'in',
      contrast: `Update, merge or set for example ${bench.fieldList(changeable, 6)}; everything else stays as it is`,
      handle: '',
      filler: changeable,
      summary: `Change some fields of ${article(model.noun[0])} ${model.noun[0]}`,
    },
  });
}

function remove(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model, style } = resource;
  const answers = style.delete.body === 'object';
  const referrers = [
    ...(bench.referrers.get(model.name) ?? []),
    ...(model.scope === 'shared' ? ['config assignments'] : []),
  ];
  return bench.finish({
    kind: 'delete',
    method: 'delete',
    path: resource.itemPath,
    id: `delete${model.singular}`,
    capability: 'destructive',
    query: groupParameters('delete', resource, platform, book),
    success:
      style.delete.body === 'task'
        ? { ...startedSuccess(bench, model.spot), status: style.delete.status }
        : {
            status: style.delete.status,
            ...(answers ? { schema: schemas.read() } : {}),
            text: answers ? `The ${model.noun[0]} as it was before` : `The ${model.noun[0]} is gone`,
          },
    extensions: style.delete.body === 'task' ? sharedAsync(bench, model.spot, null) : {},
    words: {
      opening: `Delete one ${model.noun[0]}${bench.aliases}`,
      joint: 'from',
      contrast:
        referrers.length > 0
          ? `${refusedWhileUsed} ${listed([...new Set(referrers)].slice(0, 4), 'or')} use it`
          : 'Remove for good',
      handle: '',
      filler: schemas.fields,
      summary: `Delete ${article(model.noun[0])} ${model.noun[0]}`,
    },
  });
}

function singletonGet(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model } = resource;
  return bench.finish({
    kind: 'singleton-get',
    method: 'get',
    path: resource.itemPath,
    id: `get${model.singular}`,
    capability: 'read',
    query: groupParameters('singleton-get', resource, platform, book),
    success: { status: 200, schema: schemas.read(), text: `The ${model.noun[0]}` },
    extensions: {},
    words: {
      opening: `Get the ${model.noun[0]}${bench.aliases}`,
      joint: 'from',
      contrast: model.distinguish,
      handle:
        model.subDocument === null ? '' : `There is always exactly one; it holds ${bench.fieldList(schemas.fields, 6)}`,
      filler: schemas.fields,
      summary: `Get the ${model.noun[0]}`,
    },
  });
}

function singletonPut(bench: OperationBuilder): Operation {
  const { kind: _kind, id: _id, ...rest } = unfinished(replace(bench));
  return bench.finish({ ...rest, kind: 'singleton-put', id: `replace${bench.resource.model.singular}` });
}
