/** A migration run: what is to be written where, how far it is, and how its states follow each other. No secret is ever in it. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../dispatch/canonical-json.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { refOf } from './candidate.ts';
import type { PlannedCandidate } from './plan.ts';
import type { Image } from './target-port.ts';

export type EntryStatus = 'pending' | 'unsupported' | 'blocked' | 'skipped' | 'applied' | 'failed';

export type RunStatus =
  | 'pending'
  | 'dry-run-complete'
  | 'partial'
  | 'failed'
  | 'completed'
  | 'completed_with_issues'
  | 'blocked';

export type ConflictPolicy = 'fail' | 'skip-existing' | 'update';

/** One write of an entry. `sent`: it may have happened; only a read can tell. */
export interface StepRecord {
  what: string;
  state: 'sent' | 'verified' | 'found';
  /** Whether the write made the object, or changed one that was there. */
  made?: 'created' | 'updated';
  /** The object as it was read after the write; none of an assignment, nor in runs of 0.2.0. */
  image?: Image;
}

/** What reading again said of an entry. */
export type Verdict = 'verified' | 'partially_verified' | 'failed' | 'unverifiable' | 'unsupported' | 'not_applied';

export type UndoStatus = 'applied' | 'dry-run' | 'failed' | 'refused' | 'already_applied' | 'not_attempted';

export interface Entry {
  key: string;
  candidate: PlannedCandidate;
  status: EntryStatus;
  retryable: boolean;
  attempts: number;
  requires_secret_input: boolean;
  required_secret_names: readonly string[];
  dry_run_ok: boolean;
  last_error: string | null;
  last_result: string | null;
  attempt_history: readonly { at: string; status: EntryStatus; message: string | null }[];
  steps: StepRecord[];
  /** What the last verification of it found. */
  verification?: { verdict: Verdict; at: string };
  rollback?: { status: UndoStatus; message?: string };
}

export interface Run {
  schema_version: 1;
  run_id: string;
  fingerprint: string;
  status: RunStatus;
  created_at: string;
  updated_at: string;
  target: TargetContext;
  conflict_policy: ConflictPolicy;
  dry_run_attempted_at: string | null;
  last_apply_at: string | null;
  last_verification_at: string | null;
  candidates: Entry[];
  rollback: { last_run_at: string | null; last_summary: string | null };
}

export const RUN_LIMITS = { candidates: 500, history: 10, secretLength: 1_024, fileBytes: 8 * 1024 * 1024 };

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const isRunId = (id: string): boolean => RUN_ID.test(id) && !id.includes('..');

export function fingerprintOf(
  target: TargetContext,
  policy: ConflictPolicy,
  candidates: readonly PlannedCandidate[],
): string {
  return createHash('sha256')
    .update(canonicalJson([candidates, target, policy]))
    .digest('hex');
}

export const defaultRunId = (fingerprint: string): string => `run-${fingerprint.slice(0, 16)}`;

export interface NewRun {
  runId?: string;
  target: TargetContext;
  policy: ConflictPolicy;
  candidates: readonly PlannedCandidate[];
  secretsOf: (candidate: PlannedCandidate) => readonly string[];
  now: string;
}

export function newRun({ runId, target, policy, candidates, secretsOf, now }: NewRun): Run {
  const fingerprint = fingerprintOf(target, policy, candidates);
  return {
    schema_version: 1,
    run_id: runId ?? defaultRunId(fingerprint),
    fingerprint,
    status: 'pending',
    created_at: now,
    updated_at: now,
    target,
    conflict_policy: policy,
    dry_run_attempted_at: null,
    last_apply_at: null,
    last_verification_at: null,
    candidates: candidates.map((candidate) => newEntry(candidate, secretsOf(candidate))),
    rollback: { last_run_at: null, last_summary: null },
  };
}

function newEntry(candidate: PlannedCandidate, secrets: readonly string[]): Entry {
  return {
    key: refOf(candidate),
    candidate,
    status: 'pending',
    retryable: true,
    attempts: 0,
    requires_secret_input: secrets.length > 0,
    required_secret_names: secrets,
    dry_run_ok: false,
    last_error: null,
    last_result: null,
    attempt_history: [],
    steps: [],
  };
}

/** The events of an entry, and the states in which each is allowed. Any other combination is a bug. */
const EVENTS = {
  'dry-run-ok': { from: ['pending', 'blocked'], to: 'pending' },
  rejected: { from: ['pending', 'blocked'], to: 'unsupported' },
  blocked: { from: ['pending', 'blocked'], to: 'blocked' },
  skipped: { from: ['pending', 'blocked'], to: 'skipped' },
  applied: { from: ['pending', 'blocked', 'failed'], to: 'applied' },
  failed: { from: ['pending', 'blocked', 'failed'], to: 'failed' },
  // A write of it is gone, so it is as far as before its dry run.
  'rolled-back': { from: ['pending', 'blocked', 'failed', 'applied'], to: 'pending' },
} as const satisfies Record<string, { from: readonly EntryStatus[]; to: EntryStatus }>;

export type EntryEvent = keyof typeof EVENTS;

/** What the entry remembers of one of its steps. A step is known by what it makes, because a rollback takes some out. */
export const recordOf = ({ steps }: Entry, { what }: Pick<StepRecord, 'what'>): StepRecord | undefined =>
  steps.find((record) => record.what === what);

export const stepsBut = ({ steps }: Entry, { what }: Pick<StepRecord, 'what'>): StepRecord[] =>
  steps.filter((record) => record.what !== what);

export const isFinal = (status: EntryStatus): boolean =>
  status === 'unsupported' || status === 'skipped' || status === 'applied';

/** False where the event cannot happen in this state; the entry is then as it was. */
export function applyEvent(entry: Entry, event: EntryEvent, at: string, message: string | null = null): boolean {
  const { from, to }: { from: readonly EntryStatus[]; to: EntryStatus } = EVENTS[event];
  if (!from.includes(entry.status)) return false;
  entry.status = to;
  entry.dry_run_ok = event === 'dry-run-ok' || (event === 'applied' && entry.dry_run_ok);
  entry.retryable = to === 'pending' || to === 'blocked' || to === 'failed';
  entry.last_error = to === 'pending' || to === 'applied' || to === 'skipped' ? null : message;
  entry.last_result = message;
  // It was made again.
  if (to === 'applied' || to === 'skipped') delete entry.rollback;
  entry.attempts++;
  entry.attempt_history = [...entry.attempt_history, { at, status: to, message }].slice(-RUN_LIMITS.history);
  return true;
}

/**
 * pending → dry-run-complete → partial | failed → completed; completed_with_issues when entries cannot be written. A run
 * of which a rollback left nothing begins anew.
 */
export function statusOf({ candidates, dry_run_attempted_at, last_apply_at }: Run): RunStatus {
  const has = (...wanted: EntryStatus[]) => candidates.some(({ status }) => wanted.includes(status));
  if (last_apply_at === null) return dry_run_attempted_at === null ? 'pending' : 'dry-run-complete';
  if (!has('pending', 'blocked', 'failed')) return has('unsupported') ? 'completed_with_issues' : 'completed';
  if (!has('applied', 'skipped', 'blocked', 'failed'))
    return candidates.some(({ dry_run_ok }) => dry_run_ok) ? 'dry-run-complete' : 'pending';
  return has('failed') && !has('applied', 'skipped') ? 'failed' : 'partial';
}
