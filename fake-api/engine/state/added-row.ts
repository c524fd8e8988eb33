/** A row that an action of the platform brings into being. */
import { type Row, rowId } from './collection.ts';
import type { JsonObject } from './json-value.ts';
import type { TaskCall } from './platform-behaviour.ts';

type World = Pick<TaskCall, 'platform' | 'state'>;

/** `parts` are the keys of the parents and its own. Nothing where the platform is served without the resource. */
export function addRow({ platform, state }: World, name: string, parts: readonly string[], value: JsonObject): void {
  const resource = platform.resources.get(name);
  if (resource !== undefined) state.put(resource, { id: rowId(parts), value, secrets: {}, revision: 1 });
}

/** The number that follows the highest one of a field. */
export function nextNumber(rows: Iterable<Row>, field: string): number {
  let highest = 0;
  for (const { value } of rows) highest = Math.max(highest, Number(value[field]) || 0);
  return highest + 1;
}
