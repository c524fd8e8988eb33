/** What a model proxy writes down about one run: each answer with the attempts it took, and the attempts that nothing answered. */
import { isDeepStrictEqual } from 'node:util';
import type { Completion } from '../agents/llm/chat-completion.ts';
import {
  type Attempt,
  type Exchange,
  keyOf,
  type ModelRequest,
  type ModelTranscript,
} from '../recording/transcript.ts';

export interface Notes {
  /** Before anything else is noted of a request. */
  asked: (request: ModelRequest) => void;
  answered: (note: { request: ModelRequest; streamed: boolean; attempt: Attempt; answer: Completion }) => void;
  failed: (attempt: Attempt) => void;
  /** The first one stays. */
  limited: (limit: string) => void;
  /** undefined when nothing was asked. */
  transcript: (divergences: string[]) => ModelTranscript | undefined;
}

/** What the harness knows of a run's requests beside their text. */
export type RunNotes = Pick<ModelTranscript, 'prompt' | 'extra_body'>;

export function openNotes(source: ModelTranscript['source'], run: number, known: RunNotes = {}): Notes {
  const exchanges: Exchange[] = [];
  let attempts: Attempt[] = [];
  let common: ModelTranscript['request'] | undefined;
  let before: unknown[] = [];
  let limit: string | undefined;
  return {
    asked: ({ messages: _, ...rest }) => {
      common ??= rest;
      if (!isDeepStrictEqual(common, rest)) throw new Error('the settings of a run should stay the same');
    },
    limited: (reached) => {
      limit ??= reached;
    },
    failed: (attempt) => {
      attempts.push(attempt);
    },
    answered: ({ request, streamed, attempt, answer }) => {
      const { messages } = request;
      const kept = commonLength(before, messages);
      exchanges.push({
        key: keyOf(request, run),
        kept,
        messages: messages.slice(kept),
        attempts: [...attempts, attempt],
        streamed,
        answer,
      });
      attempts = [];
      before = messages;
    },
    transcript: (divergences) => {
      if (common === undefined) return undefined;
      const { seed } = common;
      const honoured = exchanges.length > 0 && exchanges.every((exchange) => exchange.answer.seed === seed);
      return {
        version: 1,
        source,
        request: common,
        seed_honoured: seed === undefined ? 'not sent' : honoured ? 'yes' : 'unknown',
        ...known,
        ...(limit === undefined ? {} : { limit }),
        exchanges,
        unanswered: attempts,
        divergences,
      };
    },
  };
}

function commonLength(a: readonly unknown[], b: readonly unknown[]): number {
  let n = 0;
  while (n < a.length && n < b.length && isDeepStrictEqual(a[n], b[n])) n++;
  return n;
}
