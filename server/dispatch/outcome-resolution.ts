/**
 * Resolves the outcome of a write that got no clear answer. The router does not send the write again. It reads the
 * object once. If the object is as requested, the write is done. If it is exactly as in the preview, the write was not
 * applied. Otherwise the outcome is unknown: a platform may show a deleted object for a while, or store a value in
 * another spelling.
 */
import type { Tool } from '../catalog/tool.ts';
import { isSecretName } from '../telemetry/redact.ts';
import { canonicalJson, digest } from './canonical-json.ts';
import type { ExecutionContract } from './contract.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { type CallEnd, refuse } from './envelope.ts';
import { type ObjectSources, objectRead } from './object-read.ts';

export type ReadBack =
  | { kind: 'as_requested'; read: string }
  | { kind: 'unchanged'; read: string }
  | { kind: 'unknown'; why: string };

/** The reason for an unknown outcome, as a text that follows "was sent once and". */
export interface UnknownOutcome {
  reason: string;
  /** What the platform said, if it said anything. */
  data?: unknown;
  /** Its words, masked; never part of a sentence of ours. */
  platform_message?: unknown;
}

/** Answers to a write after which it may or may not have been done. */
export function mayHaveWritten(status: number): boolean {
  return status >= 500 || status === 408;
}

/**
 * Reads the object back. `before` is the image of the object in the preview. `until` is the deadline, as a time of
 * `performance.now()`. Never throws: after a failed read the outcome stays unknown.
 */
export async function resolveOutcome(
  admitted: AdmittedCall,
  sources: ObjectSources,
  before: string | undefined,
  until: number,
): Promise<ReadBack> {
  const read = objectRead(admitted, sources);
  const { tool, call, request } = admitted;
  if (typeof read === 'string' || !showsOneObject(tool, sources))
    return { kind: 'unknown', why: 'no operation reads this object back' };
  if (call.signal?.aborted) return { kind: 'unknown', why: 'the call was cancelled before it could be read back' };
  try {
    const { status, body } = await read.send(until);
    if (status !== 404 && (status < 200 || status >= 300))
      return { kind: 'unknown', why: `${read.source} answered ${status}` };
    const current = status === 404 ? undefined : body;
    if (isAsRequested(tool, current, request.body)) return { kind: 'as_requested', read: read.source };
    // What only starts a job shows its effect later.
    const same = before !== undefined && before === imageOf(current);
    if (same && !tool.poll && wouldShow(tool, current, request.body)) return { kind: 'unchanged', read: read.source };
    return { kind: 'unknown', why: `${read.source} shows neither what was asked for nor what was there before` };
  } catch (error) {
    return { kind: 'unknown', why: `${read.source} failed: ${error instanceof Error ? error.message : 'no answer'}` };
  }
}

/** The one outcome of such a write: done after all, not there, or unknown and said so. */
export function answerReadBack(
  { tool, request }: AdmittedCall,
  { reason, data, platform_message }: UnknownOutcome,
  settlement: ReadBack,
  contract: ExecutionContract,
): CallEnd {
  const subject = { tool: tool.name, platform: tool.platform };
  const sent = `${tool.platform}: ${request.method} ${request.path} was sent once and ${reason}`;
  const more = {
    ...(platform_message === undefined ? {} : { platform_message }),
    ...(data === undefined ? {} : { data }),
  };
  if (settlement.kind === 'unknown')
    return refuse('OUTCOME_UNKNOWN', subject, `${sent}; whether it took effect is unknown: ${settlement.why}`, {
      sent: true,
      ...more,
      contract,
    });
  const read_back = { read: settlement.read, found: settlement.kind };
  if (settlement.kind === 'unchanged') {
    const message = `${sent}; ${settlement.read} shows the object as it was before`;
    return refuse('NOT_APPLIED', subject, message, { sent: true, read_back, ...more, contract });
  }
  const message = `${sent}; ${settlement.read} shows the object as requested`;
  const result = { ok: true, status: 'settled_by_read', message, read_back, contract };
  return { kind: 'done', result, outcome: 'success' };
}

/** A list says nothing about the one thing that a POST to it was to create. */
function showsOneObject({ reader }: Tool, { catalog }: ObjectSources): boolean {
  return reader !== undefined && catalog.tool(reader)?.list === undefined;
}

/** One text per state of an object; what is not there has one as well. */
export function imageOf(object: unknown): string {
  return digest([object === undefined ? 'nothing' : 'object', object]);
}

/** True if every field of the request is visible and has the requested value. */
function isAsRequested(tool: Tool, current: unknown, asked: unknown): boolean {
  if (tool.method === 'DELETE') return current === undefined;
  if (current === undefined) return false;
  const fields = comparable(tool, current, asked);
  return fields.length > 0 && fields.every(({ found, value }) => found !== undefined && isSame(found, value));
}

/** True if the change would be visible: at least one visible field has another value than the request. */
function wouldShow(tool: Tool, current: unknown, asked: unknown): boolean {
  if (tool.method === 'DELETE' || current === undefined) return true;
  return comparable(tool, current, asked).some(({ found, value }) => found !== undefined && !isSame(found, value));
}

/** The requested values beside those read back. A secret cannot be read, so a value in its place does not count. */
function comparable(tool: Tool, current: unknown, asked: unknown): { value: unknown; found: unknown }[] {
  const secrets = new Set(tool.secrets);
  return leavesOf(asked).map(({ path, value }) => {
    const name = path.at(-1) ?? '';
    return { value, found: secrets.has(name) || isSecretName(name) ? undefined : at(current, path) };
  });
}

interface Leaf {
  path: string[];
  value: unknown;
}

function leavesOf(value: unknown, path: string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return path.length > 0 ? [{ path, value }] : [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const step of path)
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
  return found;
}

/** Platforms give numbers back as text and names in the letter case they like. */
function isSame(found: unknown, asked: unknown): boolean {
  const plain = (value: unknown) =>
    typeof value === 'object' ? canonicalJson(value).toLowerCase() : String(value).toLowerCase();
  return plain(found) === plain(asked);
}
