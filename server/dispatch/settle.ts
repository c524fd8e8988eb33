/**
 * What became of a write nobody answered for. It is not sent again: the object is read, once, and either it is as was
 * asked for, or it is not, or nobody knows. A write whose answer was lost is far more often done than not.
 */
import type { Tool } from '../catalog/tool.ts';
import { isSecretName } from '../telemetry/redact.ts';
import type { AdmittedCall } from './call.ts';
import { canonicalJson } from './canonical.ts';
import type { ExecutionContract } from './contract.ts';
import { refuse, type Settled } from './envelope.ts';
import { type ObjectSources, objectRead } from './object-read.ts';

export type Settlement =
  | { found: 'as_requested'; read: string }
  | { found: 'not_as_requested'; read: string; differs: string[] }
  | { found: 'unknown'; why: string };

/** Why nobody knows, in words that go on after "was sent once and". */
export interface Unclear {
  reason: string;
  /** What the platform said, if it said anything. */
  data?: unknown;
}

/** Answers to a write after which it may or may not have been done. */
export function isUnclear(status: number): boolean {
  return status >= 500 || status === 408;
}

const FIELDS_SHOWN = 10;

/** `until` ends it, as a time of `performance.now()`. Never throws: what cannot be read stays unknown. */
export async function settle(admitted: AdmittedCall, sources: ObjectSources, until: number): Promise<Settlement> {
  const read = objectRead(admitted, sources);
  const { tool, call, request } = admitted;
  if (typeof read === 'string' || !showsOneObject(tool, sources))
    return { found: 'unknown', why: 'no operation reads this object back' };
  if (call.signal?.aborted) return { found: 'unknown', why: 'the call was cancelled before it could be read back' };
  try {
    const { status, body } = await read.send(until);
    if (status !== 404 && (status < 200 || status >= 300))
      return { found: 'unknown', why: `${read.source} answered ${status}` };
    return compared(tool, read.source, status === 404 ? undefined : body, request.body);
  } catch (error) {
    return { found: 'unknown', why: `${read.source} failed: ${error instanceof Error ? error.message : 'no answer'}` };
  }
}

/** The one outcome of such a write: done after all, not there, or unknown and said so. */
export function answerSettlement(
  { tool, request }: AdmittedCall,
  { reason, data }: Unclear,
  settlement: Settlement,
  contract: ExecutionContract,
): Settled {
  const subject = { tool: tool.name, platform: tool.platform };
  const sent = `${tool.platform}: ${request.method} ${request.path} was sent once and ${reason}`;
  const more = data === undefined ? {} : { data };
  if (settlement.found === 'unknown')
    return refuse('OUTCOME_UNKNOWN', subject, `${sent}; whether it took effect is unknown: ${settlement.why}`, {
      sent: true,
      ...more,
    });
  const read_back = { read: settlement.read, found: settlement.found };
  if (settlement.found === 'not_as_requested') {
    const { differs } = settlement;
    const message = `${sent}; ${settlement.read} shows that it has not taken effect`;
    return refuse('NOT_APPLIED', subject, message, { sent: true, read_back: { ...read_back, differs }, ...more });
  }
  const message = `${sent}; ${settlement.read} shows the object as requested`;
  const result = { ok: true, status: 'settled_by_read', message, read_back, execution_contract: contract };
  return { kind: 'done', result, outcome: 'success' };
}

/** A list says nothing about the one thing that a POST to it was to create. */
function showsOneObject({ reader }: Tool, { catalog }: ObjectSources): boolean {
  return reader !== undefined && catalog.tool(reader)?.list === undefined;
}

function compared(tool: Tool, read: string, current: unknown, asked: unknown): Settlement {
  if (tool.method === 'DELETE')
    return current === undefined ? { found: 'as_requested', read } : { found: 'not_as_requested', read, differs: [] };
  if (current === undefined) return { found: 'not_as_requested', read, differs: [] };
  const secrets = new Set(tool.secrets);
  const differs: string[] = [];
  let equal = 0;
  let unseen = 0;
  for (const { path, value } of leavesOf(asked)) {
    const name = path.at(-1) ?? '';
    const found = at(current, path);
    if (secrets.has(name) || isSecretName(name) || found === undefined) unseen++;
    else if (isSame(found, value)) equal++;
    else differs.push(path.join('.'));
  }
  if (differs.length > 0) return { found: 'not_as_requested', read, differs: differs.slice(0, FIELDS_SHOWN) };
  if (equal > 0 && unseen === 0) return { found: 'as_requested', read };
  return {
    found: 'unknown',
    why: `${read} does not show ${equal > 0 ? 'every field' : 'any field'} that was to be set`,
  };
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
