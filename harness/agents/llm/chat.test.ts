import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readCompletion, writeCompletion } from '../../llm/wire.ts';
import type { ModelSettings } from '../mcp/agent.ts';
import { BUDGET_EXHAUSTED, openChat, requestTimeout } from './chat.ts';
import { completionOf } from './chat-completion.ts';
import { functionsOf } from './functions.ts';
import { jsonIn } from './json-in.ts';
import { retryAfterMs, waitBefore } from './model-retry.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const BASE = 'http://127.0.0.1:8999/v1';
const settings: ModelSettings = {
  url: BASE,
  name: 'm',
  temperature: 0,
  seed: 7,
  stream: false,
  prompt: 'neutral',
};
const whole = {
  model: 'm-1',
  system_fingerprint: 'fp',
  choices: [{ index: 0, message: { role: 'assistant', content: '{"a":1}' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};
const refusal = (status: number, headers: Record<string, string> = {}) =>
  HttpResponse.json({ error: { message: 'no' } }, { status, headers });

/** Answers each request with the next of these. */
function answers(...responses: (() => Response)[]): { bodies: Record<string, unknown>[] } {
  const bodies: Record<string, unknown>[] = [];
  server.use(
    http.post(`${BASE}/chat/completions`, async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return (responses[bodies.length - 1] ?? responses.at(-1)!)();
    }),
  );
  return { bodies };
}

async function chat(changed: Partial<ModelSettings> = {}) {
  const waits: number[] = [];
  const opened = await openChat({ ...settings, ...changed }, { wait: async (ms) => waits.push(ms), now: () => 0 });
  return { opened, waits, ask: () => opened.ask([{ role: 'user', content: 'x' }], []) };
}

describe('a question to the model', () => {
  test('carries fixed model, temperature and seed, and no list where there is no tool', async () => {
    const { bodies } = answers(() => HttpResponse.json(whole));
    const { ask } = await chat();
    expect(await ask()).toMatchObject({ kind: 'decision', completion: { model: 'm-1', finish_reason: 'stop' } });
    expect(bodies).toEqual([{ model: 'm', temperature: 0, seed: 7, messages: [{ role: 'user', content: 'x' }] }]);
  });

  test('is repeated after 429 for as long as Retry-After says, and after 5xx with growing waits; each is counted', async () => {
    const { bodies } = answers(
      () => refusal(429, { 'retry-after': '3' }),
      () => refusal(503),
      () => refusal(500),
      () => HttpResponse.json(whole),
    );
    const { opened, waits, ask } = await chat();
    expect((await ask()).kind).toBe('decision');
    expect(waits).toEqual([3_000, 1_000, 2_000]);
    expect(opened.retries).toBe(3);
    expect(bodies).toHaveLength(4);
  });

  test('is not repeated when it was wrong, nor more than four times', async () => {
    const wrong = answers(() => refusal(400));
    await expect((await chat()).ask()).rejects.toThrow(/got 400 at attempt 1/);
    expect(wrong.bodies).toHaveLength(1);
    server.resetHandlers();
    const down = answers(() => refusal(502));
    await expect((await chat()).ask()).rejects.toThrow(/got 502 at attempt 5/);
    expect(down.bodies).toHaveLength(5);
  });

  test('is repeated under a limit of the rate until the time of the run is over, which the error then names', async () => {
    const { bodies } = answers(() => refusal(429, { 'retry-after': '60' }));
    let at = 0;
    const wait = async (ms: number) => {
      at += ms;
    };
    const opened = await openChat(settings, { wait, now: () => at, limitMs: 500_000 });
    await expect(opened.ask([{ role: 'user', content: 'x' }], [])).rejects.toThrow(
      /got 429 at attempt 9, Retry-After 60/,
    );
    expect(bodies).toHaveLength(9);
  });

  test('that stays without an answer is repeated too', async () => {
    answers(
      () => HttpResponse.error(),
      () => HttpResponse.json(whole),
    );
    const { opened, ask } = await chat();
    expect((await ask()).kind).toBe('decision');
    expect(opened.retries).toBe(1);
  });

  test.each<[string, () => Response, RegExp]>([
    ['an error', () => HttpResponse.json({ error: { message: 'no capacity' } }), /is no completion: no capacity$/],
    ['an error that is a text', () => HttpResponse.json({ error: 'no capacity' }), /is no completion: no capacity$/],
    ['a page', () => HttpResponse.html('<h1>Sign in</h1>'), /is no completion: <h1>Sign in<\/h1>$/],
    ['no choice', () => HttpResponse.json({ model: 'm', choices: [] }), /the answer was cut off$/],
  ])('that gets %s with status 200 ends with what came', async (_what, answer, message) => {
    answers(answer);
    await expect((await chat()).ask()).rejects.toThrow(message);
  });

  test('may take two minutes, a fifth of a run that is longer, and at most five minutes', () => {
    expect([60_000, 600_000, 900_001, 3_600_000].map(requestTimeout)).toEqual([120_000, 120_000, 180_001, 300_000]);
  });

  test('leaves temperature and seed out where they are not set', async () => {
    const { bodies } = answers(() => HttpResponse.json(whole));
    const { temperature: _t, seed: _s, ...unset } = settings;
    const opened = await openChat(unset);
    await opened.ask([{ role: 'user', content: 'x' }], []);
    expect(bodies).toEqual([{ model: 'm', messages: [{ role: 'user', content: 'x' }] }]);
  });

  test('ends the run when the harness says that a budget is spent, and not when the account of the endpoint is', async () => {
    const spent = { error: { message: '1 of 1 requests', type: 'harness', code: BUDGET_EXHAUSTED } };
    const { bodies } = answers(() => HttpResponse.json(spent, { status: 402 }));
    expect(await (await chat()).ask()).toEqual({ kind: 'spent', limit: '1 of 1 requests' });
    expect(bodies).toHaveLength(1);
    server.resetHandlers();
    answers(() => HttpResponse.json({ error: { message: 'no credits' } }, { status: 402 }));
    await expect((await chat()).ask()).rejects.toThrow(/got 402 at attempt 1: 402 no credits/);
  });
});

describe('fields of a provider', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' }, extra_content: { sig: 's' } };
  const message = {
    ...{ role: 'assistant', content: null, refusal: null, annotations: [], reasoning_content: 'because it is' },
    ...{ reasoning_details: [{ text: 'a' }, { text: 'b' }], tool_calls: [call] },
  };
  const kept = {
    ...{ role: 'assistant', content: null, reasoning_content: 'because it is' },
    ...{ reasoning_details: [{ text: 'a' }, { text: 'b' }], tool_calls: [call] },
  };

  test('of an assistant message are kept; those that say nothing are not', () => {
    const answer = { model: 'm-1', choices: [{ message, finish_reason: 'tool_calls' }] };
    expect(completionOf([answer])?.message).toEqual(kept);
  });

  test('come together from the pieces of a stream', () => {
    const piece = (delta: object) => ({ model: 'm-1', choices: [{ index: 0, delta, finish_reason: null }] });
    const pieces = [
      piece({ role: 'assistant', content: '', reasoning_content: 'because ' }),
      piece({ reasoning_content: 'it is', reasoning_details: [{ text: 'a' }] }),
      piece({ reasoning_details: [{ text: 'b' }] }),
      piece({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'find', arguments: '' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '{}' }, extra_content: { sig: 's' } }] }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ];
    expect(completionOf(pieces)?.message).toEqual(kept);
  });

  test.each([true, false])('are the same after they were written and read again (streamed: %s)', (stream) => {
    const completion = completionOf([{ model: 'm', choices: [{ message, finish_reason: 'tool_calls' }] }])!;
    const { contentType, pieces } = writeCompletion(completion, stream);
    expect(readCompletion(contentType, pieces.join(''))).toEqual(completion);
  });
});

describe('tool calls as endpoints send them', () => {
  const called = (...pieces: object[][]) =>
    completionOf([
      ...pieces.map((tool_calls) => ({ model: 'm', choices: [{ delta: { tool_calls } }] })),
      { model: 'm', choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    ])?.message.tool_calls;
  const call = (id: string, name: string, args: string) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: args },
  });

  test.each([[null], ['']])('keep their id where later pieces have %j', (id) => {
    const later = { index: 0, id, function: { name: null, arguments: '{"a":1}' } };
    expect(called([{ index: 0, ...call('c1', 'find', '') }], [later])).toEqual([call('c1', 'find', '{"a":1}')]);
  });

  test('stay apart under one index, each with its own id', () => {
    const [one, two] = [call('c1', 'find', '{}'), call('c2', 'read', '{"b":2}')];
    expect(called([{ index: 0, ...one }], [{ index: 0, ...two }])).toEqual([one, two]);
    expect(
      called([
        { index: 0, ...one },
        { index: 0, ...two },
      ]),
    ).toEqual([one, two]);
  });

  test('are one where each piece has another id and only the first a name', () => {
    const later = { index: 0, id: 'x2', function: { arguments: '{}' } };
    expect(called([{ index: 0, ...call('x1', 'find', '') }], [later])).toEqual([call('x1', 'find', '{}')]);
  });

  test('come in the order of their indexes', () => {
    const [one, two] = [call('c1', 'find', '{}'), call('c2', 'read', '{}')];
    expect(called([{ index: 1, ...two }], [{ index: 0, ...one }])).toEqual([one, two]);
  });

  test('take arguments as an object, and an answer takes its text in parts', () => {
    const message = {
      content: [
        { type: 'text', text: '{"a":' },
        { type: 'text', text: '1}' },
      ],
      tool_calls: [{ id: 'c1', function: { name: 'find', arguments: { q: 'x' } } }],
    };
    expect(completionOf([{ model: 'm', choices: [{ message, finish_reason: 'tool_calls' }] }])?.message).toEqual({
      ...{ role: 'assistant', content: '{"a":1}' },
      tool_calls: [call('c1', 'find', '{"q":"x"}')],
    });
  });
});

describe('an answer in pieces', () => {
  const piece = (choice: object, rest: object = {}) => ({ model: 'm-1', choices: [{ index: 0, ...choice }], ...rest });
  const call = (part: object) => piece({ delta: { tool_calls: [{ index: 0, ...part }] }, finish_reason: null });
  const pieces = [
    piece({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
    call({ id: 'c1', type: 'function', function: { name: 'find', arguments: '' } }),
    call({ function: { arguments: '{"q":' } }),
    call({ function: { arguments: '"x"}' } }),
    piece({ delta: {}, finish_reason: 'tool_calls' }),
    { model: 'm-1', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
  ];
  const stream = (parts: unknown[], end: 'done' | 'silent' | 'broken' = 'done') => {
    const text = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`);
    const body = new ReadableStream({
      start(controller) {
        for (const line of [...text, ...(end === 'done' ? ['data: [DONE]\n\n'] : [])]) {
          controller.enqueue(new TextEncoder().encode(line));
        }
        if (end === 'broken') controller.error(new TypeError('terminated'));
        else controller.close();
      },
    });
    return new HttpResponse(body, { headers: { 'content-type': 'text/event-stream' } });
  };

  test('is the same as the whole one', async () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } }];
    const message = { role: 'assistant', content: null, tool_calls };
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const inOne = { model: 'm-1', choices: [{ message, finish_reason: 'tool_calls' }], usage };
    expect(completionOf(pieces)).toEqual(completionOf([inOne]));
    expect(completionOf(pieces)?.message).toEqual(message);
  });

  test.each(['silent', 'broken'] as const)('that ends %s before its end is asked for again', async (end) => {
    const { bodies } = answers(
      () => stream(pieces.slice(0, 3), end),
      () => stream(pieces),
    );
    const { opened, ask } = await chat({ stream: true });
    expect(await ask()).toMatchObject({ kind: 'decision', completion: { usage: { total_tokens: 7 } } });
    expect(opened.retries).toBe(1);
    expect(bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});

test('Retry-After is seconds or a date, and is waited for as long as the run lasts', () => {
  const now = () => Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfterMs('2', now)).toBe(2_000);
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000);
  expect(retryAfterMs('soon', now)).toBeUndefined();
  const limited = { status: 429, retryAfter: '60', message: '' };
  expect(waitBefore(1, limited, now, 300_000)).toBe(60_000);
  expect(waitBefore(1, limited, now, 60_000)).toBeUndefined();
  expect(waitBefore(1, { status: undefined, message: '' }, now)).toBe(500);
  // "At once" would ask again and again without a pause.
  for (const retryAfter of ['0', 'Wed, 31 Dec 2025 23:00:00 GMT'])
    expect(waitBefore(3, { ...limited, retryAfter }, now)).toBe(2_000);
});

test('a limit of the rate is waited for more than four times, and at most half a minute at a time; another failure is not', () => {
  const waits = (status: number) =>
    [1, 4, 5, 9, 40].map((attempt) => waitBefore(attempt, { status, message: '' }, () => 0));
  expect(waits(429)).toEqual([500, 4_000, 8_000, 30_000, 30_000]);
  const empty = { status: 429, code: 'insufficient_quota', message: '' };
  expect([4, 5].map((attempt) => waitBefore(attempt, empty, () => 0))).toEqual([4_000, undefined]);
  expect(waits(503)).toEqual([500, 4_000, undefined, undefined, undefined]);
});

test('tool names that an endpoint refuses get one of their own that leads back', () => {
  const long = 'x'.repeat(80);
  const { list, toolOf } = functionsOf([{ name: 'a b' }, { name: 'a_b' }, { name: long }]);
  const names = list.map((tool) => tool.function.name);
  expect(names).toEqual(['a_b', 'a_b_2', 'x'.repeat(64)]);
  expect(names.map(toolOf)).toEqual(['a b', 'a_b', long]);
  expect(toolOf('none')).toBeUndefined();
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['Here it is:\n```json\n{"a":1}\n```\n', { a: 1 }],
  ['```\n[1]\n```\nand\n```json\n[2]\n```', [2]],
  ['I could not do it.', undefined],
])('the JSON in %j', (text, value) => {
  expect(jsonIn(text)).toEqual(value);
});
