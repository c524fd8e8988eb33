/** What the agent makes of an answer that the endpoint ended before the model had given it. */
import { expect, test } from 'vitest';
import { startStubEndpoint } from '../../llm/testing/stub-endpoint.ts';
import llm from '../llm.ts';
import type { McpClient } from '../mcp/agent-client.ts';
import type { AssistantMessage, ToolCall } from './chat-completion.ts';
import { argumentsIn } from './json-in.ts';

const USAGE = { prompt_tokens: 5, completion_tokens: 16, total_tokens: 21 };
const text = (content: string | null): AssistantMessage => ({ role: 'assistant', content });
const call = (id: string, args: string): ToolCall => ({
  id,
  type: 'function',
  function: { name: 'delete_pet', arguments: args },
});

/** The answer of the agent, and the calls that it made, where the model says this and is done after it. */
async function solved(message: AssistantMessage, finish_reason: string, stream = false) {
  await using stub = await startStubEndpoint({
    key: 'none',
    answer: ({ messages, model }) => {
      const isFirst = !messages.some(({ role }) => role === 'assistant');
      const common = { model, system_fingerprint: null, seed: null, usage: USAGE };
      return isFirst ? { ...common, message, finish_reason } : { ...common, message: text('1'), finish_reason: 'stop' };
    },
  });
  const called: unknown[] = [];
  const mcp: McpClient = {
    calls: 0,
    listTools: async () => [{ name: 'delete_pet' }],
    callTool: async (_tool, args) => {
      called.push(args);
      return { texts: ['done'], isError: false, json: undefined };
    },
  };
  const task = {
    intent: 'x',
    answer: { type: 'object' as const, properties: {} },
    limits: { maxCalls: 9, timeoutMs: 60_000 },
    model: { url: stub.baseUrl, name: 'm', stream, prompt: 'neutral' as const },
  };
  const answer = await llm.solve(task, mcp).catch((error: Error) => error.message);
  return { answer, called };
}

test.each([
  ['a text at its length', text('{"pets":[1,2'), 'length', 'cut off at the length limit'],
  ['a text that is JSON so far', text('1'), 'length', '(finish_reason length, after 16 tokens)'],
  ['nothing but thoughts', text(null), 'max_tokens', 'cut off at the length limit'],
  ['a text at a filter', text('I'), 'content_filter', 'by the content filter'],
])('%s that was cut off is no answer, and its cause is told', async (_what, message, reason, cause) => {
  for (const stream of [false, true]) expect((await solved(message, reason, stream)).answer).toContain(cause);
});

test('calls of an answer that was cut off are not made', async () => {
  const message = { ...text(null), tool_calls: [call('a', '{"petId":7}'), call('b', '')] };
  const { answer, called } = await solved(message, 'length');
  expect(called).toEqual([]);
  expect(answer).toContain('cut off at the length limit');
});

test('a whole answer is one, and its calls are made', async () => {
  expect((await solved(text('{"a":1}'), 'stop')).answer).toEqual({ a: 1 });
  const message = { ...text(null), tool_calls: [call('a', '{"petId":7}'), call('b', '')] };
  expect(await solved(message, 'tool_calls')).toEqual({ answer: 1, called: [{ petId: 7 }, {}] });
});

test.each([
  ['{"a":1}', { a: 1 }],
  [' ', {}],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['{"a":1', undefined],
  ['{"note":"```json\n{}\n```', undefined],
  ['[1]', undefined],
])('the arguments in %j', (written, args) => {
  expect(argumentsIn(written)).toEqual(args);
});
