/**
 * Every ground-truth endpoint was called, as counted by the fake. Of several right routes one is enough; a fact is right
 * wherever it was read, so an expected read is made good by other reads whose answers showed every fact. Writes have no such
 * way: they match by method, path and query, and `unapproved-write` compares their bodies. One that the platform refused is
 * not made.
 */
import { classOf, countedCalls, isRead, nameOf } from '../../recording/call-class.ts';
import type { LedgerEntry, Recording } from '../../recording/recording.ts';
import { isCallOf, splitQuery } from '../../scenario/path-pattern.ts';
import { refusalIn } from '../answer-facts.ts';
import { type Check, NOT_APPLICABLE, PASS } from '../grading-check.ts';

export default {
  id: 'calls-made',
  promise: 'every expected platform operation was called',
  kind: 'task',
  examine: (recording) => {
    const { api_calls, refusal } = recording.task;
    if (api_calls.length === 0) return NOT_APPLICABLE;
    if (refusal === 'right' && refusalIn(recording.final) !== undefined) return NOT_APPLICABLE;
    const missing = api_calls.filter((routes) => !routes.some((call) => wasCalled(recording, call)));
    if (missing.length === 0 || (missing.every(isReading) && factsWereShown(recording))) return PASS;
    const made = [...new Set(countedCalls(recording).map((entry) => toldCall(entry, recording)))];
    return {
      status: 'fail',
      expected: missing.map((routes) => routes.join(' or ')).join(', '),
      actual: made.length === 0 ? 'no platform call' : made.join(', '),
    };
  },
} satisfies Check;

const isReading = (routes: readonly string[]): boolean => routes.every((call) => /^(GET|HEAD) /.test(call));

function wasCalled(recording: Recording, call: string): boolean {
  const [operation, query] = splitQuery(call);
  return recording.ledger.some(
    (entry) =>
      isCallOf(entry, operation) &&
      !isRefusedDeed(entry, recording) &&
      ((isRead(entry.method) && query === undefined) || sameQuery(entry.query, query ?? '')),
  );
}

/**
 * The ledger has the status that the platform meant, also where a planned fault kept the client from it: a change whose answer
 * was lost is made. One that the scenario wants refused is made as well.
 */
const isRefusedDeed = (entry: LedgerEntry, { task }: Recording): boolean =>
  entry.status >= 400 &&
  classOf(entry, task) !== 'read' &&
  task.failing?.includes(`${entry.method} ${entry.template}`) !== true;

const toldCall = (entry: LedgerEntry, recording: Recording): string =>
  isRefusedDeed(entry, recording) ? `${nameOf(entry)} (refused with ${entry.status})` : nameOf(entry);

/** However a query is encoded: a space is `+` or `%20`. */
const sameQuery = (a: string, b: string): boolean =>
  a === b || new URLSearchParams(a).toString() === new URLSearchParams(b).toString();

/** The values of all facts stood in answers to reads that reached a platform. */
function factsWereShown({ task, transcript, ledger }: Recording): boolean {
  const reads = new Set(ledger.filter(({ method, status }) => isRead(method) && status < 400).map(({ seq }) => seq));
  const shown = transcript
    .filter(
      ({ kind, isError, calls = [] }) => kind === 'call' && isError !== true && calls.some((seq) => reads.has(seq)),
    )
    .map(({ received }) => JSON.stringify(received).toLowerCase())
    .join('\n');
  const values = scalarsIn(task.facts).filter((value) => typeof value !== 'boolean');
  return (
    values.length > 0 &&
    values.every((value) => shown.includes(JSON.stringify(value).replaceAll('"', '').toLowerCase()))
  );
}

function scalarsIn(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn);
  return value === null || value === undefined ? [] : [value];
}
