import { expect, test } from 'vitest';
import { HarnessError } from '../harness-errors.ts';
import { endpointFrom, isLoopback } from './endpoint.ts';

const env = { SVC_LLM_BASE_URL: 'http://127.0.0.1:8080/v1/', SVC_LLM_MODEL: 'some-model' };

test('an address and a model are enough', () => {
  expect(endpointFrom(env)).toEqual({
    baseUrl: 'http://127.0.0.1:8080/v1',
    apiKey: 'none',
    timeoutMs: 600_000,
    settings: { name: 'some-model', temperature: 0, stream: false, limits: { requests: 30, tokens: 400_000 } },
  });
});

test('prices make a limit in dollars possible', () => {
  const priced = { ...env, SVC_LLM_PRICE_INPUT: '1.5', SVC_LLM_PRICE_OUTPUT: '6', SVC_LLM_MAX_USD: '0.2' };
  expect(endpointFrom(priced).settings).toMatchObject({ limits: { usd: 0.2 }, prices: { input: 1.5, output: 6 } });
});

test.each([
  [{ SVC_LLM_BASE_URL: '' }, 'SVC_LLM_BASE_URL should be an http or https address, got nothing'],
  [{ SVC_LLM_BASE_URL: 'file:///etc/passwd' }, 'SVC_LLM_BASE_URL should be an http or https address'],
  [{ SVC_LLM_BASE_URL: 'http://me:secret-word@127.0.0.1/v1' }, 'should hold no user name or password, got "127.0.0.1"'],
  [{ SVC_LLM_MODEL: ' ' }, 'SVC_LLM_MODEL should name a model, got nothing'],
  [{ SVC_LLM_TEMPERATURE: 'warm' }, 'SVC_LLM_TEMPERATURE should be a number from 0, got "warm"'],
  [{ SVC_LLM_STREAM: 'yes' }, 'SVC_LLM_STREAM should be 0 or 1'],
  [{ SVC_LLM_MAX_TOKENS: '0' }, 'SVC_LLM_MAX_TOKENS should be a number from 1'],
  [
    { SVC_LLM_MAX_USD: '1', SVC_LLM_PRICE_INPUT: '1' },
    'should stand with SVC_LLM_PRICE_INPUT and SVC_LLM_PRICE_OUTPUT',
  ],
  [{ SVC_LLM_HERMETIC: '1', SVC_LLM_BASE_URL: 'https://models.example/v1' }, 'should be on this machine'],
])('%j is refused: %s', (changed, message) => {
  const attempt = () => endpointFrom({ ...env, ...changed });
  expect(attempt).toThrow(HarnessError);
  expect(attempt).toThrow(message);
  expect(attempt).not.toThrow('secret-word');
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['localhost', false],
  ['127.0.0.1.example.com', false],
  ['10.0.0.1', false],
  ['0.0.0.0', false],
  ['[::ffff:127.0.0.1]', false],
])('on this machine: %s is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
