/** Which row an operation below (or beside) an item is about. */
import type { Call } from '../http/accepted-call.ts';
import { type Answer, type Refusal, refuse } from '../http/platform-answer.ts';
import { plain } from '../openapi/openapi-document.ts';
import { itemAbove } from '../openapi/served-platform.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { rowId } from './collection.ts';
import { rowAt } from './derived-rows.ts';
import { isObject } from './json-value.ts';
import { kindPartOf, type Subject } from './platform-behaviour.ts';
import { idFromPath, keyOf, readRow } from './stored-rows.ts';

/** 404 when the item above the collection does not exist; null when there is none above or it does. */
export function missingParent(call: Call): Answer | null {
  const found = subjectOf(call, false);
  return found === 'missing' ? missing(call) : null;
}

export function missing(call: Call): Refusal {
  const named = call.values.at(-1) ?? '';
  return refuse(404, 'NOT_FOUND', `${call.concretePath}: expected an existing entry "${named}", got none of that name`);
}

/** 404 when the path names a part that the item above does not have, as an access point has no switch ports. */
export function missingPart(call: Call): Refusal | null {
  const part = kindPartOf(call.world, call.operation.template);
  const item = part === undefined ? null : itemOf(call, false);
  if (part === undefined || item === null || item === 'missing') return null;
  const { field, value } = part;
  if (item.values[field] === value) return null;
  const message = `${call.concretePath}: expected an entry of ${field} "${value}", got one of ${field} "${item.values[field]}"`;
  return refuse(404, 'NOT_FOUND', message);
}

/** By the one object that the action is declared to set something in, by an item path above, else by a path parameter that is declared as a reference. */
export function subjectOf(call: Call, includeSelf: boolean): Subject | 'missing' | null {
  return singleOf(call) ?? itemOf(call, includeSelf);
}

function itemOf(call: Call, includeSelf: boolean): Subject | 'missing' | null {
  const above = itemAbove(call.platform, call.operation.template, call.values, includeSelf);
  if (above !== null) return rowOf(call, above.resource, rowId(above.values));
  return byReference(call) ?? call.world.subject(call);
}

/** `POST /maintenance/start` is about `/maintenance`, which has no key. */
function singleOf(call: Call): Subject | null {
  const { kind, template, resource: name, derive } = call.operation;
  const resource = call.platform.resources.get(name ?? '');
  if (kind !== 'action' || resource?.singleton !== true || !isObject(derive['set'])) return null;
  if (!`${template}/`.startsWith(`${resource.placeTemplate}/`)) return null;
  const found = rowOf(call, resource, idFromPath(resource, call.values));
  return found === 'missing' ? null : found;
}

function rowOf(call: Call, resource: Resource, id: string): Subject | 'missing' {
  const row = rowAt(call, resource, id);
  if (row === undefined) return 'missing';
  return { resource, id, values: readRow(call.platform, call.state, call.world, resource, row) };
}

function byReference(call: Call): Subject | 'missing' | null {
  for (const [at, name] of call.operation.pathNames.entries()) {
    const found = referred(call, 'path', name, call.values[at] as string);
    if (found !== null) return found;
  }
  return null;
}

/**
 * What the query names by a declared reference, such as the device on which a library object is observed: `name=id` of each,
 * joined, so that the answer differs from that about another; empty when it names none. 404 for an object that does not exist.
 */
export function namedInQuery(call: Call): string | Refusal {
  const named: string[] = [];
  for (const [name, value] of Object.entries(call.query)) {
    const found = referred(call, 'query', name, String(value));
    if (found === 'missing')
      return refuse(404, 'NOT_FOUND', `query parameter "${name}": expected an existing object, got "${value}"`);
    if (found !== null) named.push(`${name}=${found.id}`);
  }
  return named.sort().join(' ');
}

/** The row that the value of a parameter refers to; null for a parameter that is no reference to a row without parents. */
function referred(call: Call, place: 'path' | 'query', name: string, wanted: string): Subject | 'missing' | null {
  const parameter = call.operation.parameters.find((entry) => entry.in === place && entry.name === name);
  const target =
    parameter?.schema === undefined ? undefined : plain(call.operation.document, parameter.schema)['x-svc-ref'];
  const resource = target === undefined ? undefined : call.platform.resources.get(target.resource);
  if (resource === undefined || resource.parentNames.length > 0) return null;
  const direct = rowOf(call, resource, wanted);
  if (direct !== 'missing') return direct;
  for (const row of call.state.rows(call.platform.id, resource.name).all()) {
    if (String(keyOf(resource, row, target?.field)) === wanted) return rowOf(call, resource, row.id);
  }
  return 'missing';
}
