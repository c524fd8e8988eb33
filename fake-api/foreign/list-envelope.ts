/** Where the entries of a list answer stand: the answer itself, or one array inside it. */

import { successOf } from '../engine/openapi/declared-outcome.ts';
import { flat } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';

export interface Envelope {
  /** Names from the answer to the array; empty when the answer is the array. */
  path: string[];
  items: Schema;
}

const CUSTOMARY = [
  'items',
  'results',
  'data',
  'value',
  'values',
  'entries',
  'records',
  'content',
  'resources',
  'objects',
  'list',
];

/** Null when the answer is not a list of objects. */
export function envelopeOf(operation: Operation): Envelope | null {
  const { schema } = successOf(operation);
  if (schema === null) return null;
  const { document } = operation;
  const at = flat(document, schema);
  if (isObjectArray(operation, at)) return { path: [], items: at.items as Schema };
  const names = Object.keys(at.properties ?? {});
  const arrays = names.filter((name) => isObjectArray(operation, flat(document, at.properties?.[name] as Schema)));
  const last = operation.template.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const like = arrays.find((name) => plainName(name) === plainName(last) || plainName(last).endsWith(plainName(name)));
  // One array among many other fields is a part of a thing; a list has little beside its entries.
  const lone = arrays.length === 1 && names.length <= 6 ? arrays[0] : undefined;
  const chosen = arrays.find((name) => CUSTOMARY.includes(name.toLowerCase())) ?? like ?? lone;
  if (chosen !== undefined)
    return { path: [chosen], items: flat(document, at.properties?.[chosen] as Schema).items as Schema };
  const embedded = at.properties?.['_embedded'];
  if (embedded === undefined) return null;
  const inner = flat(document, embedded).properties ?? {};
  const name = Object.keys(inner).find((entry) => isObjectArray(operation, flat(document, inner[entry] as Schema)));
  return name === undefined
    ? null
    : { path: ['_embedded', name], items: flat(document, inner[name] as Schema).items as Schema };
}

function isObjectArray(operation: Operation, schema: Schema): boolean {
  if (schema.items === undefined || !typesOf(schema).includes('array')) return false;
  const items = flat(operation.document, schema.items);
  return (
    typesOf(items).includes('object') ||
    items.properties !== undefined ||
    (items.oneOf ?? items.anyOf ?? []).some((branch) => flat(operation.document, branch).properties !== undefined)
  );
}
