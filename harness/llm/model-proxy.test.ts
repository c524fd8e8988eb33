import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type Chat, type ChatMessage, openChat } from '../agents/llm/chat.ts';
import { functionsOf } from '../agents/llm/functions.ts';
import type { ModelSettings } from '../agents/mcp/agent.ts';
import { withFixedAddress } from '../execution/normalised-recording.ts';
import { firstForged, ModelTranscript, requestsOf, useOf } from '../recording/transcript.ts';
import { freePort } from '../test/free-port.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { liveSource } from './live.ts';
import { type Budget, openBudget, openCampaignBudget } from './model-budget.ts';
import { type ModelSource, openModelProxy } from './model-proxy.ts';
import type { RunNotes } from './notes.ts';
import { replaySource } from './replay.ts';
import { playScripts, type Script } from './testing/script.ts';
import { type Fault, STUB_KEY, startStubEndpoint } from './testing/stub-endpoint.ts';

const TOKEN = 'drawn.at.random.0123456789';
const SECRET = 'hunter2-passphrase';
const story: Script = {
  intent: /Set (?<ssid>\w+) to (?<secret>\S+)/,
  moves: [
    ({ said }) => ({ call: 'change', arguments: { ssid: said['ssid'], psk: said['secret'] } }),
    ({ result }) => ({ call: 'change', arguments: { plan_token: (result as { plan_token: string }).plan_token } }),
    () => ({ answer: { done: true } }),
  ],
};
const tools = [{ name: 'change', description: 'changes things', inputSchema: { type: 'object' } }];

interface ProxySetup {
  chat: Chat;
  description?: string;
  planToken?: string;
  /** A value in a tool result that differs, where it must not. */
  note?: string;
}

/** An agent run with a subject that returns a random token. */
async function converse({ chat, description, planToken = TOKEN, note = 'ok' }: ProxySetup): Promise<unknown> {
  const listed = functionsOf(tools.map((tool) => ({ ...tool, description: description ?? tool.description })));
  const messages: ChatMessage[] = [{ role: 'user', content: `Set lab to ${SECRET}` }];
  const received: unknown[] = [];
  for (;;) {
    const asked = await chat.ask(messages, listed.list);
    if (asked.kind === 'spent') throw new Error(asked.limit);
    const { message } = asked.completion;
    messages.push(message);
    if (message.tool_calls === undefined) return { final: JSON.parse(message.content ?? 'null'), received };
    for (const call of message.tool_calls) {
      received.push(JSON.parse(call.function.arguments));
      const content = JSON.stringify({ plan_token: planToken, note });
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

interface Played {
  outcome: unknown;
  error: string | undefined;
  transcript: ModelTranscript | undefined;
}

interface PlaySetup {
  stream?: boolean;
  run?: number;
  budget?: Budget;
  notes?: RunNotes;
  platformsAt?: string;
}

async function play(source: ModelSource, setup: Omit<ProxySetup, 'chat'> & PlaySetup = {}): Promise<Played> {
  await using modelProxy = await openModelProxy();
  const { run = 0, stream = false, budget, notes, platformsAt = '127.0.0.1:1024' } = setup;
  const session = modelProxy.open({
    ...{ source, run, secrets: { psk: SECRET }, opaque: ['plan_token'], platformsAt },
    ...(budget && { budget }),
    ...(notes && { notes }),
  });
  const settings: ModelSettings = { url: session.url, name: 'm', temperature: 0, seed: 7, stream, prompt: 'neutral' };
  const chat = await openChat(settings, { wait: async () => {} });
  try {
    return { outcome: await converse({ chat, ...setup }), error: undefined, transcript: session.end() };
  } catch (error) {
    return { outcome: undefined, error: (error as Error).message, transcript: session.end() };
  }
}

async function live(
  options: { stream?: boolean; faults?: Record<number, Fault>; key?: string; note?: string; platformsAt?: string } = {},
) {
  await using stub = await startStubEndpoint({
    answer: playScripts([story]),
    ...(options.faults && { faults: options.faults }),
  });
  const source = liveSource({ baseUrl: stub.baseUrl, apiKey: options.key ?? STUB_KEY });
  const { stream = false, note, platformsAt } = options;
  const played = await play(source, { stream, ...(note && { note }), ...(platformsAt && { platformsAt }) });
  return { ...played, requests: stub.requests };
}

const received = [{ ssid: 'lab', psk: SECRET }, { plan_token: TOKEN }];

describe.each([
  ['whole', false],
  ['streamed', true],
])('answers that come %s', (_how, stream) => {
  test('reach the agent unchanged, and are recorded without secrets and random values', async () => {
    const { outcome, transcript, requests } = await live({ stream });
    expect(outcome).toEqual({ final: { done: true }, received });
    expect(requests).toHaveLength(3);
    const stored = JSON.stringify(transcript);
    for (const hidden of [SECRET, TOKEN, STUB_KEY]) expect(stored).not.toContain(hidden);
    expect(stored).toContain('«secret:psk»');
    expect(useOf(transcript!)).toMatchObject({
      models: ['m-2026-01-01'],
      fingerprints: ['fp_stub'],
      requests: 3,
      retries: 0,
      completion_tokens: 60,
    });
    expect(transcript).toMatchObject({ source: 'live', seed_honoured: 'yes', request: { seed: 7, model: 'm' } });
  });

  test('a request that was refused at once was not repeated', async () => {
    const { transcript } = await live({ stream, faults: { 2: { status: 400 } } });
    expect(transcript?.unanswered).toEqual([{ status: 400 }]);
    expect(useOf(transcript!)).toMatchObject({ requests: 1, retries: 0 });
  });

  test.each([
    ['429 with Retry-After', { status: 429, retryAfter: '1' }, { status: 429, retry_after: '1' }],
    ['a fault of the endpoint', { status: 503 }, { status: 503 }],
    ['no answer', { reset: true }, { status: null }],
    ['an answer whose connection breaks', { cut: 'connection' }, { status: 200, cut: true }],
    ['an answer that just stops', { cut: 'quietly' }, { status: 200, cut: true }],
  ] as [string, Fault, object][])(
    'after %s are asked for again, and the attempt is written down',
    async (_name, fault, attempt) => {
      const { outcome, transcript } = await live({ stream, faults: { 2: fault } });
      expect(outcome).toMatchObject({ final: { done: true } });
      expect(transcript?.exchanges.map((exchange) => exchange.attempts)).toEqual([
        [{ status: 200 }],
        [attempt, { status: 200 }],
        [{ status: 200 }],
      ]);
      expect(useOf(transcript!).retries).toBe(1);
    },
  );

  test('are given again from the store, whatever was drawn this time, and give the same transcript', async () => {
    const first = await live({ stream });
    const planToken = 'another.one.9876543210';
    for (const streamed of [false, true]) {
      const source = replaySource(first.transcript!, 0, 'strict');
      const again = await play(source, { planToken, stream: streamed });
      expect(again.outcome).toEqual({ final: { done: true }, received: [received[0], { plan_token: planToken }] });
      expect(source.fault?.()).toBeUndefined();
      const exchanges = (of: Played) => of.transcript?.exchanges.map(({ streamed: _, ...exchange }) => exchange);
      expect(exchanges(again)).toEqual(exchanges(first));
    }
  });
});

test('the address of the platforms in a tool result is that of all recordings, in the key as well', async () => {
  const at = (port: number) => ({ platformsAt: `127.0.0.1:${port}`, note: `127.0.0.1:${port} answered 500` });
  const { transcript } = await live(at(41234));
  expect(JSON.stringify(transcript)).not.toContain('41234');
  const stored = withFixedAddress(
    changedRecording((r) => void Object.assign(r, { model: transcript })),
    '127.0.0.1:41234',
  );
  expect(firstForged(stored.model!, 0)).toBeUndefined();
  const source = replaySource(transcript!, 0, 'strict');
  expect((await play(source, at(2048))).outcome).toEqual({ final: { done: true }, received });
  expect(source.fault?.()).toBeUndefined();
});

test('a refused key ends the run, and is in neither message nor transcript', async () => {
  const { error, transcript } = await live({ key: 'a-wrong-key-0123456789' });
  expect(error).toMatch(/got 401 at attempt 1.*«secret:api_key»/);
  expect(JSON.stringify([error, transcript])).not.toContain('a-wrong-key');
  expect(transcript).toMatchObject({ exchanges: [], unanswered: [{ status: 401 }], seed_honoured: 'unknown' });
});

describe('a budget', () => {
  const limits = { requests: 9, tokens: 1e6 };
  const prices = { input: 1_000, output: 1_000 };

  async function ended(budget: Budget) {
    await using stub = await startStubEndpoint({ answer: playScripts([story]) });
    const { error, transcript } = await play(liveSource({ baseUrl: stub.baseUrl, apiKey: STUB_KEY }), { budget });
    return { error, transcript, requests: stub.requests.length };
  }

  test.each([
    ['requests', { ...limits, requests: 1 }, /^1 of 1 requests$/],
    ['tokens', { ...limits, tokens: 1 }, /of 1 tokens$/],
    ['dollars', { ...limits, usd: 1e-6 }, /of 0\.000001 US dollars$/],
  ])('of %s ends the run before the next request, and the transcript says so', async (_what, own, reached) => {
    const { error, transcript, requests } = await ended(openBudget(own, prices));
    expect(error).toMatch(reached);
    expect(transcript).toMatchObject({ limit: expect.stringMatching(reached), unanswered: [] });
    expect(requests).toBe(1);
  });

  test('of the whole campaign counts what every run spent', async () => {
    const campaign = openCampaignBudget(1e-6, prices)!;
    expect((await ended(openBudget(limits, prices, campaign))).requests).toBe(1);
    const second = await ended(openBudget(limits, prices, campaign));
    expect(second).toMatchObject({ requests: 0, transcript: { exchanges: [] } });
    expect(second.transcript?.limit).toMatch(/US dollars of the whole campaign$/);
    expect(openCampaignBudget(undefined, prices)).toBeUndefined();
  });

  test('cannot be kept where the endpoint counts no tokens', () => {
    const budget = openBudget(limits, undefined);
    budget.charge(null);
    expect(budget.limitReached()).toContain('counts no tokens');
  });
});

test('added fields and headers reach the endpoint, and no header is in an error or in the transcript', async () => {
  const { createServer } = await import('node:http');
  const { text } = await import('node:stream/consumers');
  let seen: { headers: Record<string, unknown>; body: Record<string, unknown> } | undefined;
  const server = createServer(async (request, response) => {
    seen = { headers: request.headers, body: JSON.parse(await text(request)) };
    response.writeHead(400, { 'content-type': 'application/json' });
    const [, key] = String(request.headers['x-key']).split(' ');
    response.end(JSON.stringify({ error: { message: `bad tenant ${request.headers['x-tenant']}, bad key ${key}` } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const extraBody = { top_k: 4, thinking: { type: 'off' } };
  const endpoint = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: STUB_KEY, extraBody };
  const source = liveSource({
    ...endpoint,
    headers: { 'x-tenant': 'tenant-secret-1', 'x-key': 'Bearer key-secret-1' },
  });
  const { error, transcript } = await play(source, { notes: { prompt: 'neutral', extra_body: extraBody } });
  server.close();
  expect(seen?.headers).toMatchObject({ 'x-tenant': 'tenant-secret-1', authorization: `Bearer ${STUB_KEY}` });
  expect(seen?.body).toMatchObject({ model: 'm', top_k: 4, thinking: { type: 'off' } });
  expect(error).toContain('400 bad tenant «secret:x-tenant», bad key «secret:x-key»');
  expect(JSON.stringify(transcript)).not.toContain('tenant-secret');
  expect(transcript).toMatchObject({ prompt: 'neutral', extra_body: extraBody });
});

test('an endpoint that is not there ends the run with the cause, and without a secret of a header', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
  const { error, transcript } = await play(liveSource({ baseUrl, apiKey: STUB_KEY }));
  expect(error).toMatch(/at attempt 5: .*no answer of the endpoint: connect ECONNREFUSED 127\.0\.0\.1/);
  expect(transcript?.unanswered).toEqual(Array.from({ length: 5 }, () => ({ status: null })));
  const refused = await play(liveSource({ baseUrl, apiKey: 'a-key-with-a-€' }));
  expect(refused.error).toContain('no answer of the endpoint: ');
  expect(refused.error).not.toContain('a-key-with');
});

test('an answer that would lead elsewhere is not followed', async () => {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.writeHead(307, { location: 'http://192.0.2.1/' }).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { transcript } = await play(liveSource({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: STUB_KEY }));
  server.close();
  expect(transcript?.unanswered).toEqual(Array.from({ length: 5 }, () => ({ status: null })));
});

describe('a strict replay', () => {
  test.each([
    [
      'a changed tool description',
      { description: 'changes other things' },
      'request 1 of 3: `tools[change].function.description` was "changes things", is "changes other things"',
    ],
    [
      'a changed tool result',
      { note: 'changed' },
      'request 2 of 3: `messages[2].content →.note` was "ok", is "changed"',
    ],
    ['another run index', { run: 1 }, 'another run index'],
  ])('fails on %s and names the nearest difference', async (_what, changed, difference) => {
    const { transcript } = await live();
    const source = replaySource(transcript!, 0, 'strict');
    const again = await play('run' in changed ? replaySource(transcript!, 1, 'strict') : source, changed);
    expect(again.outcome).toBeUndefined();
    expect(again.error).toContain(difference);
    if (!('run' in changed)) expect(source.fault?.()).toContain(difference);
  });

  test('fails on decisions that no request asked for', async () => {
    const { transcript } = await live();
    expect(replaySource(transcript!, 0, 'strict').fault?.()).toBe('3 of 3 stored decisions were not asked for');
  });
});

describe('a replay of decisions', () => {
  test('gives them in their order and reports each request that differs', async () => {
    const { transcript } = await live();
    const source = replaySource(transcript!, 0, 'decisions');
    const again = await play(source, { note: 'changed' });
    expect(again.outcome).toMatchObject({ final: { done: true } });
    expect(source.fault?.()).toBeUndefined();
    expect(again.transcript?.divergences).toEqual([
      'request 2: `messages[2].content →.note` was "ok", is "changed"',
      'request 3: `messages[2].content →.note` was "ok", is "changed"',
    ]);
  });

  test('without a difference reports none, and fails when a decision is missing', async () => {
    const { transcript } = await live();
    expect((await play(replaySource(transcript!, 0, 'decisions'))).transcript?.divergences).toEqual([]);
    const source = replaySource({ ...transcript!, exchanges: transcript!.exchanges.slice(0, 1) }, 0, 'decisions');
    await play(source);
    expect(source.fault?.()).toBe('request 2: only 1 decisions are stored');
  });
});

test.each(['strict', 'decisions'] as const)(
  'a run that ended without an answer ends so in a %s replay',
  async (strength) => {
    const first = await live({ faults: { 3: { status: 400 } } });
    expect(first.error).toContain('got 400');
    const source = replaySource(first.transcript!, 0, strength);
    const again = await play(source);
    expect(again.error).toContain('got no answer here either');
    expect(source.fault?.()).toBeUndefined();
  },
);

test('each key is that of its whole request; a changed message shows', async () => {
  const { transcript } = await live();
  expect(requestsOf(transcript!).map((request) => request.messages.length)).toEqual([1, 3, 5]);
  expect(firstForged(transcript!, 0)).toBeUndefined();
  const forged = structuredClone(transcript!);
  forged.exchanges[1]!.messages[0] = { role: 'assistant', content: 'something else' };
  expect(firstForged(forged, 0)).toBe(1);
});

test('transcript.schema.json is the published form of the schema, and a transcript satisfies it', async () => {
  const file = join(import.meta.dirname, 'transcript.schema.json');
  const published = JSON.parse(await readFile(file, 'utf8')) as object;
  expect(published).toEqual(JSON.parse(JSON.stringify(ModelTranscript)));
  const accepts = new Ajv2020({ strict: false }).compile(published);
  const { transcript } = await live({ faults: { 1: { status: 429, retryAfter: '1' } } });
  expect(accepts(transcript), JSON.stringify(accepts.errors)).toBe(true);
  expect(accepts({ ...transcript, version: 2 })).toBe(false);
});
