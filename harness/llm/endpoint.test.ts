import { expect, test } from 'vitest';
import { HarnessError } from '../harness-errors.ts';
import { endpointFrom, isLoopback } from './endpoint.ts';

const env = { SVC_LLM_BASE_URL: 'http://127.0.0.1:8080/v1/', SVC_LLM_MODEL: 'some-model' };

test('an address and a model are enough', () => {
  expect(endpointFrom(env)).toEqual({
    baseUrl: 'http://127.0.0.1:8080/v1',
    apiKey: 'none',
    timeoutMs: 600_000,
    headers: {},
    limits: { requests: 30, tokens: 400_000 },
    settings: { name: 'some-model', stream: false, prompt: 'neutral' },
  });
});

test('prices make a limit in dollars possible', () => {
  const priced = { ...env, SVC_LLM_PRICE_INPUT: '1.5', SVC_LLM_PRICE_OUTPUT: '6', SVC_LLM_MAX_USD: '0.2' };
  expect(endpointFrom(priced)).toMatchObject({ limits: { usd: 0.2 }, prices: { input: 1.5, output: 6 } });
  expect(endpointFrom({ ...priced, SVC_LLM_TOTAL_USD: '9' })).toMatchObject({ totalUsd: 9 });
});

test('temperature, seed and prompt are what was set', () => {
  const set = { ...env, SVC_LLM_TEMPERATURE: '0.7', SVC_LLM_SEED: '5', SVC_LLM_PROMPT: 'coaching' };
  expect(endpointFrom(set)).toMatchObject({ seed: 5, settings: { temperature: 0.7, prompt: 'coaching' } });
  expect(endpointFrom({ ...env, SVC_LLM_SEED: 'run' }).seed).toBe('run');
});

test('headers are a JSON object or lines, and fields of the body a JSON object', () => {
  const headers = (text: string) => endpointFrom({ ...env, SVC_LLM_HEADERS: text }).headers;
  expect(headers('{"X-Tenant": "a b", "api-key": "c"}')).toEqual({ 'x-tenant': 'a b', 'api-key': 'c' });
  expect(headers('X-Tenant: a: b\r\napi-key:c\n\n')).toEqual({ 'x-tenant': 'a: b', 'api-key': 'c' });
  expect(endpointFrom({ ...env, SVC_LLM_EXTRA_BODY: '{"top_p": 1}' }).extraBody).toEqual({ top_p: 1 });
});

test.each([
  [{ SVC_LLM_BASE_URL: '' }, 'SVC_LLM_BASE_URL should be an http or https address, got nothing'],
  [{ SVC_LLM_BASE_URL: 'file:///etc/passwd' }, 'SVC_LLM_BASE_URL should be an http or https address'],
  [{ SVC_LLM_BASE_URL: 'http://me:secret-word@127.0.0.1/v1' }, 'should hold no user name or password, got "127.0.0.1"'],
  [{ SVC_LLM_MODEL: ' ' }, 'SVC_LLM_MODEL should name a model, got nothing'],
  [{ SVC_LLM_TEMPERATURE: 'warm' }, 'SVC_LLM_TEMPERATURE should be a number from 0, got "warm"'],
  [{ SVC_LLM_SEED: 'any' }, 'SVC_LLM_SEED should be a whole number or `run`, got "any"'],
  [{ SVC_LLM_PROMPT: 'kind' }, 'SVC_LLM_PROMPT should be neutral or coaching, got "kind"'],
  [{ SVC_LLM_EXTRA_BODY: '[1]' }, 'SVC_LLM_EXTRA_BODY should be a JSON object, got "[1]"'],
  [{ SVC_LLM_EXTRA_BODY: '{"seed": 1}' }, 'should hold none of model, messages, tools, stream'],
  [{ SVC_LLM_HEADERS: '{"x-key": 5}' }, 'should be a JSON object of texts, or lines of `Name: value`, got "x-key"'],
  [{ SVC_LLM_HEADERS: 'secret-word' }, 'should be a JSON object of texts, or lines'],
  [{ SVC_LLM_HEADERS: '{"x: y": "secret-word"}' }, 'should be a JSON object of texts'],
  [{ SVC_LLM_TOTAL_USD: '1' }, 'should stand with SVC_LLM_PRICE_INPUT and SVC_LLM_PRICE_OUTPUT'],
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
