/**
 * A stored run in place of an endpoint. Strict: each request must be one that was stored, which proves that the stored
 * run can be made again. Decisions: the model's answers come in their stored order whatever was asked, tools run
 * live, and each request that differs is reported.
 */
import { type Exchange, keyOf, type ModelRequest, type ModelTranscript, requestsOf } from '../recording/transcript.ts';
import { describeDifference, firstDifference } from './difference.ts';
import type { ModelSource, Question } from './model-proxy.ts';
import { writeCompletion } from './wire.ts';

export const STRENGTHS = ['strict', 'decisions'] as const;
export type Strength = (typeof STRENGTHS)[number];

export function replaySource(stored: ModelTranscript, run: number, strength: Strength): ModelSource {
  return strength === 'strict' ? strictSource(stored, run) : decisionsSource(stored, run);
}

function strictSource(stored: ModelTranscript, run: number): ModelSource {
  const waiting = new Map(stored.exchanges.map((exchange) => [exchange.key, exchange]));
  let miss: string | undefined;
  return {
    kind: 'replay-strict',
    answer: async (question) => {
      const key = keyOf(question.request, run);
      const exchange = waiting.get(key);
      waiting.delete(key);
      if (exchange !== undefined) return answered(exchange, question);
      if (waiting.size === 0 && endedUnanswered(stored)) return refused('the stored run got no answer here either');
      miss ??= missed(stored, question.request);
      return refused(miss);
    },
    fault: () => miss ?? unused(stored, stored.exchanges.length - waiting.size),
  };
}

function decisionsSource(stored: ModelTranscript, run: number): ModelSource {
  const requests = requestsOf(stored);
  const divergences: string[] = [];
  let asked = 0;
  let miss: string | undefined;
  return {
    kind: 'replay-decisions',
    answer: async (question) => {
      const exchange = stored.exchanges[asked];
      const before = requests[asked];
      asked++;
      if (exchange === undefined) {
        if (endedUnanswered(stored)) return refused('the stored run got no answer here either');
        miss = `request ${asked}: only ${stored.exchanges.length} decisions are stored`;
        return refused(miss);
      }
      if (exchange.key !== keyOf(question.request, run)) {
        const difference = firstDifference(before, question.request);
        divergences.push(
          `request ${asked}: ${difference === undefined ? 'another run index' : describeDifference(difference)}`,
        );
      }
      return answered(exchange, question);
    },
    fault: () => miss,
    divergences: () => {
      const rest = unused(stored, asked);
      return rest === undefined ? divergences : [...divergences, rest];
    },
  };
}

function answered(exchange: Exchange, { stream, restore }: Question): Response {
  const { contentType, pieces } = writeCompletion(restore(exchange.answer), stream);
  return new Response(pieces.join(''), { headers: { 'content-type': contentType } });
}

const endedUnanswered = ({ unanswered }: ModelTranscript): boolean => unanswered.length > 0;

/** Not to be asked again: a status that no retry follows. */
const refused = (message: string): Response =>
  Response.json({ error: { message, type: 'replay_miss', code: 'replay_miss' } }, { status: 409 });

const unused = (stored: ModelTranscript, asked: number): string | undefined =>
  asked >= stored.exchanges.length
    ? undefined
    : `${stored.exchanges.length - asked} of ${stored.exchanges.length} stored decisions were not asked for`;

/** Against the stored request that shares most with it: the longest common beginning, the later on a tie. */
function missed(stored: ModelTranscript, live: ModelRequest): string {
  const requests = requestsOf(stored);
  const shares = requests.map((request) => sharedWith(request, live));
  const nearest = shares.lastIndexOf(Math.max(...shares));
  const request = requests[nearest];
  if (request === undefined) return 'no request is stored';
  const difference = firstDifference(request, live);
  const reason = difference === undefined ? 'another run index, or asked twice' : describeDifference(difference);
  return `nearest is request ${nearest + 1} of ${requests.length}: ${reason}`;
}

function sharedWith(stored: ModelRequest, live: ModelRequest): number {
  let shared = 0;
  while (
    shared < Math.min(stored.messages.length, live.messages.length) &&
    firstDifference(stored.messages[shared], live.messages[shared]) === undefined
  ) {
    shared++;
  }
  // Of two with the same beginning, the one of the same length is nearer.
  return shared + (stored.messages.length === live.messages.length ? 0.5 : 0);
}
