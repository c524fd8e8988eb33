/** How a run reaches its target: every call is a tool of the router, so gates, budget, audit and ledger see it. */
import { digest } from '../dispatch/canonical-json.ts';
import { redact } from '../telemetry/redact.ts';
import type { FaultOf, Step, ToolCall } from './adapters/adapter.ts';
import { blockedBy } from './blocked.ts';

export type ReadAnswer =
  | { kind: 'found'; value: unknown }
  | { kind: 'absent' }
  /** The state of the object is unknown. */
  | { kind: 'unknown'; message: string };

export type WriteAnswer =
  | { kind: 'done'; result?: unknown }
  /** It did not happen. */
  | { kind: 'refused'; message: string }
  | { kind: 'outcome_unknown'; message: string };

/** What of the answer to a read does not change by itself, as counters and clocks do. */
export type LastingOf = (read: ToolCall, answer: unknown) => unknown;

export interface TargetPort {
  read: (call: ToolCall) => Promise<ReadAnswer>;
  write: (call: ToolCall) => Promise<WriteAnswer>;
  faultOf?: FaultOf;
  /** Without it everything lasts. */
  lastingOf?: LastingOf;
}

/** A list as it was read, and whether more belongs to it; undefined for what is no list. */
export function listIn(value: unknown): { items: unknown[]; isCut: boolean } | undefined {
  const { items, _pagination } = (value ?? {}) as { items?: unknown; _pagination?: { truncated?: boolean } };
  return Array.isArray(items) ? { items, isCut: _pagination?.truncated === true } : undefined;
}

export type FieldMatch = 'match' | 'mismatch' | 'unverifiable';

/** Every expected field compared with what was read; one that the answer does not show is unverifiable. */
export function comparedFields(
  expected: Readonly<Record<string, unknown>>,
  value: unknown,
): Record<string, FieldMatch> {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return Object.fromEntries(
    Object.entries(expected).map(([name, wanted]) => [
      name,
      compared(wanted, fields[name], Object.hasOwn(fields, name)),
    ]),
  );
}

function compared(wanted: unknown, got: unknown, shown: boolean): FieldMatch {
  if (!shown) return wanted === null ? 'match' : 'unverifiable';
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return 'mismatch';
    return worst(wanted.map((each, i) => compared(each, got[i], true)));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof got !== 'object' || got === null) return 'mismatch';
    return worst(Object.values(comparedFields(wanted as Record<string, unknown>, got)));
  }
  return wanted === got ? 'match' : 'mismatch';
}

function worst(matches: readonly FieldMatch[]): FieldMatch {
  if (matches.includes('mismatch')) return 'mismatch';
  return matches.includes('unverifiable') ? 'unverifiable' : 'match';
}

/** Characters of an image as JSON: a run with 500 objects has to stay below its limit. */
const LONGEST_IMAGE = 2_048;

/**
 * A digest of each lasting field of an object as it was read, so that a later read tells which of them changed; one of the whole object, under the name
 * `object`, where there are too many. No digest is of a secret.
 */
export type Image = Readonly<Record<string, string>>;

function imageOf(value: unknown, secret: readonly string[]): Image {
  const shown = redact(value, new Set(secret));
  if (typeof shown !== 'object' || shown === null) return {};
  const digestOf = (inner: unknown) => digest(inner).slice(0, 16);
  const image = Object.fromEntries(Object.entries(shown).map(([name, inner]) => [name, digestOf(inner)]));
  return JSON.stringify(image).length <= LONGEST_IMAGE ? image : { object: digestOf(shown) };
}

/** Names of the fields that differ, also of those that only one of them has. */
export const changedFields = (before: Image, now: Image): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]).sort();

/** `unmet`: why the step must not be written now. `isKept`: no update may make it like the step. */
export type Seen =
  | { kind: 'same'; image?: Image }
  | { kind: 'absent'; unmet?: string }
  | { kind: 'other'; fields: Record<string, FieldMatch>; isKept?: boolean; unmet?: string }
  | { kind: 'unknown'; message: string };

/** The object at the target of the step; of one that may be written, its precondition as well. */
export async function look(step: Step, port: TargetPort): Promise<Seen> {
  const seen = await objectAt(step, port);
  if (seen.kind !== 'absent' && seen.kind !== 'other') return seen;
  const unmet = await unmetNeeds(step, port);
  return unmet === undefined ? seen : { ...seen, unmet };
}

async function unmetNeeds({ needs = [] }: Step, port: TargetPort): Promise<string | undefined> {
  const missing: string[] = [];
  for (const { ref, read } of needs) {
    const answer = await port.read(read);
    if (answer.kind === 'unknown') return blockedBy('target-unreadable', `${ref}: ${answer.message}`);
    if (answer.kind === 'absent') missing.push(ref);
  }
  if (missing.length === 0) return undefined;
  return blockedBy('precondition-missing', `neither the run nor the target has ${missing.join(', ')}`);
}

async function objectAt({ kind, read, expect, kept = {}, hidden = [] }: Step, port: TargetPort): Promise<Seen> {
  const answer = await port.read(read);
  if (answer.kind !== 'found') return answer;
  if (kind === 'assignment') return lookAmong(expect, answer.value);
  const changed = Object.entries(comparedFields(kept, answer.value)).filter(([, match]) => match === 'mismatch');
  const fields = { ...comparedFields(expect, answer.value), ...Object.fromEntries(changed) };
  const { lastingOf = (_, value) => value } = port;
  if (worst(Object.values(fields)) === 'match')
    return { kind: 'same', image: imageOf(lastingOf(read, answer.value), hidden) };
  return { kind: 'other', fields, isKept: changed.length > 0 };
}

/** Tuples are inspected here, whatever filter the platform promised to apply; a cut list never means absent. */
function lookAmong(expect: Step['expect'], value: unknown): Seen {
  const list = listIn(value);
  if (!list) return { kind: 'unknown', message: 'the answer is no list' };
  if (list.items.some((item) => worst(Object.values(comparedFields(expect, item))) === 'match'))
    return { kind: 'same' };
  return list.isCut ? { kind: 'unknown', message: 'the list was cut' } : { kind: 'absent' };
}

export const mismatchedFields = (fields: Readonly<Record<string, FieldMatch>>): string =>
  Object.entries(fields)
    .filter(([, match]) => match !== 'match')
    .map(([name, match]) => `${name} (${match})`)
    .join(', ');
