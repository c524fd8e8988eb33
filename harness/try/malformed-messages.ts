/**
 * Messages that break JSON, JSON-RPC 2.0 or the protocol, drawn by a seed, and what a server does with them. Right is an error
 * answer with the message's id, or silence where the message has none; wrong is a result, or the end of the process.
 */
import type { RunningProcess } from '../running-process.ts';
import { seededRandom, seedFor } from '../statistics/stats.ts';

export interface Malformed {
  kind: string;
  text: string;
  /** The id that an answer has to carry; undefined where none is due. */
  id?: number;
}

const TEXTS = [
  '',
  ' ',
  'null',
  '\u0000',
  '../../etc/passwd',
  '𝕏'.repeat(50),
  'a'.repeat(5_000),
  '{{7*7}}',
  '-1',
  '1e999',
];

type Maker = (id: number, pick: <T>(values: readonly T[]) => T) => Malformed;

const rpc = (id: number, message: object): { text: string; id: number } => ({
  text: JSON.stringify({ jsonrpc: '2.0', id, ...message }),
  id,
});
const call = (id: number, params: unknown) => rpc(id, { method: 'tools/call', params });

/** One maker a kind. A message with an id must be answered by an error. */
const MAKERS: readonly Maker[] = [
  (id) => ({ kind: 'cut JSON', text: `{"jsonrpc":"2.0","id":${id},"method":"tools/li` }),
  (_, pick) => ({
    kind: 'no JSON',
    text: pick(['hello', '<html></html>', 'undefined', '[1,', "{'a':1}", '\u0001\u0002']),
  }),
  (_, pick) => ({ kind: 'no object', text: pick(['1', '"text"', 'true', 'null', '[]', '[[]]', '[1,2]']) }),
  (id) => ({ kind: 'no version', text: JSON.stringify({ id, method: 'tools/list' }) }),
  (id, pick) => ({
    kind: 'other version',
    text: JSON.stringify({ jsonrpc: pick(['1.0', 2, null, '3']), id, method: 'ping' }),
  }),
  (id, pick) => ({
    kind: 'unknown method',
    ...rpc(id, { method: pick(['tools/none', 'TOOLS/LIST', '__proto__', 'a/b/c', 'x']) }),
  }),
  (id) => ({ kind: 'empty method', ...rpc(id, { method: '' }) }),
  (_, pick) => ({
    kind: 'method of another type',
    text: JSON.stringify({ jsonrpc: '2.0', id: 1e6, method: pick([1, null, {}, []]) }),
  }),
  (id, pick) => ({
    kind: 'unknown tool',
    ...call(id, { name: pick(['no_such_tool', '__proto__', 'constructor', ...TEXTS]), arguments: {} }),
  }),
  (id) => ({ kind: 'call without a name', ...call(id, { arguments: {} }) }),
  (id, pick) => ({ kind: 'name of another type', ...call(id, { name: pick([1, null, {}, ['x']]), arguments: {} }) }),
  (id, pick) => ({
    kind: 'arguments of another type',
    ...call(id, { name: 'no_such_tool', arguments: pick(['x', 1, [1]]) }),
  }),
  (id, pick) => ({
    kind: 'params of another type',
    text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: pick(['x', 7, true]) }),
  }),
  (_, pick) => ({
    kind: 'id of another type',
    text: JSON.stringify({ jsonrpc: '2.0', id: pick([{}, [], true]), method: 'ping' }),
  }),
  (_, pick) => ({
    kind: 'answer to nothing',
    text: JSON.stringify({ jsonrpc: '2.0', id: pick([-1, 99_999, 'x']), result: {} }),
  }),
  (_, pick) => ({
    kind: 'unknown notification',
    text: JSON.stringify({ jsonrpc: '2.0', method: pick(['notifications/none', 'x', '']) }),
  }),
  (id) => ({ kind: 'nested deeply', ...call(id, { name: 'no_such_tool', arguments: nested(500) }) }),
  (id) => ({ kind: 'large', ...call(id, { name: 'no_such_tool', arguments: { text: 'x'.repeat(200_000) } }) }),
];

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
}

const FIRST_ID = 1_000;

export function malformedMessages(count: number, seed: number): Malformed[] {
  return Array.from({ length: count }, (_, at) => {
    const random = seededRandom(seedFor(seed, 'malformed', String(at)));
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    return (MAKERS[at % MAKERS.length] as Maker)(FIRST_ID + at, pick);
  });
}

export interface MalformedResult {
  sent: number;
  /** Kind → messages that were answered with a result, or not at all although an answer is due. */
  wrong: Record<string, { results: number; silent: number; of: number }>;
  /** After how many messages the server was gone; null where it still answered at the end. */
  diedAfter: number | null;
}

/** What to send a message with, whatever the transport. */
export interface RawConnection extends AsyncDisposable {
  send: (text: string) => Promise<void>;
  /** Every message that came so far, parsed. */
  received: () => readonly Record<string, unknown>[];
  /** A sound request that any server answers. */
  question: (id: number) => object;
  isOpen: () => boolean;
  process?: RunningProcess;
}

const BATCH = 25;
const CHECK_ID = 999_999_000;

/** In small batches, each followed by a well-formed question, which tells that the batch was dealt with. */
export async function sendMalformed(
  raw: RawConnection,
  messages: readonly Malformed[],
  waitMs: number,
  signal?: AbortSignal,
): Promise<MalformedResult> {
  let diedAfter: number | null = null;
  for (let at = 0; at < messages.length && diedAfter === null; at += BATCH) {
    signal?.throwIfAborted();
    for (const { text } of messages.slice(at, at + BATCH)) await raw.send(text).catch(() => undefined);
    const check = CHECK_ID + at;
    await raw.send(JSON.stringify(raw.question(check))).catch(() => undefined);
    if (!(await answered(raw, check, waitMs))) diedAfter = Math.min(at + BATCH, messages.length);
  }
  const answers = new Map(raw.received().map((message) => [message['id'], message]));
  const wrong: MalformedResult['wrong'] = {};
  for (const [kind, own] of Map.groupBy(messages.slice(0, diedAfter ?? messages.length), (one) => one.kind)) {
    const due = own.filter(({ id }) => id !== undefined);
    const isResult = ({ id }: Malformed) => {
      const { result } = answers.get(id) ?? {};
      return result !== undefined && (result as { isError?: unknown }).isError !== true;
    };
    const results = due.filter(isResult).length;
    const silent = due.filter(({ id }) => answers.get(id) === undefined).length;
    if (results + silent > 0) wrong[kind] = { results, silent, of: own.length };
  }
  return { sent: diedAfter ?? messages.length, wrong, diedAfter };
}

async function answered(raw: RawConnection, id: number, waitMs: number): Promise<boolean> {
  const until = Date.now() + waitMs;
  while (Date.now() < until && raw.isOpen()) {
    if (raw.received().some((message) => message['id'] === id)) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return raw.received().some((message) => message['id'] === id);
}
