/**
 * Several calls in one. Each goes through dispatch by itself, so each meets its own gate, budget, preview and
 * confirmation, and is counted by itself. A person is asked once, before the first call is made, about the list of all
 * writes of the batch; the yes is bound to the digest of that list, and each write is sent only if it is one of them.
 */
import { RouterError } from '../errors.ts';
import { type Call, isApply, type LocalToolContext, type Result, type WholeResult } from './dispatch-call.ts';
import type { Refused } from './envelope.ts';
import type { ExactRequest } from './exact-request.ts';

export const BATCH_LIMITS = { calls: 25, argumentBytes: 20_000, argumentDepth: 8, idLength: 100, nameLength: 200 };

/** Tools that run other tools: none of them runs another of them. */
export const BATCHES: ReadonlySet<string> = new Set(['invoke_read_tool_batch', 'invoke_tools_batch']);

/** Tools that ask the person about many writes at once: a batch of them would be one question about things nobody can read. */
const ALONE: ReadonlySet<string> = new Set(['legacy_apply_migration_run', 'legacy_execute_migration_rollback']);

export interface BatchCall {
  id?: string;
  name: string;
  arguments?: Record<string, unknown>;
  cursor?: string;
}

export interface BatchRules {
  dispatcher: Call['dispatcher'];
  onError: 'stop' | 'continue';
  maxBytes: number;
}

/** One call of a batch as it ended. */
interface Entry {
  index: number;
  id?: string;
  tool: string;
  ok: boolean;
  result?: unknown;
  refusal?: Refused['refusal'];
  /** In place of a result that was too much. */
  left_out?: { bytes: number; hint: string };
}

const LEFT_OUT = 'the batch is over its byte budget: make this call by itself, or ask for less';
/** A call whose end is not known is made again, so a write that was sent and a refusal are told in short. */
const APPLIED =
  'the batch is over its byte budget: this write was carried out, so do not make the call again; its contract says how to see what it did';
const REFUSED = 'the batch is over its byte budget: what the platform said is left out';
/** The bytes of an answer stand beside it, and a batch has one answer. */
const NO_BYTES = 'a batch carries no bytes: make this call by itself';
const NO_BYTES_OF_WRITE = 'a batch carries no bytes; this write was carried out, so do not make the call again';
const ROOM_FOR_FRAME = 2_000;

export async function runBatch(
  calls: readonly BatchCall[],
  context: LocalToolContext,
  rules: BatchRules,
): Promise<WholeResult['result']> {
  calls.forEach((call, index) => {
    checkCall(call, index, calls);
  });
  const inner = calls.map((call): Call => innerCall(call, context, rules));
  const requests: ExactRequest[] = [];
  for (const call of inner) {
    const request = await context.requestOf(call);
    if (request) requests.push(request);
  }
  const about = `A batch of ${calls.length} calls, ${requests.length} of them writes`;
  const approver = (await context.askAbout({ about, requests })) ?? context.call.approver;
  if ('kind' in approver) return approver;
  const entries: Entry[] = [];
  let halted = false;
  let left = rules.maxBytes - ROOM_FOR_FRAME;
  for (const [index, call] of inner.entries()) {
    const result = await context.invoke({ ...call, approver: approver });
    const applies = isApply(call);
    const entry = fitted(entryOf(calls[index] as BatchCall, index, withoutBytes(result, applies)), left, applies);
    left -= bytesOf(entry);
    entries.push(entry);
    await context.call.progress?.(entries.length, inner.length, entry.tool);
    if (!entry.ok && rules.onError === 'stop') {
      halted = index + 1 < calls.length;
      break;
    }
  }
  return settled(calls, entries, halted);
}

function checkCall(call: BatchCall, index: number, calls: readonly BatchCall[]): void {
  const wrong = (field: string, expected: string, got: string) => {
    const pointer = `/calls/${index}/${field}`;
    const details = { pointer, expected, got };
    return new RouterError('ARGUMENTS_INVALID', `\`${pointer}\` ${expected}, got ${got}`, { details });
  };
  if (BATCHES.has(call.name)) throw wrong('name', 'should not be a batch, because a batch holds no batch', call.name);
  if (ALONE.has(call.name)) throw wrong('name', 'should be called by itself, because it makes many writes', call.name);
  if (call.id !== undefined && calls.findIndex(({ id }) => id === call.id) < index)
    throw wrong('id', 'should be the only one in the batch', JSON.stringify(call.id));
  const bytes = Buffer.byteLength(JSON.stringify(call.arguments ?? {}));
  if (bytes > BATCH_LIMITS.argumentBytes)
    throw wrong('arguments', `should be at most ${BATCH_LIMITS.argumentBytes} bytes`, `${bytes}`);
  const depth = depthOf(call.arguments ?? {});
  if (depth > BATCH_LIMITS.argumentDepth)
    throw wrong('arguments', `should be at most ${BATCH_LIMITS.argumentDepth} levels deep`, `${depth}`);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function innerCall(call: BatchCall, { call: outer }: LocalToolContext, { dispatcher }: BatchRules): Call {
  return {
    dispatcher,
    name: call.name,
    arguments: call.arguments ?? {},
    principal: outer.principal,
    approver: outer.approver,
    ...(call.cursor === undefined ? {} : { cursor: call.cursor }),
    ...(outer.signal ? { signal: outer.signal } : {}),
    ...(outer.request === undefined ? {} : { request: outer.request }),
    // Its waits go to the log alone: progress of the batch counts calls.
    ...(outer.log ? { log: outer.log } : {}),
  };
}

function entryOf({ id, name }: BatchCall, index: number, result: Result): Entry {
  const entry = { index, ...(id === undefined ? {} : { id }), tool: name };
  if (result.kind === 'done') return { ...entry, ok: result.outcome === 'success', result: result.result };
  if (result.kind === 'refused') return { ...entry, ok: false, refusal: result.refusal };
  throw new RouterError('INTERNAL', `call ${index} of a batch asked the person a second time`);
}

function withoutBytes(result: Result, applies: boolean): Result {
  if (result.kind !== 'done' || result.blob === undefined) return result;
  const { blob: _, ...end } = result;
  const { resource: __, ...described } = result.result as Record<string, unknown>;
  return { ...end, result: { ...described, left_out: applies ? NO_BYTES_OF_WRITE : NO_BYTES } };
}

function fitted(entry: Entry, left: number, applies: boolean): Entry {
  const bytes = bytesOf(entry);
  if (bytes <= left) return entry;
  const { result, refusal, ...rest } = entry;
  if (refusal !== undefined) {
    const { data: _, platform_message: __, ...short } = refusal;
    return { ...rest, refusal: short, left_out: { bytes, hint: REFUSED } };
  }
  const applied = applies ? appliedPart(result) : undefined;
  if (applied) return { ...rest, result: applied, left_out: { bytes, hint: APPLIED } };
  return { ...rest, left_out: { bytes, hint: LEFT_OUT } };
}

/** Of the answer of a write that was sent: what it came to, and the calls that show it. */
function appliedPart(result: unknown): object | undefined {
  const { contract, poll, failed_parts } = (result ?? {}) as Record<string, unknown>;
  if (contract === undefined) return undefined;
  return { contract, ...(poll === undefined ? {} : { poll }), ...(failed_parts === undefined ? {} : { failed_parts }) };
}

const bytesOf = (entry: Entry): number => Buffer.byteLength(JSON.stringify(entry));

function settled(calls: readonly BatchCall[], results: readonly Entry[], halted: boolean): Result {
  const failed = results.filter(({ ok }) => !ok);
  const ok = failed.length === 0;
  const reply = {
    ok,
    results,
    counts: { total: calls.length, succeeded: results.length - failed.length, failed: failed.length },
    failed_indexes: failed.map(({ index }) => index),
    failed_ids: failed.flatMap(({ id }) => (id === undefined ? [] : [id])),
    ...(halted
      ? { halted: true, not_run: calls.slice(results.length).map(({ id }, i) => id ?? results.length + i) }
      : {}),
    truncated: results.some(({ left_out }) => left_out !== undefined),
  };
  return { kind: 'done', result: reply, outcome: ok ? 'success' : 'error' };
}
