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
import { envelopedObject } from './enveloped-object.ts';
import { leftOut } from './impact.ts';
import { at, leavesOf } from './leaves.ts';
import { type ObjectSources, objectRead, writableNames } from './object-read.ts';
import type { TargetRead } from './write-target.ts';

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
 * Reads the object back. `target` is what was read of it before the sending. `until` is the deadline, as a time of
 * `performance.now()`. Never throws: after a failed read the outcome stays unknown.
 */
export async function resolveOutcome(
  admitted: AdmittedCall,
  sources: ObjectSources,
  target: TargetRead,
  until: number,
): Promise<ReadBack> {
  const read = objectRead(admitted, sources);
  const { tool, call } = admitted;
  if (typeof read === 'string' || !showsOneObject(tool, sources))
    return { kind: 'unknown', why: 'no operation reads this object back' };
  if (call.signal?.aborted) return { kind: 'unknown', why: 'the call was cancelled before it could be read back' };
  try {
    const { status, body } = await read.send(until);
    if (status !== 404 && (status < 200 || status >= 300))
      return { kind: 'unknown', why: `${read.source} answered ${status}` };
    const current = status === 404 ? undefined : body;
    const shown = shownBy(current, admitted, beforeOf(target), sources);
    if (shown !== undefined) return { kind: shown, read: read.source };
    return { kind: 'unknown', why: `${read.source} does not show for certain whether it is as asked for or as before` };
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
function imageOf(object: unknown): string {
  return digest([object === undefined ? 'nothing' : 'object', object]);
}

/** What the answer of the read tells of the write: its object is compared as the preview compared it, inside of an envelope. */
function shownBy(answer: unknown, { tool, request }: AdmittedCall, before: Before, sources: ObjectSources): Shown {
  const writable = writableNames(tool, sources);
  const inside = (shown: unknown) => envelopedObject(tool, shown, request.body, writable);
  const [now, then] = [inside(answer), before && inside(before.object)];
  if (now.kind === 'unsure' || then?.kind === 'unsure') return undefined;
  return shownIn(now.object, { tool, body: request.body, writable }, then);
}

interface Written {
  tool: Tool;
  body: unknown;
  writable: ReadonlySet<string> | undefined;
}

function shownIn(object: unknown, { tool, body, writable }: Written, before: Before): Shown {
  const same = before !== undefined && imageOf(before.object) === imageOf(object);
  if (tool.method === 'DELETE') return object === undefined ? 'as_requested' : same ? 'unchanged' : undefined;
  const fields = comparable(tool, body, object, before);
  const done = fields.length > 0 && fields.every((field) => isDone(field, before));
  const kept = tool.method === 'PUT' && tool.body !== null && keepsLeftOut(object, body, before, writable);
  if (done && (!kept || fields.some(({ found, was }) => before !== undefined && !isSame(found, was))))
    return 'as_requested';
  const visible = object === undefined || kept || fields.some(({ found, asked }) => !isAlike(found, asked));
  // What only starts a job shows its effect later.
  return same && visible && !tool.poll ? 'unchanged' : undefined;
}

type Shown = 'as_requested' | 'unchanged' | undefined;

/** The object as the preview and the sending saw it; undefined where it could not be read. */
type Before = { object: unknown } | undefined;

function beforeOf(target: TargetRead): Before {
  if (target.kind === 'missing') return { object: undefined };
  return target.kind === 'found' ? target : undefined;
}

interface Field {
  asked: unknown;
  /** Undefined where it cannot be told. */
  found: unknown;
  was: unknown;
}

/** The requested values beside those read back. A secret cannot be read, so a value in its place does not count. */
function comparable(tool: Tool, body: unknown, object: unknown, before: Before): Field[] {
  const secrets = new Set(tool.secrets);
  return leavesOf(body).map(({ path, value }) => {
    const name = path.at(-1) ?? '';
    const isHidden = secrets.has(name) || isSecretName(name);
    return { asked: value, found: isHidden ? undefined : at(object, path), was: at(before?.object, path) };
  });
}

/** Platforms give names back in the letter case they like; another case that was there before tells nothing. */
const isDone = ({ asked, found, was }: Field, before: Before): boolean =>
  found !== undefined &&
  (isSame(found, asked) || (before !== undefined && isAlike(found, asked) && !isSame(found, was)));

/** Whether the object still has what the replacement leaves out. */
function keepsLeftOut(
  object: unknown,
  body: unknown,
  before: Before,
  fields: ReadonlySet<string> | undefined,
): boolean {
  return leftOut(before === undefined ? object : before.object, body, fields).some(({ path, value }) =>
    isSame(at(object, path), value),
  );
}

/** Platforms give numbers back as text. */
const plain = (value: unknown): string => (typeof value === 'object' ? canonicalJson(value) : String(value));
const isSame = (found: unknown, asked: unknown): boolean => plain(found) === plain(asked);
const isAlike = (found: unknown, asked: unknown): boolean =>
  found === undefined || plain(found).toLowerCase() === plain(asked).toLowerCase();
