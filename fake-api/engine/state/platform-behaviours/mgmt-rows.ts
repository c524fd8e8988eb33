/** Rows of the management cloud, grouped for the values that follow from many of them. */
import type { Look, Values } from '../platform-behaviour.ts';

/** Rows of a resource by one of their values, gathered once per state. */
export function rowsBy(look: Look, resource: string, field: string): Map<unknown, Values[]> {
  return look.state.memo(`by ${resource} ${field}`, () => Map.groupBy(look.all(resource), (row) => row[field]));
}
