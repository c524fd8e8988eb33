/** What the calls since the last reset changed, row by row. */
import type { Platform } from '../engine/openapi/served-platform.ts';
import { compareIds, type Row } from '../engine/state/collection.ts';
import { canonicalJson } from '../engine/state/json-value.ts';
import { withPresence } from '../engine/state/secrets.ts';
import type { SavedState, State } from '../engine/state/state.ts';
import type { RowChange } from './ledger.ts';

/** By platform and resource in their order, then by key. */
export function changesSince(state: State, start: SavedState): RowChange[] {
  const now = state.save();
  return [...state.platforms].flatMap(([id, platform]) => changesOf(state, platform, now, start, id));
}

function changesOf(state: State, platform: Platform, now: SavedState, start: SavedState, id: string): RowChange[] {
  return [...platform.resources.keys()].flatMap((resource) => {
    const then = start.collections.get(id)?.get(resource) ?? new Map<string, Row | null>();
    const changed = now.collections.get(id)?.get(resource) ?? new Map<string, Row | null>();
    const ids = [...new Set([...changed.keys(), ...then.keys()])].sort(compareIds);
    return ids.flatMap((row) => {
      const before = then.has(row) ? then.get(row) : state.rows(id, resource).original(row);
      const after = state.rows(id, resource).get(row);
      return changeOf(before ?? undefined, after, { platform: id, resource });
    });
  });
}

function changeOf(
  before: Row | undefined,
  after: Row | undefined,
  place: Pick<RowChange, 'platform' | 'resource'>,
): RowChange[] {
  if (after === undefined) {
    return before === undefined ? [] : [{ ...place, kind: 'deleted', value: shown(before), fields: [] }];
  }
  if (before === undefined) return [{ ...place, kind: 'created', value: shown(after), fields: [] }];
  const fields = [...new Set([...Object.keys(before.value), ...Object.keys(after.value)])].filter(
    (field) => canonicalJson(before.value[field] ?? null) !== canonicalJson(after.value[field] ?? null),
  );
  const secrets = Object.keys({ ...before.secrets, ...after.secrets })
    .filter((pointer) => before.secrets[pointer] !== after.secrets[pointer])
    .map((pointer) => pointer.split('/')[1] ?? pointer);
  const all = [...new Set([...fields, ...secrets])].sort();
  return all.length === 0 ? [] : [{ ...place, kind: 'changed', value: shown(after), fields: all }];
}

const shown = (row: Row): Record<string, unknown> => withPresence(row.value, row.secrets) as Record<string, unknown>;
