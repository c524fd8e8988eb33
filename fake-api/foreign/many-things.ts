/** One call at a collection that changes or removes several of its things, each of which the body names by its key. */
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import type { Entity } from './entity.ts';
import { valueAtPath } from './key-path.ts';
import type { ForeignCall } from './shaped-value.ts';
import { thingsIn } from './wrapped-thing.ts';
import { changed, replaced } from './written-thing.ts';

/** @returns the things as they are then; null where the body names none that is listed */
export function changeEach(call: ForeignCall, entity: Entity): JsonObject[] | null {
  const { operation, things } = call;
  const rows: JsonObject[] = [];
  for (const sent of thingsIn(operation, entity, call.body, call.bodySchema)) {
    const values = listedValues(call, entity, sent.value);
    if (values === null) continue;
    const one = { ...call, values };
    const written = operation.method === 'PATCH' ? changed(one, entity, sent) : replaced(one, entity, sent);
    if ('kind' in written) continue;
    things.put(entity, values, written.row, written.secrets);
    rows.push(written.row);
  }
  return rows.length === 0 ? null : rows;
}

/** @returns what was removed: of a list of keys, or of objects that have them; null where the body names none that is listed */
export function removeEach(call: ForeignCall, entity: Entity, entities: readonly Entity[]): JsonObject[] | null {
  const { things } = call;
  const rows = entriesOf(call.body).flatMap((entry) => {
    const values = listedValues(call, entity, entry);
    if (values === null) return [];
    const row = things.read(entity, values);
    things.remove(entities, entity, values);
    return [row];
  });
  return rows.length === 0 ? null : rows;
}

/** A list, or the one list in what holds it: `{ "ids": [1, 2] }`. */
function entriesOf(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  const lists = isObject(body) ? Object.values(body).filter(Array.isArray) : [];
  return lists.length === 1 ? (lists[0] as unknown[]) : [];
}

/** Values of the path of the thing that an entry names; null where the collection shows none of that key. */
function listedValues({ things, values: parents }: ForeignCall, entity: Entity, entry: unknown): string[] | null {
  const key = isObject(entry) ? entity.key && valueAtPath(entry, entity.key) : entry;
  if (typeof key !== 'string' && typeof key !== 'number') return null;
  const values = [...parents, String(key)];
  return things.isKnown(entity, values) && !things.isGone(things.path(entity, values)) ? values : null;
}
