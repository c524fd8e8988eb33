/** What the platform knows about one object beside its content: who refers to it, and how it came to be as it is. */
import { sentence } from '../model/name-spelling.ts';
import { groupParameters } from '../schema/declared-parameters.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Operation } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';

export function traceOperations(bench: OperationBuilder): Operation[] {
  const { model } = bench.resource;
  return [...(model.references ? [references(bench)] : []), ...(model.history ? [history(bench)] : [])];
}

const objectReference: Schema = {
  type: 'object',
  properties: {
    resource: { type: 'string', description: 'Kind of the object that refers to this one' },
    key: { type: 'string', description: 'Key under which the referring object is read' },
    field: { type: 'string', description: 'Field of the referring object that names this one' },
  },
  required: ['resource', 'key', 'field'],
  additionalProperties: false,
};

const objectRevision: Schema = {
  type: 'object',
  properties: {
    revision: { type: 'integer', minimum: 1, description: 'Number of the revision, counted from the creation' },
    at: { type: 'string', format: 'date-time', description: 'Moment the revision was stored' },
    by: { type: 'string', description: 'Account that stored the revision' },
    action: { type: 'string', enum: ['created', 'changed'], description: 'What brought the revision about' },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Names of the fields that differ from the revision before',
    },
  },
  required: ['revision', 'at', 'action', 'fields'],
  additionalProperties: false,
};

interface Trace {
  readonly kind: 'references' | 'history';
  readonly entry: string;
  readonly schema: Schema;
  readonly description: string;
  readonly opening: string;
  readonly contrast: string;
  readonly text: string;
}

function references(bench: OperationBuilder): Operation {
  const { noun, distinguish } = bench.resource.model;
  return trace(bench, {
    kind: 'references',
    entry: 'ObjectReference',
    schema: objectReference,
    description: 'Objects that refer to this one',
    opening: `List what uses one ${noun[0]}${bench.aliases}`,
    contrast: `Objects that name it in a field of their own. ${sentence(distinguish)}`,
    text: `Everything that refers to the ${noun[0]}`,
  });
}

function history(bench: OperationBuilder): Operation {
  const { noun } = bench.resource.model;
  return trace(bench, {
    kind: 'history',
    entry: 'ObjectRevision',
    schema: objectRevision,
    description: 'Revisions, the newest first',
    opening: `List the revisions of one ${noun[0]}${bench.aliases}`,
    contrast: `When it was changed, by whom and which of ${bench.fieldList(bench.writable, 5)} were touched`,
    text: `The revisions of the ${noun[0]}`,
  });
}

function trace(bench: OperationBuilder, { kind, entry, schema, description, ...words }: Trace): Operation {
  const { resource, book, platform } = bench;
  const { model, style } = resource;
  const item = book.add(entry, schema, model.spot.place);
  const property = style.list.property === null ? null : 'items';
  const answer =
    property === null
      ? { type: 'array', items: item }
      : book.add(
          `${entry}List`,
          {
            type: 'object',
            properties: { items: { type: 'array', items: item, description } },
            required: ['items'],
            additionalProperties: false,
          },
          model.spot.place,
        );
  return bench.finish({
    kind,
    method: 'get',
    path: `${resource.itemPath}/${kind}`,
    id: `list${model.singular}${kind === 'references' ? 'References' : 'History'}`,
    capability: 'read',
    query: groupParameters(kind, resource, platform, book),
    success: { status: 200, schema: answer, text: words.text },
    extensions: {
      'x-svc-list': { property, paging: 'none', default: 100, max: 1000, extras: [] },
      'x-svc-derive': { kind, resource: model.name },
    },
    words: {
      opening: words.opening,
      joint: 'in',
      contrast: words.contrast,
      handle: '',
      filler: bench.schemas.fields,
      summary: words.opening.replace(/ \([^)]*\)/, ''),
    },
  });
}
