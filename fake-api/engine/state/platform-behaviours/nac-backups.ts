/** Backups of the policy server that are too old go, but for the latest ones. */
import type { TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

const DAY_MS = 86_400_000;
/** Copies kept whatever their age, where the call does not say how many. */
const USUALLY_KEPT = 3;

export function purgeBackups({ operationId, input, state, platform }: TaskCall): Values {
  if (operationId !== 'purgeBackups') return {};
  const oldestMs = state.clock.ms - Number(input['older_than_days']) * DAY_MS;
  const madeMs = ({ created_at: created }: Values): number => Date.parse(String(created));
  const latestFirst = [...state.rows('nac', 'backup').all()].sort((a, b) => madeMs(b.value) - madeMs(a.value));
  const old = latestFirst
    .slice(Number(input['keep_latest'] ?? USUALLY_KEPT))
    .filter(({ value }) => madeMs(value) < oldestMs && value['status'] !== 'running');
  removeRows({ platform, state }, 'backup', (row) => old.includes(row));
  return { removed: old.length, freed_bytes: old.reduce((sum, { value }) => sum + Number(value['size_bytes']), 0) };
}
