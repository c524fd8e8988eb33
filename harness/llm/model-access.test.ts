import { expect, test } from 'vitest';
import { BUDGET_EXHAUSTED } from '../agents/llm/chat.ts';
import type { Recording } from '../recording/recording.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { openLiveModel, usagesOf } from './model-access.ts';
import { playScripts } from './testing/script.ts';
import { STUB_KEY, startStubEndpoint } from './testing/stub-endpoint.ts';

const ENV = { SVC_LLM_BASE_URL: 'http://127.0.0.1:9/v1', SVC_LLM_MODEL: 'small', SVC_LLM_TEMPERATURE: '0' };
/** A run that is there already: one dollar at the prices below. */
const done = (change: object = {}): Recording[] => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
  const model = { request: { model: 'small', temperature: 0 }, prompt: 'neutral', exchanges: [{ answer: { usage } }] };
  return [changedRecording((r) => void Object.assign(r, { model: { ...model, ...change } }))];
};

test.each<[string, object, string]>([
  ['model', { request: { model: 'large', temperature: 0 } }, 'more than one model ("large" and "small")'],
  ['temperature', { request: { model: 'small' } }, 'more than one temperature (null and 0)'],
  ['prompt', { prompt: 'coaching' }, 'more than one prompt ("coaching" and "neutral")'],
])('a campaign is not continued with another %s', (_what, change, message) => {
  expect(() => openLiveModel(ENV, done(change))).toThrow(message);
});

test('what the runs that are there already spent is taken from the budget of the campaign', async () => {
  await using stub = await startStubEndpoint({ answer: playScripts([]) });
  const limited = (usd: string) => ({
    ...ENV,
    ...{ SVC_LLM_BASE_URL: stub.baseUrl, SVC_LLM_API_KEY: STUB_KEY, SVC_LLM_TOTAL_USD: usd },
    ...{ SVC_LLM_PRICE_INPUT: '1', SVC_LLM_PRICE_OUTPUT: '1' },
  });
  const codeOf = async (usd: string, repeated: Recording[] = []) => {
    await using access = await openLiveModel(limited(usd), done(), usagesOf(repeated));
    const run = { agent: 'llm', transport: 'http' as const, scenario: 'a/b', run: 0, seed: 1 };
    const session = access.openSession({ ...run, secrets: {}, opaque: [], platformsAt: '127.0.0.1:1' });
    const body = JSON.stringify({ model: 'small', temperature: 0, messages: [{ role: 'user', content: 'x' }] });
    const answer = await fetch(`${session.settings.url}/chat/completions`, { method: 'POST', body });
    return ((await answer.json().catch(() => ({}))) as { error?: { code?: string } }).error?.code;
  };
  expect(await codeOf('1')).toBe(BUDGET_EXHAUSTED);
  expect(await codeOf('2')).not.toBe(BUDGET_EXHAUSTED);
  // A run that is made again was paid for all the same, whatever it was asked with.
  expect(await codeOf('2', done({ prompt: 'coaching' }))).toBe(BUDGET_EXHAUSTED);
});
