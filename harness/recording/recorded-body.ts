/** Bodies of requests: the fake keeps their hash, the transcript has what the agent sent. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../scenario/sorted-json.ts';
import type { LedgerEntry, Message } from './recording.ts';

/** As the fake counts it: `sha256:` over the canonical JSON. */
export function hashOf(body: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(body)).digest('hex')}`;
}

/** The body of a counted call, as far as the agent's messages hold it; undefined where they do not. */
export function sentBody(entry: LedgerEntry, transcript: readonly Message[]): unknown {
  if (entry.bodyHash === null) return undefined;
  for (const message of transcript) {
    if (message.kind !== 'call') continue;
    const found = withHash(message.sent, entry.bodyHash, 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withHash(value: unknown, hash: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > 6) return undefined;
  if (hashOf(value) === hash) return value;
  for (const inner of Object.values(value)) {
    const found = withHash(inner, hash, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a body is the expected one: the same value, but for members `{free: text}`, which may be any text or absent. Without
 * an expected body none may be sent, or an empty one.
 */
export function isBody(expected: unknown, actual: unknown): boolean {
  if (isFree(expected)) return actual === undefined || typeof actual === 'string';
  if (isRecord(expected) && isRecord(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].every((name) => isBody(expected[name], actual[name]));
  }
  if (Array.isArray(expected) && Array.isArray(actual))
    return expected.length === actual.length && expected.every((item, i) => isBody(item, actual[i]));
  if (expected === undefined) return actual === undefined;
  return actual !== undefined && canonicalJson(expected) === canonicalJson(actual);
}

/** A body that a write must have. The hash is of the body as it was drawn: a recording holds markers in place of secrets. */
export interface StatedBody {
  body: unknown;
  /** Absent where members may be any text. */
  hash?: string;
}

export function statedBody(body: unknown): StatedBody {
  return hasFree(body) ? { body } : { body, hash: hashOf(body) };
}

/** Whether a counted call had the stated body. */
export function hadBody(entry: LedgerEntry, stated: StatedBody, transcript: readonly Message[]): boolean {
  if (entry.bodyHash === null) return isBody(stated.body, {}) || isBody(stated.body, undefined);
  if (stated.hash !== undefined) return entry.bodyHash === stated.hash;
  const body = sentBody(entry, transcript);
  return body !== undefined && isBody(stated.body, body);
}

function hasFree(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isFree(value) || Object.values(value).some(hasFree);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFree = (value: unknown): boolean =>
  isRecord(value) && value['free'] === 'text' && Object.keys(value).length === 1;
