/**
 * A recording as it would be at any other time: what depends on the moment (times, logins, tokens drawn at random) is set
 * apart or replaced, so that two runs of the same thing are the same bytes.
 */
import { createHash } from 'node:crypto';
import type { LedgerEntry, Message, Recording } from '../recording/recording.ts';
import { PLATFORMS_AT } from '../recording/redact-recording.ts';
import type { TimedMessage } from '../sandbox/agent-bridge.ts';

export interface NormalisedEvidence {
  transcript: Message[];
  ledger: LedgerEntry[];
  messages: Recording['timings']['messages'];
  logins: LedgerEntry[];
}

/** Logins depend on what the subject did before this run, so they leave the ledger and the others are numbered anew. */
export function normalise(transcript: readonly TimedMessage[], ledger: readonly LedgerEntry[]): NormalisedEvidence {
  const logins = ledger.filter((entry) => entry.capability === 'auth');
  const counted = ledger.filter((entry) => entry.capability !== 'auth');
  const numbers = new Map(counted.map((entry, i) => [entry.seq, i + 1]));
  return {
    transcript: transcript.map(({ atMs: _at, tookMs: _took, ...message }) => ({
      ...message,
      ...(message.calls === undefined ? {} : { calls: message.calls.flatMap((seq) => numbers.get(seq) ?? []) }),
    })),
    ledger: counted.map((entry, i) => ({ ...entry, seq: i + 1 })),
    messages: transcript.map(({ atMs, tookMs }) => ({ atMs, tookMs })),
    logins,
  };
}

/** The recording with a fixed platform address, because an error text may contain the port. */
export function withFixedAddress(recording: Recording, address: string): Recording {
  const { timings, ...rest } = recording;
  return { ...deepText(rest, (text) => text.replaceAll(address, PLATFORMS_AT)), timings };
}

/**
 * Values that a subject draws at random (plan tokens, cursors), found under the fields named and in lines `Name: value` of
 * its questions, become others of the same
 * length and alphabet that depend on the run's identity alone: as many characters to read, and the same ones every time.
 */
export function withPlaceholders(recording: Recording, opaqueFields: readonly string[]): Recording {
  const values = new Set<string>();
  for (const { kind, sent, received } of recording.transcript) {
    collect(received, new Set(opaqueFields), values);
    if (kind === 'elicitation' && typeof sent === 'string') collectLines(sent, opaqueFields, values);
  }
  if (values.size === 0) return recording;
  const { task, agent, transport, seed, run } = recording;
  const identity = [agent, transport, task.id, seed, run].join('/');
  const placeholders = [...values].map((value, i) => [value, placeholder(value, `${identity}#${i}`)] as const);
  const { timings, ...rest } = recording;
  const replaced = deepText(rest, (text) =>
    placeholders.reduce((inner, [from, to]) => inner.replaceAll(from, to), text),
  );
  return { ...replaced, timings };
}

function collect(value: unknown, fields: ReadonlySet<string>, found: Set<string>): void {
  if (typeof value === 'string') {
    if (/^\s*[[{]/.test(value)) collect(parsed(value), fields, found);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, fields, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (fields.has(key) && typeof inner === 'string' && inner.length >= 16) found.add(inner);
      else collect(inner, fields, found);
    }
  }
}

function collectLines(question: string, names: readonly string[], found: Set<string>): void {
  for (const line of question.split('\n')) {
    const [name = '', value = ''] = line.split(': ', 2);
    if (names.includes(name) && value.length >= 16) found.add(value);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Letters, digits, `-` and `_` are drawn anew; anything else, such as the dot between two parts, stays. */
function placeholder(value: string, identity: string): string {
  let pool = '';
  for (let i = 0; pool.length < value.length; i++)
    pool += createHash('sha256').update(`${identity}:${i}`).digest('base64url');
  return [...value].map((char, i) => (/[\w-]/.test(char) ? pool[i] : char)).join('');
}

function deepText<T>(value: T, change: (text: string) => string): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return change(inner);
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner === 'object' && inner !== null)
      return Object.fromEntries(Object.entries(inner).map(([key, child]) => [key, walk(child)]));
    return inner;
  };
  return walk(value) as T;
}
