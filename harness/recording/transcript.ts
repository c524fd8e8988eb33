/**
 * What one run asked its model and what the model answered, as a recording keeps it. Conversations only grow, so each
 * exchange holds the messages that are new; the whole request comes back from those before it. Secrets are markers.
 */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { canonicalJson } from '../scenario/sorted-json.ts';

const closed = { additionalProperties: false };
const text = Type.String();
/** Providers add fields of their own, which are kept. */
const open = { additionalProperties: true };
const textOrNull = Type.Union([text, Type.Null()]);

const Completion = Type.Object(
  {
    model: Type.String({ description: 'the model that answered, in the endpoint’s words' }),
    system_fingerprint: textOrNull,
    seed: Type.Union([Type.Number(), Type.Null()], { description: 'the tokens that the endpoint reports' }),
    message: Type.Object(
      {
        role: Type.Literal('assistant'),
        content: textOrNull,
        tool_calls: Type.Optional(
          Type.Array(
            Type.Object(
              {
                id: text,
                type: Type.Literal('function'),
                function: Type.Object({ name: text, arguments: text }, closed),
              },
              open,
            ),
          ),
        ),
      },
      open,
    ),
    finish_reason: text,
    usage: Type.Union([
      Type.Object(
        { prompt_tokens: Type.Integer(), completion_tokens: Type.Integer(), total_tokens: Type.Integer() },
        closed,
      ),
      Type.Null(),
    ]),
  },
  closed,
);

const Attempt = Type.Object(
  {
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'null: no connection' }),
    retry_after: Type.Optional(text),
    cut: Type.Optional(Type.Literal(true, { description: 'the answer began and did not end' })),
  },
  closed,
);

const Exchange = Type.Object(
  {
    key: Type.String({
      pattern: '^sha256:[0-9a-f]{64}$',
      description: 'of the canonical JSON of the request and the run index',
    }),
    kept: Type.Integer({ minimum: 0, description: 'messages of the request before that open this one too' }),
    messages: Type.Array(Type.Unknown(), { description: 'the messages after those' }),
    attempts: Type.Array(Attempt, { minItems: 1, description: 'the last one was answered' }),
    streamed: Type.Boolean(),
    answer: Completion,
  },
  closed,
);

export const ModelTranscript = Type.Object(
  {
    version: Type.Literal(1),
    source: Type.Union([Type.Literal('live'), Type.Literal('replay-strict'), Type.Literal('replay-decisions')]),
    request: Type.Object(
      {
        model: text,
        temperature: Type.Optional(Type.Number()),
        seed: Type.Optional(Type.Integer()),
        tools: Type.Array(Type.Unknown()),
      },
      { ...closed, description: 'the same in every request of the run' },
    ),
    seed_honoured: Type.Union([Type.Literal('yes'), Type.Literal('unknown'), Type.Literal('not sent')], {
      description: 'yes: every answer named the seed that was sent',
    }),
    prompt: Type.Optional(
      Type.Union([Type.Literal('neutral'), Type.Literal('coaching')], {
        description: 'which system prompt the agent sent; absent in runs from before there were two: coaching',
      }),
    ),
    extra_body: Type.Optional(
      Type.Record(text, Type.Unknown(), { description: 'fields that the harness added to each request' }),
    ),
    limit: Type.Optional(Type.String({ description: 'the budget that ended the run, as the harness counted it' })),
    exchanges: Type.Array(Exchange),
    unanswered: Type.Array(Attempt, { description: 'attempts after the last answer' }),
    divergences: Type.Array(text, { description: 'where a replay of decisions found another request than the stored' }),
  },
  {
    ...closed,
    $id: 'https://svc-mcp-router.invalid/model-transcript.schema.json',
    title: 'Model transcript of one run',
  },
);

export type ModelTranscript = Static<typeof ModelTranscript>;
export type Exchange = Static<typeof Exchange>;
export type Attempt = Static<typeof Attempt>;

/** What decides an answer. Whether it is streamed does not. */
export interface ModelRequest {
  model: string;
  temperature?: number;
  seed?: number;
  tools: unknown[];
  messages: unknown[];
}

export function keyOf(request: ModelRequest, run: number): string {
  const { model, temperature, seed, tools, messages } = request;
  // What is not sent is not in the key.
  const text = canonicalJson({ model, temperature, seed, tools, messages, run });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The request of each exchange, whole again. */
export function requestsOf({ request, exchanges }: ModelTranscript): ModelRequest[] {
  let messages: unknown[] = [];
  return exchanges.map((exchange) => {
    messages = [...messages.slice(0, exchange.kept), ...exchange.messages];
    return { ...request, messages };
  });
}

/** Position of the first exchange whose key is not that of its request, or undefined. */
export function firstForged(transcript: ModelTranscript, run: number): number | undefined {
  const at = requestsOf(transcript).findIndex((request, i) => keyOf(request, run) !== transcript.exchanges[i]?.key);
  return at < 0 ? undefined : at;
}

/** What a model was asked with: runs that differ in it are different measurements. */
export interface ModelSetup {
  model: string;
  temperature: number | undefined;
  prompt: 'neutral' | 'coaching';
  extra_body: Record<string, unknown> | undefined;
}

export const setupOf = ({ request, prompt = 'coaching', extra_body }: ModelTranscript): ModelSetup => ({
  model: request.model,
  temperature: request.temperature,
  prompt,
  extra_body,
});

/** `model (a and b)` for each setting in which they differ. */
export function setupDifferences(setups: readonly ModelSetup[]): string[] {
  const fields = ['model', 'temperature', 'prompt', 'extra_body'] as const;
  return fields.flatMap((field) => {
    const values = [...new Set(setups.map((setup) => canonicalJson(setup[field] ?? null)))];
    return values.length < 2 ? [] : [`${field} (${values.slice(0, 3).join(' and ')})`];
  });
}

export interface ModelUse {
  models: string[];
  fingerprints: string[];
  requests: number;
  retries: number;
  prompt_tokens: number;
  completion_tokens: number;
}

/** What a report says of it. */
export function useOf({ exchanges, unanswered }: ModelTranscript): ModelUse {
  const answers = exchanges.map((exchange) => exchange.answer);
  // The first attempt of each request is none.
  const unansweredRetries = Math.max(0, unanswered.length - 1);
  const total = (field: 'prompt_tokens' | 'completion_tokens') =>
    answers.reduce((sum, answer) => sum + (answer.usage?.[field] ?? 0), 0);
  return {
    models: [...new Set(answers.map((answer) => answer.model))].sort(),
    fingerprints: [...new Set(answers.flatMap((answer) => answer.system_fingerprint ?? []))].sort(),
    requests: exchanges.length,
    retries: exchanges.reduce((sum, { attempts }) => sum + attempts.length - 1, unansweredRetries),
    prompt_tokens: total('prompt_tokens'),
    completion_tokens: total('completion_tokens'),
  };
}
