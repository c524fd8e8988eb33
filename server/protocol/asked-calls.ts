/**
 * Calls of one connection that wait for a person's answer. On 2025-11-25 connections the library pushes each question and
 * holds its call until the answer. Where none comes, the call is answered with a refusal, and nothing is sent. On later
 * connections nothing is held, and this changes nothing.
 */
import { type RequestId, SdkError, SdkErrorCode, type Server } from '@modelcontextprotocol/server';
import { refuse } from '../dispatch/envelope.ts';
import type { OpenQuestion, OpenQuestions } from '../dispatch/open-questions.ts';
import type { ToolAnswer } from '../tools/public/public-tool.ts';

/** Why no answer came: `too many` questions are open, nobody was there `in time`, or the client could not ask. */
export type NoAnswer = { kind: 'too many' } | { kind: 'not in time' } | { kind: 'not asked'; why: string };

export interface AskedCalls {
  /** The call with this request id is about to ask. */
  begins: (id: RequestId, principal: string) => void;
  /** Why its question ended without an answer; told once. */
  endOf: (id: RequestId) => NoAnswer | undefined;
}

/** A call that waits for answers: how many questions of it are open, and what ends them early. */
type AskedCall = OpenQuestion & { ended: AbortController; end: (why: NoAnswer) => void; left: number };

type Push = (
  request: { method: string; params?: { mode?: unknown } },
  options?: { relatedRequestId?: RequestId; signal?: AbortSignal },
) => Promise<unknown>;

const MOST_IDS = 1_000;
const LONGEST_REASON = 200;

export function askedCalls(server: Server, questions: OpenQuestions): AskedCalls {
  const calls = new Map<RequestId, AskedCall>();
  const ends = new Map<RequestId, NoAnswer>();
  const push = server.request.bind(server) as unknown as Push;
  const forget = (call: AskedCall, id: RequestId) => {
    questions.remove(call);
    // The client may have used the id again.
    if (calls.get(id) === call) calls.delete(id);
  };
  const ask: Push = async (request, options) => {
    const id = request.method === 'elicitation/create' ? options?.relatedRequestId : undefined;
    const call = id === undefined ? undefined : calls.get(id);
    return id === undefined || call === undefined ? push(request, options) : askFor(call, id, request, options);
  };
  const askFor = async (call: AskedCall, id: RequestId, ...[request, options]: Parameters<Push>) => {
    if (call.left === 0) questions.add(call);
    call.left += 1;
    const signals = [call.ended.signal, ...(options?.signal ? [options.signal] : [])];
    try {
      return await push(request, { ...options, signal: AbortSignal.any(signals) });
    } catch (error) {
      // The client ended the call itself, and expects no answer.
      if (options?.signal?.aborted && !call.ended.signal.aborted) throw error;
      return unanswered(call, request, error);
    } finally {
      call.left -= 1;
      if (call.left === 0) forget(call, id);
    }
  };
  server.request = ask as unknown as Server['request'];
  return {
    begins: (id, principal) => {
      const ended = new AbortController();
      const end = (why: NoAnswer) => {
        if (ended.signal.aborted) return;
        bounded(ends).set(id, why);
        ended.abort();
      };
      const drop = () => end({ kind: 'too many' });
      bounded(calls).set(id, { session: server, principal, drop, end, ended, left: 0 });
    },
    endOf: (id) => {
      const end = ends.get(id);
      ends.delete(id);
      return end;
    },
  };
}

/** What stands in the place of the answer that did not come. */
function unanswered(call: AskedCall, { params }: Parameters<Push>[0], error: unknown): { action: string } {
  // The question stays with the operators, whether or not the client opened its page.
  if (params?.mode === 'url') return { action: 'accept' };
  call.end(endFrom(error));
  return { action: 'cancel' };
}

function endFrom(error: unknown): NoAnswer {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: 'not in time' };
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'not asked', why: why.slice(0, LONGEST_REASON) };
}

/** What the call of this tool gets in place of its answer. */
export function refusedUnanswered(tool: string, end: NoAnswer): Exclude<ToolAnswer, { kind: 'ask' }> {
  const code = end.kind === 'not asked' ? 'CONFIRMATION_UNAVAILABLE' : 'CANCELLED';
  const { refusal } = refuse(code, { tool, platform: null }, messageOf(end));
  return { kind: 'texts', texts: [JSON.stringify(refusal)], isError: true };
}

function messageOf(end: NoAnswer): string {
  if (end.kind === 'too many')
    return 'too many questions are open: this one was the oldest and nobody had answered it, so it was withdrawn. Nothing was sent.';
  if (end.kind === 'not in time') return 'nobody answered the question in time, so it was withdrawn. Nothing was sent.';
  return `this needs a person's confirmation, and the client could not ask: it answered ${JSON.stringify(end.why)}. Nothing was sent.`;
}

/** Entries of calls that ended in another way are let go, oldest first. */
function bounded<T>(ids: Map<RequestId, T>): Map<RequestId, T> {
  if (ids.size > MOST_IDS) ids.delete(ids.keys().next().value as RequestId);
  return ids;
}
