/** A run as a caller sees it: counts first, entries in a window, details only when asked for. */
import type { Entry, EntryStatus, Run } from './migration-run.ts';

export const SHOWN_ENTRIES = 50;

export function shownRun(run: Run, window: { limit?: number; offset?: number; details?: boolean } = {}) {
  const { limit = SHOWN_ENTRIES, offset = 0, details = false } = window;
  const entries = run.candidates.slice(offset, offset + limit);
  return {
    run_id: run.run_id,
    status: run.status,
    fingerprint: run.fingerprint,
    target: run.target,
    conflict_policy: run.conflict_policy,
    created_at: run.created_at,
    updated_at: run.updated_at,
    dry_run_attempted_at: run.dry_run_attempted_at,
    last_apply_at: run.last_apply_at,
    last_verification_at: run.last_verification_at,
    rollback: run.rollback,
    counts: countsOf(run),
    total: run.candidates.length,
    offset,
    secrets_persisted: false,
    entries: entries.map((entry) => shownEntry(entry, details)),
  };
}

export function countsOf({ candidates }: Run): Partial<Record<EntryStatus, number>> {
  const counts: Partial<Record<EntryStatus, number>> = {};
  for (const { status } of candidates) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function shownEntry(entry: Entry, details: boolean) {
  const { key, status, retryable, dry_run_ok, required_secret_names, last_error, last_result, verification, rollback } =
    entry;
  return {
    key,
    status,
    retryable,
    dry_run_ok,
    ...(required_secret_names.length > 0 ? { required_secret_names } : {}),
    ...(last_error === null ? {} : { last_error }),
    ...(last_result === null || last_result === last_error ? {} : { last_result }),
    ...(verification ? { verification } : {}),
    ...(rollback ? { rollback } : {}),
    ...(details
      ? {
          candidate: entry.candidate,
          steps: entry.steps.map(({ image, ...step }) => step),
          attempt_history: entry.attempt_history,
        }
      : {}),
  };
}
