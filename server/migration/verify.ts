/** Reads everything again that a run wrote or found, and compares; nothing is changed but the run's own record. */

import type { Step } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { type Entry, type Run, recordOf, type Verdict } from './migration-run.ts';
import { look, mismatchedFields, type Seen, type TargetPort } from './target-port.ts';

export interface Verified {
  key: string;
  verdict: Verdict;
  /** The assignment of a library object, apart from the object itself. */
  assignment_verification?: Verdict;
  message?: string;
}

export async function verifyEntry(entry: Entry, run: Run, port: TargetPort): Promise<Verified> {
  const { key, status, candidate } = entry;
  if (status === 'unsupported') return { key, verdict: 'unsupported' };
  if (status !== 'applied' && status !== 'skipped') return { key, verdict: 'not_applied' };
  const steps = adapterOf(candidate, run.target.target).stepsOf(candidate, run.target, {});
  const seen: { kind: string; what: string; seen: Seen }[] = [];
  for (const step of steps) seen.push({ kind: step.kind, what: step.what, seen: await seenOf(entry, step, port) });
  const of = (kind: string) => verdictOf(seen.filter((each) => each.kind === kind).map((each) => each.seen));
  const wrong = seen.find((each) => each.seen.kind !== 'same');
  const assigned = seen.some(({ kind }) => kind === 'assignment');
  return {
    key,
    verdict: of('object'),
    ...(assigned ? { assignment_verification: of('assignment') } : {}),
    ...(wrong ? { message: `${wrong.what}: ${messageOf(wrong.seen)}` } : {}),
  };
}

/** Nothing tells of the secret of an object that the run only found. */
async function seenOf(entry: Entry, step: Step, port: TargetPort): Promise<Seen> {
  const seen = await look(step, port);
  if (seen.kind !== 'same' || !step.hidden || recordOf(entry, step)?.made) return seen;
  return { kind: 'other', fields: Object.fromEntries(step.hidden.map((field) => [field, 'unverifiable'])) };
}

function verdictOf(seen: readonly Seen[]): Verdict {
  if (seen.every(({ kind }) => kind === 'same')) return 'verified';
  if (seen.some((each) => each.kind === 'absent' || hasMismatch(each))) return 'failed';
  return seen.some(({ kind }) => kind === 'same' || kind === 'other') ? 'partially_verified' : 'unverifiable';
}

const hasMismatch = (seen: Seen): boolean => seen.kind === 'other' && Object.values(seen.fields).includes('mismatch');

const messageOf = (seen: Seen): string =>
  seen.kind === 'other'
    ? `differs in ${mismatchedFields(seen.fields)}`
    : seen.kind === 'unknown'
      ? seen.message
      : seen.kind;
