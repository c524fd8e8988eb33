/** Operations whose answer is worked out from state: status, stats, time series, rankings, export. */
import { capitalised, pascal } from '../model/name-spelling.ts';
import type { Measure } from '../model/task-model.ts';
import { fittingGroups, groupParameters } from '../schema/declared-parameters.ts';
import { limitParameter } from '../schema/list-style.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Operation } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';
import { count, search } from './query-operations.ts';

export function computedOperations(bench: OperationBuilder): Operation[] {
  const { model } = bench.resource;
  return [
    ...(model.status ? [status(bench, 'status')] : []),
    ...(model.stats ? [status(bench, 'stats')] : []),
    ...model.trends.map((measure) => trend(bench, measure)),
    ...model.top.map((measure) => top(bench, measure)),
    ...(model.count.length > 0 ? [count(bench)] : []),
    ...(model.search ? [search(bench)] : []),
    ...(model.export ? [exportAll(bench)] : []),
  ];
}

function status(bench: OperationBuilder, kind: 'status' | 'stats'): Operation {
  const { resource, schemas, platform, book } = bench;
  const { model } = resource;
  const fields = (kind === 'status' ? model.status : model.stats) ?? [];
  const what = kind === 'status' ? 'operational state' : 'counters';
  const where = narrowing(kind, bench);
  return bench.finish({
    kind,
    method: 'get',
    path: `${resource.itemPath}/${kind}`,
    id: `get${model.singular}${pascal(kind)}`,
    capability: 'read',
    query: groupParameters(kind, resource, platform, book),
    success: {
      status: 200,
      schema: schemas.shared(pascal(kind), () => book.object(fields, 'read')),
      text: `The ${what}`,
    },
    extensions: { 'x-svc-derive': { kind, resource: model.name } },
    words: {
      opening: `Get the ${what} of one ${model.noun[0]}${where}${bench.aliases}`,
      joint: 'from',
      contrast: `Says what is observed now, not what is configured: ${bench.fieldList(fields, 6)}`,
      handle: '',
      filler: fields,
      summary: `Get the ${what} of one ${model.noun[0]}${where}`,
    },
  });
}

/** What query groups narrow the answer to: ` on one device`. */
function narrowing(kind: 'status' | 'stats' | 'trend', { resource, platform }: OperationBuilder): string {
  return fittingGroups(kind, resource, platform)
    .flatMap(({ phrase }) => (phrase === null ? [] : [` ${phrase}`]))
    .join('');
}

function stemOf(bench: OperationBuilder, measure: Measure): string {
  const { model } = bench.resource;
  return measure.at === 'item' ? model.singular : model.plural;
}

function subjectOf(bench: OperationBuilder, measure: Measure): string {
  const { noun } = bench.resource.model;
  return measure.at === 'item' ? `one ${noun[0]}` : `all ${noun[1]}`;
}

/** `packet loss of all test results`; what the title names already is not said twice. */
function ofSubject(bench: OperationBuilder, measure: Measure): string {
  const stems = subjectOf(bench, measure)
    .split(/[ -]/)
    .filter((word) => word.length > 3)
    .map((word) => word.slice(0, 4).toLowerCase());
  const isSaid = measure.title.split(/[ -]/).some((word) => stems.includes(word.slice(0, 4).toLowerCase()));
  return isSaid && measure.at !== 'item' ? measure.title : `${measure.title} of ${subjectOf(bench, measure)}`;
}

function pathOf(bench: OperationBuilder, template: string, measure: Measure): string {
  const { resource } = bench;
  const parent = resource.collectionPath.slice(0, resource.collectionPath.lastIndexOf('/'));
  const values: Record<string, string> = {
    item: measure.at === 'item' ? resource.itemPath : resource.collectionPath,
    collection: resource.collectionPath,
    parent,
    resource: resource.collectionPath.slice(parent.length + 1),
    name: measure.name,
  };
  return template.replace(/\{(item|collection|parent|resource|name)\}/g, (_, name: string) => values[name]!);
}

function trend(bench: OperationBuilder, measure: Measure): Operation {
  const { resource, schemas, platform, book } = bench;
  const stem = stemOf(bench, measure);
  const name = `${measure.at === 'item' ? '' : 'All'}Trend${pascal(measure.name)}`;
  const sample = book.object(measure.fields, 'read');
  const path = pathOf(bench, resource.style.trendPath, measure);
  const properties = {
    timestamp: { type: 'string', format: 'date-time', description: 'Start of the interval' },
    ...(sample['properties'] as Record<string, Schema>),
  };
  const samples = schemas.raw(`${name}Sample`, { ...sample, properties, required: ['timestamp'] });
  const schema = schemas.raw(name, {
    type: 'object',
    properties: {
      interval: { type: 'string', description: 'Length of one interval, such as 5m or 1h' },
      samples: { type: 'array', items: samples, description: `Samples of ${measure.title}, oldest first` },
    },
    required: ['samples'],
    additionalProperties: false,
  });
  return bench.finish(
    {
      kind: 'trend',
      method: 'get',
      path,
      id: measure.id ?? `get${stem}${pascal(measure.name)}Trend`,
      capability: 'read',
      query: groupParameters('trend', resource, platform, book, { path }),
      success: { status: 200, schema, text: `The time series of ${measure.title}` },
      extensions: { 'x-svc-derive': { kind: 'trend', resource: resource.model.name, metric: measure.name } },
      words: {
        opening: `Get the time series of the ${ofSubject(bench, measure)}${narrowing('trend', bench)}${bench.aliases}`,
        joint: 'in',
        contrast: measure.distinguish ?? `Samples hold ${bench.fieldList(measure.fields, 5)}`,
        handle: 'Covers a time window; narrow it by start, end and interval',
        filler: measure.fields,
        summary: `Get the time series of the ${measure.title} of ${subjectOf(bench, measure)}`,
      },
    },
    measure,
  );
}

function top(bench: OperationBuilder, measure: Measure): Operation {
  const { resource, schemas, platform, book } = bench;
  const { model } = resource;
  const entry = schemas.own(`Top${pascal(measure.name)}`, [...model.key, ...measure.fields], 'read');
  const property = resource.style.list.property === null ? null : 'items';
  const { limit } = resource.style.list.parameters;
  const path = pathOf(bench, resource.style.topPath, { ...measure, at: 'collection' });
  const schema: Schema =
    property === null
      ? { type: 'array', items: entry }
      : schemas.raw(`Top${pascal(measure.name)}List`, {
          type: 'object',
          properties: {
            items: {
              type: 'array',
              items: entry,
              description: `The ${model.noun[1]} with the most ${measure.title}, highest first`,
            },
          },
          required: ['items'],
          additionalProperties: false,
        });
  return bench.finish(
    {
      kind: 'top',
      method: 'get',
      path,
      id: measure.id ?? `listTop${model.plural}By${pascal(measure.name)}`,
      capability: 'read',
      query: [limitParameter(limit, 10, 100), ...groupParameters('top', resource, platform, book, { path })],
      success: { status: 200, schema, text: `The top ${model.noun[1]}` },
      extensions: {
        'x-svc-list': {
          property,
          paging: 'none',
          default: 10,
          max: 100,
          extras: [],
          ...(limit === 'limit' ? {} : { parameters: { limit } }),
        },
        'x-svc-derive': { kind: 'top', resource: model.name, by: measure.name },
      },
      words: {
        opening: `Get the top ${model.noun[1]} by ${measure.title}`,
        joint: 'in',
        contrast: measure.distinguish ?? `Ranking, highest first, with ${bench.fieldList(measure.fields, 4)}`,
        handle: `${capitalised(limit)} sets how many are returned`,
        filler: measure.fields,
        summary: `Get the top ${model.noun[1]} by ${measure.title}`,
      },
    },
    measure,
  );
}

function exportAll(bench: OperationBuilder): Operation {
  const { resource, schemas, book, platform } = bench;
  const { model } = resource;
  return bench.finish({
    kind: 'export',
    method: 'get',
    path: `${resource.collectionPath}/export`,
    id: `export${model.plural}`,
    capability: 'read',
    query: groupParameters('export', resource, platform, book),
    success: {
      status: 200,
      media: 'text/csv',
      schema: { type: 'string' },
      text: 'One row per entry, with a header row',
    },
    extensions: { 'x-svc-derive': { kind: 'export', resource: model.name, columns: exportColumns(bench) } },
    words: {
      opening: `Export all ${model.noun[1]} as comma-separated text`,
      joint: 'from',
      contrast: `A file for spreadsheets with the columns ${exportColumns(bench)
        .slice(0, 6)
        .map((name) => bench.spell(name))
        .join(', ')}`,
      handle: '',
      filler: schemas.fields,
      summary: `Export ${model.noun[1]}`,
    },
  });
}

/** Columns of an export: keys and plain values, never nested ones. */
function exportColumns(bench: OperationBuilder): string[] {
  const flat = bench.schemas.fields.filter(
    (field) => !field.array && field.type.kind !== 'object' && field.type.kind !== 'map',
  );
  return [...bench.resource.model.key, ...flat]
    .filter((field) => !(field.type.kind === 'scalar' && (field.type.name === 'secret' || field.type.name === 'json')))
    .map((field) => field.name);
}
