/** Several objects in one call, with one outcome each. */
import { bulkKinds } from '../model/resource-model.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Operation } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';

export function bulkOperations(bench: OperationBuilder): Operation[] {
  const { bulk } = bench.resource.model;
  const makers = { create: bulkCreate, patch: bulkPatch, delete: bulkDelete };
  return bulkKinds.filter((kind) => bulk.has(kind)).map((kind) => makers[kind](bench));
}

const itemOutcome: Schema = {
  type: 'object',
  properties: {
    key: { type: 'string', description: 'Key of the entry the outcome belongs to' },
    status: { type: 'string', enum: ['done', 'failed'], description: 'Whether this entry was carried out' },
    message: { type: ['string', 'null'], description: 'Reason of a failure, null when done' },
  },
  required: ['key', 'status'],
  additionalProperties: false,
};

function outcomes(bench: OperationBuilder): Schema {
  bench.book.add('BulkItemOutcome', itemOutcome, bench.resource.model.spot.place);
  return bench.book.add(
    'BulkOutcome',
    {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/BulkItemOutcome' },
          description: 'One outcome per entry, in the order sent',
        },
        done: { type: 'integer', minimum: 0, description: 'Number of entries carried out' },
        failed: { type: 'integer', minimum: 0, description: 'Number of entries refused' },
      },
      required: ['items', 'done', 'failed'],
      additionalProperties: false,
    },
    bench.resource.model.spot.place,
  );
}

/** The body of every bulk call: its entries under one name. */
const around = (items: Schema): Schema => ({
  type: 'object',
  properties: { items },
  required: ['items'],
  additionalProperties: false,
});

const severalOf = (items: Schema, description: string): Schema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems: 100,
  description,
});

function bulkCreate(bench: OperationBuilder): Operation {
  const { resource, schemas } = bench;
  const { model } = resource;
  const entry = schemas.create();
  const body = schemas.shared('BulkCreate', ([, nouns]) => around(severalOf(entry, `The ${nouns} to create`)));
  return bench.finish({
    kind: 'bulk-create',
    method: 'post',
    path: `${resource.collectionPath}/bulk`,
    id: `bulkCreate${model.plural}`,
    capability: 'write',
    query: [],
    body: { schema: body, media: 'application/json' },
    success: { status: 200, schema: outcomes(bench), text: 'One outcome per entry' },
    extensions: {},
    words: {
      opening: `Bulk create several ${model.noun[1]}${bench.aliases}`,
      joint: 'in',
      contrast: `Up to 100 entries with ${bench.fieldList(bench.writable, 4)}`,
      handle: 'Answers with one outcome each, so some may fail while others succeed',
      filler: bench.writable,
      summary: `Create several ${model.noun[1]}`,
    },
  });
}

function bulkPatch(bench: OperationBuilder): Operation {
  const { resource, schemas, book } = bench;
  const { model } = resource;
  const changes = schemas.patch();
  const keys = model.key.map((field) => ({ ...field, readOnly: false, immutable: false, required: true }));
  const body = schemas.shared('BulkPatch', ([noun, nouns]) => {
    const entry = book.object(keys, 'write');
    const properties = {
      ...(entry['properties'] as Schema),
      changes: { ...changes, description: `Fields of this ${noun} that get another value` },
    };
    const items = { ...entry, properties, required: [...keys.map((key) => key.name), 'changes'].sort() };
    return around(severalOf(items, `The ${nouns} to change`));
  });
  const changeable = bench.writable.filter((field) => !field.immutable);
  return bench.finish({
    kind: 'bulk-patch',
    method: 'patch',
    path: `${resource.collectionPath}/bulk`,
    id: `bulkUpdate${model.plural}`,
    capability: 'write',
    query: [],
    body: { schema: body, media: 'application/json' },
    success: { status: 200, schema: outcomes(bench), text: 'One outcome per entry' },
    extensions: {},
    words: {
      opening: `Bulk change some fields of several ${model.noun[1]}${bench.aliases}`,
      joint: 'in',
      contrast: `Up to 100 entries, each with its own values for fields such as ${bench.fieldList(changeable, 4)}`,
      handle: 'Answers with one outcome each, so some may fail while others succeed',
      filler: changeable,
      summary: `Change several ${model.noun[1]}`,
    },
  });
}

function bulkDelete(bench: OperationBuilder): Operation {
  const { resource, schemas } = bench;
  const { model } = resource;
  const key = bench.book.property(
    { ...model.key.at(-1)!, array: { min: 1, max: 100 }, readOnly: false, required: true },
    'write',
  );
  const body = schemas.shared('BulkDelete', () => around(key));
  return bench.finish({
    kind: 'bulk-delete',
    method: 'delete',
    path: `${resource.collectionPath}/bulk`,
    id: `bulkDelete${model.plural}`,
    capability: 'destructive',
    query: [],
    body: { schema: body, media: 'application/json' },
    success: { status: 200, schema: outcomes(bench), text: 'One outcome per entry' },
    extensions: {},
    words: {
      opening: `Bulk delete several ${model.noun[1]}${bench.aliases}`,
      joint: 'from',
      contrast: `Up to 100, named by ${bench.keyPhrase}`,
      handle: 'Answers with one outcome each; those still in use are kept',
      filler: schemas.fields,
      summary: `Delete several ${model.noun[1]}`,
    },
  });
}
