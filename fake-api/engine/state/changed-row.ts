/** A stored row of the platform with other values in some of its fields, as an action or a task leaves it. */
import type { JsonObject } from './json-value.ts';
import type { TaskCall } from './platform-behaviour.ts';

/** Nothing where there is no such row. */
export function changeRow(
  { platform, state }: Pick<TaskCall, 'platform' | 'state'>,
  name: string,
  id: string,
  values: JsonObject,
): void {
  const resource = platform.resources.get(name);
  const row = state.rows(platform.id, name).get(id);
  if (resource !== undefined && row !== undefined)
    state.put(resource, { ...row, value: { ...row.value, ...values }, revision: row.revision + 1 });
}
