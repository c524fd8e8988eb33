/** Asks the model once per decision: fixed settings and our own retries. The harness ends the run when a budget is spent. */
import { setTimeout as sleep } from 'node:timers/promises';
import type OpenAI from 'openai';
import type { ModelSettings } from '../mcp/agent.ts';
import { type Completion, completionOf } from './chat-completion.ts';
import type { FunctionTool } from './functions.ts';
import { type Failure, MAX_ATTEMPTS, waitBefore } from './model-retry.ts';

export type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam;

export type Asked = { kind: 'decision'; completion: Completion } | { kind: 'spent'; limit: string };

export interface Chat {
  ask: (messages: readonly ChatMessage[], tools: readonly FunctionTool[]) => Promise<Asked>;
  /** Attempts beyond the first, over all decisions. */
  readonly retries: number;
}

interface ChatOptions {
  wait?: (ms: number) => Promise<unknown>;
  now?: () => number;
  /** Milliseconds that the run has from now on. */
  limitMs?: number;
}

const SHORTEST_MS = 120_000;
/** `fetch` waits no longer for the beginning of an answer. */
const LONGEST_MS = 300_000;

/** Milliseconds of one request: as many attempts as there are for a failure fit into a run that is long enough. */
export const requestTimeout = (limitMs: number): number =>
  Math.min(Math.max(SHORTEST_MS, Math.ceil(limitMs / MAX_ATTEMPTS)), LONGEST_MS);

/** The library is loaded here and not at the top: every other agent starts without it. */
export async function openChat(settings: ModelSettings, options: ChatOptions = {}): Promise<Chat> {
  const { wait = sleep, now = Date.now, limitMs = Number.POSITIVE_INFINITY } = options;
  const ends = now() + limitMs;
  const { default: Client } = await import('openai');
  // The model proxy holds the key; the library insists on one.
  const client = new Client({ baseURL: settings.url, apiKey: 'none', maxRetries: 0, timeout: requestTimeout(limitMs) });
  let retries = 0;
  return {
    get retries() {
      return retries;
    },
    ask: async (messages, tools) => {
      for (let attempt = 1; ; attempt++) {
        const answer = await once(client, settings, messages, tools);
        if ('completion' in answer) return { kind: 'decision', completion: answer.completion };
        if (answer.failure.spent !== undefined) return { kind: 'spent', limit: answer.failure.spent };
        const ms = waitBefore(attempt, answer.failure, now, ends - now());
        if (ms === undefined) throw new Error(refusal(attempt, answer.failure));
        retries++;
        await wait(ms);
      }
    },
  };
}

function refusal(attempt: number, { status, retryAfter, message }: Failure): string {
  const asked = retryAfter === undefined ? '' : `, Retry-After ${retryAfter}`;
  return `the model should answer in the time of the run, got ${status ?? 'no answer'} at attempt ${attempt}${asked}: ${message}`;
}

async function once(
  client: OpenAI,
  { name, temperature, seed, stream }: ModelSettings,
  messages: readonly ChatMessage[],
  tools: readonly FunctionTool[],
): Promise<{ completion: Completion } | { failure: Failure }> {
  const request = {
    model: name,
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    messages: [...messages],
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
  };
  const pieces: unknown[] = [];
  try {
    if (stream) {
      const answer = await client.chat.completions.create({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      });
      for await (const piece of answer) pieces.push(piece);
    } else {
      pieces.push(await client.chat.completions.create(request));
    }
  } catch (error) {
    return { failure: failureOf(error) };
  }
  const completion = completionOf(pieces);
  return completion === undefined ? { failure: { status: undefined, message: insteadOf(pieces) } } : { completion };
}

const LONGEST = 300;

/** What came in place of a completion: some gateways report an error, or send a page, with status 200. */
function insteadOf(pieces: readonly unknown[]): string {
  const errors = pieces.map((piece) => (piece as { error?: string | { message?: string } } | null)?.error);
  const error = errors.find((one) => one !== undefined && one !== null);
  const said = [typeof error === 'object' ? error.message : error, pieces[0]].find((one) => typeof one === 'string');
  return said === undefined ? 'the answer was cut off' : `the answer is no completion: ${said.slice(0, LONGEST)}`;
}

interface Refusal {
  status?: number;
  headers?: Headers;
  message?: string;
  code?: string | null;
  /** What the endpoint sent. */
  error?: { message?: string };
}

/** Of the model proxy, which keeps the budgets. */
export const BUDGET_EXHAUSTED = 'harness_budget_exhausted';

/** By shape and not by class: a stream that breaks throws whatever the socket threw. */
function failureOf(error: unknown): Failure {
  const { status, headers, message, code, error: said } = error as Refusal;
  const cause = (error as { cause?: { message?: string } }).cause?.message;
  return {
    status,
    retryAfter: headers?.get('retry-after') ?? undefined,
    code: code ?? undefined,
    message: [message ?? String(error), ...(cause === undefined ? [] : [cause])].join(': '),
    ...(code === BUDGET_EXHAUSTED ? { spent: said?.message ?? 'a budget of the run' } : {}),
  };
}
