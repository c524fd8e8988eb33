/**
 * The loopback address where an agent finds its model. The agent's client speaks the same protocol to a live endpoint
 * and to a stored run. The proxy records every message, so the evidence is the harness's own.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { BUDGET_EXHAUSTED } from '../agents/llm/chat.ts';
import type { ModelRequest, ModelTranscript } from '../recording/transcript.ts';
import { openLoopback } from '../sandbox/loopback.ts';
import type { Budget } from './model-budget.ts';
import { type Notes, openNotes, type RunNotes } from './notes.ts';
import { openPlaceholders } from './placeholders.ts';
import { readCompletion } from './wire.ts';

/** One request, as it came and as it is compared and stored. */
export interface Question {
  /** Bytes of the request. */
  body: string;
  stream: boolean;
  /** Without this run's own values. */
  request: ModelRequest;
  /** Puts this run's values into a stored answer. */
  restore: <T>(value: T) => T;
  signal: AbortSignal;
}

/** Answers one run's questions, in their order. */
export interface ModelSource {
  kind: ModelTranscript['source'];
  answer: (question: Question) => Promise<Response>;
  /** Why the run cannot count, such as a request that was never stored. */
  fault?: () => string | undefined;
  /** Said in the transcript when the run has ended. */
  divergences?: () => string[];
}

export interface ModelSession {
  url: string;
  /** No more questions are answered; what was asked, or undefined when nothing was. */
  end: () => ModelTranscript | undefined;
}

export interface ModelSessionOptions {
  source: ModelSource;
  run: number;
  secrets: Record<string, string>;
  /** Fields of tool results whose values are drawn at random. */
  opaque: readonly string[];
  /** `host:port` of the platforms in this run. */
  platformsAt: string;
  /** Checked before each request; without it nothing ends a run. */
  budget?: Budget;
  notes?: RunNotes;
}

export interface ModelProxy extends AsyncDisposable {
  open: (options: ModelSessionOptions) => ModelSession;
  close: () => Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const PATH = '/chat/completions';

export async function openModelProxy(): Promise<ModelProxy> {
  const sessions = new Map<string, Handler>();
  const server = createServer((request, response) => {
    const handler = request.method === 'POST' ? sessions.get(request.url ?? '') : undefined;
    if (handler === undefined) {
      response.writeHead(404).end();
      return;
    }
    handler(request, response).catch(() => response.destroy());
  });
  const loopback = await openLoopback(server);
  return {
    close: loopback.close,
    [Symbol.asyncDispose]: loopback.close,
    open: (options) => {
      // Unguessable, so that an agent that outlives its run asks nothing in the next one's name.
      const base = `/${randomBytes(12).toString('hex')}/v1`;
      const notes = openNotes(options.source.kind, options.run, options.notes);
      sessions.set(`${base}${PATH}`, sessionHandler(options, notes));
      return {
        url: `${loopback.url}${base}`,
        end: () => {
          sessions.delete(`${base}${PATH}`);
          return notes.transcript(options.source.divergences?.() ?? []);
        },
      };
    },
  };
}

function sessionHandler(options: ModelSessionOptions, notes: Notes): Handler {
  const { source, secrets, opaque, platformsAt, budget } = options;
  const placeholders = openPlaceholders(secrets, opaque, platformsAt);
  return async (incoming, outgoing) => {
    const body = await text(incoming);
    const { request: sent, stream } = requestIn(body);
    const request = placeholders.hide(sent);
    notes.asked(request);
    const limit = budget?.limitReached();
    if (limit !== undefined) {
      notes.limited(limit);
      spent(limit, outgoing);
      return;
    }
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const question = { body, stream, request, restore: placeholders.restore, signal: gone.signal };
    const answer = await source.answer(question).catch((error: Error) => error);
    if (answer instanceof Error) {
      notes.failed({ status: null });
      unanswered(answer, outgoing);
      return;
    }
    const passed = await pass(answer, outgoing);
    const attempt = attemptOf(answer);
    const completion = completionIn(answer, passed);
    if (completion !== undefined) {
      budget?.charge(completion.usage);
      notes.answered({ request, streamed: stream, attempt, answer: placeholders.mask(completion) });
    } else notes.failed(answer.ok ? { ...attempt, cut: true } : attempt);
    // The note is made before the agent can go on.
    if (passed.whole) outgoing.end();
    else outgoing.destroy();
  };
}

/** What decides an answer, and how it is wanted; a setting that was not sent is not there. */
function requestIn(body: string): { request: ModelRequest; stream: boolean } {
  const sent = JSON.parse(body) as ModelRequest & { stream?: boolean };
  const { model, temperature, seed, tools = [], messages, stream = false } = sent;
  const sampling = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
  };
  return { request: { model, ...sampling, tools, messages }, stream };
}

/** 402, which no retry follows; the code tells it from an endpoint whose account is empty. */
function spent(limit: string, outgoing: ServerResponse): void {
  outgoing.writeHead(402, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ error: { message: limit, type: 'harness', code: BUDGET_EXHAUSTED } }));
}

/** 502, which the agent asks again after; the message says what happened between here and the endpoint. */
function unanswered({ message }: Error, outgoing: ServerResponse): void {
  outgoing.writeHead(502, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ error: { message: `no answer of the endpoint: ${message}`, type: 'harness' } }));
}

function attemptOf({ status, headers }: Response): { status: number; retry_after?: string } {
  const retryAfter = headers.get('retry-after');
  return { status, ...(retryAfter === null ? {} : { retry_after: retryAfter }) };
}

const completionIn = ({ ok, headers }: Response, { said, whole }: Passed): ReturnType<typeof readCompletion> =>
  ok && whole ? readCompletion(headers.get('content-type') ?? '', said) : undefined;

interface Passed {
  said: string;
  /** Whether it came to its end. */
  whole: boolean;
}

/** Sends an answer on as it comes. An answer that breaks off breaks off here too. */
async function pass(answer: Response, outgoing: ServerResponse): Promise<Passed> {
  const headers = ['content-type', 'retry-after'].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  outgoing.writeHead(answer.status, Object.fromEntries(headers));
  const decoder = new TextDecoder();
  let said = '';
  try {
    for await (const chunk of answer.body ?? []) {
      said += decoder.decode(chunk, { stream: true });
      outgoing.write(chunk);
    }
    return { said: said + decoder.decode(), whole: true };
  } catch {
    return { said, whole: false };
  }
}
