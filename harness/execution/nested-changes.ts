/**
 * What changed inside the objects of a row. The fake names the fields of a row that differ; a scenario may list a path inside
 * one, and then everything else in it must be as it was.
 */
import type { Change, Task } from '../recording/recording.ts';
import type { FixtureObject } from '../scenario/seeded-slots.ts';
import { canonicalJson } from '../scenario/sorted-json.ts';

type ReadState = (platform: string, resource: string) => Promise<FixtureObject[]>;
/** Platform and resource → its rows before the run. */
type RowsBefore = ReadonlyMap<string, FixtureObject[]>;

const placeOf = (platform: string, resource: string): string => `${platform} ${resource}`;

/** Of the resources whose changes a scenario lists by a path inside a field; of most scenarios none. */
export async function rowsBefore({ end_state, side_effects, platforms }: Task, read: ReadState): Promise<RowsBefore> {
  const listed = [
    ...end_state.map((state) => ({ ...state, fields: Object.keys(state.equals ?? {}) })),
    ...side_effects.map((effect) => ({ ...effect, fields: effect.fields ?? [] })),
  ].filter(({ fields }) => fields.some((field) => field.includes('.')));
  const rows = new Map<string, FixtureObject[]>();
  for (const { resource, platform = platforms[0] ?? '' } of listed)
    rows.set(placeOf(platform, resource), await read(platform, resource));
  return rows;
}

/** The changes, with the paths that differ inside an object where the row as it was is known. */
export function withNestedChanges(changes: readonly Change[], before: RowsBefore): Change[] {
  return changes.map((change) => {
    const rows = before.get(placeOf(change.platform, change.resource)) ?? [];
    const row = change.kind === 'changed' ? rowAsItWas(change, rows) : undefined;
    if (row === undefined) return change;
    const inside = change.fields.flatMap((field) => differingPaths(row[field], change.value[field], field));
    return { ...change, inside: inside.filter((path) => !change.fields.includes(path)) };
  });
}

/** The one row that has the same values in all fields that did not change. */
function rowAsItWas({ value, fields }: Change, rows: readonly FixtureObject[]): FixtureObject | undefined {
  const unchanged = (row: FixtureObject) =>
    canonicalJson(Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field))));
  const wanted = unchanged(value);
  const found = rows.filter((row) => unchanged(row) === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** Dotted; a list differs as a whole. */
function differingPaths(before: unknown, after: unknown, path: string): string[] {
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differingPaths(before[name], after[name], `${path}.${name}`));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
