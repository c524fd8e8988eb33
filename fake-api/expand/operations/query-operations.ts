/** Questions over a whole collection: how many there are of each kind, and which fit a search. */
import { listed, pascal, sentence } from '../model/name-spelling.ts';
import { groupParameters } from '../schema/declared-parameters.ts';
import { ListLayout } from '../schema/list-style.ts';
import type { Schema } from '../schema/schema-object.ts';
import { selectionParameters, wildcardParameter } from '../schema/selection-parameters.ts';
import type { Operation } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';

export function count(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model } = resource;
  const known = [...model.key, ...schemas.fields].map((field) => field.name);
  for (const name of model.count) {
    if (!known.includes(name)) model.spot.fail(`count over fields of ${model.name}`, name, 'MODEL_REFERENCE');
  }
  const { parameter, property } = resource.style.count;
  const schema = countSchema(bench, property);
  const by = {
    name: parameter ?? { kebab: 'group-by', camel: 'groupBy', snake: 'group_by' }[resource.style.spelling],
    in: 'query',
    required: false,
    description: `Field whose distinct values are counted`,
    schema: { type: 'string', enum: [...model.count] },
  };
  const selection = selectionParameters(
    schemas.fields.filter((field) => field.filter.length > 0),
    resource,
    book,
  );
  return bench.finish({
    kind: 'count',
    method: 'get',
    path: `${resource.collectionPath}/count`,
    id: `count${model.plural}`,
    capability: 'read',
    query: [
      by,
      ...selection.query.filter((parameter) => parameter['name'] !== 'sort'),
      ...groupParameters('count', resource, platform, book),
    ],
    success: { status: 200, schema, text: 'The counts' },
    extensions: {
      'x-svc-derive': {
        kind: 'count',
        resource: model.name,
        by: by.name,
        ...(property === 'groups' ? {} : { property }),
      },
      ...(selection.extensions['x-svc-filter'] ? { 'x-svc-filter': selection.extensions['x-svc-filter'] } : {}),
    },
    words: {
      opening: `Count ${model.noun[1]}${bench.aliases}`,
      joint: 'in',
      contrast: `How many there are, in total and per ${listed(
        model.count.map((name) => bench.spell(name)),
        'or',
      )}, without returning them`,
      handle: '',
      filler: schemas.fields,
      summary: `Count ${model.noun[1]}`,
    },
  });
}

function countSchema({ resource, book }: OperationBuilder, property: string): Schema {
  const { place } = resource.model.spot;
  const group: Schema = {
    type: 'object',
    properties: {
      value: { type: ['string', 'number', 'boolean', 'null'], description: 'Value of the grouping field' },
      count: { type: 'integer', minimum: 0, description: 'Entries with this value' },
    },
    required: ['value', 'count'],
    additionalProperties: false,
  };
  book.add('CountGroup', group, place);
  const result: Schema = {
    type: 'object',
    properties: {
      total: { type: 'integer', minimum: 0, description: 'All entries that match' },
      [property]: {
        type: 'array',
        items: { $ref: '#/components/schemas/CountGroup' },
        description: 'One entry per distinct value',
      },
    },
    required: ['total', property],
    additionalProperties: false,
  };
  return book.add(property === 'groups' ? 'CountResult' : `Count${pascal(property)}`, result, place);
}

export function search(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model, style } = resource;
  const input = model.search ?? [];
  const layout = new ListLayout(style.search.list, resource);
  const byGet = style.search.method === 'get';
  const suffix = style.search.list === style.list ? 'Page' : 'SearchPage';
  return bench.finish({
    kind: 'search',
    method: style.search.method,
    path: `${resource.collectionPath}/search`,
    id: `search${model.plural}`,
    capability: 'read',
    query: [
      ...layout.query,
      ...(byGet ? input.map((field) => wildcardParameter(field, book)) : []),
      ...groupParameters('search', resource, platform, book),
    ],
    ...(byGet
      ? {}
      : {
          body: {
            schema: schemas.shared('SearchRequest', () => book.object(input, 'write')),
            media: 'application/json',
          },
        }),
    success: {
      status: 200,
      schema: schemas.page(schemas.summary(), layout, suffix),
      headers: layout.headers,
      text: `Matching ${model.noun[1]}`,
    },
    extensions: {
      'x-svc-list': layout.extension,
      'x-svc-derive': {
        kind: 'search',
        resource: model.name,
        ...(byGet ? { fields: input.map((field) => field.name) } : {}),
      },
    },
    words: {
      opening: `Search ${model.noun[1]}${bench.aliases} by ${bench.fieldList(input, 4)}`,
      joint: 'in',
      contrast: byGet
        ? `Takes prefixes and parts of texts. ${sentence(model.distinguish)}`
        : 'A query sent as a body that only reads; the plain list takes exact filters instead',
      handle: '',
      filler: schemas.fields,
      summary: `Search ${model.noun[1]}`,
    },
  });
}
