/** Which model answers, where, and what one run of it may cost: read from the environment, once per campaign. */
import { isIPv4 } from 'node:net';
import type { ModelSettings } from '../agents/mcp/agent.ts';
import { got, HarnessError } from '../harness-errors.ts';

/** Variable → what it means and what holds without it; the table in docs/llm-runs.md is compared with this one. */
export const ENDPOINT_VARIABLES = {
  SVC_LLM_BASE_URL: { about: 'address of a chat completions endpoint, up to and with its version', default: '' },
  SVC_LLM_API_KEY: { about: 'its key; stays in the harness process', default: 'none' },
  SVC_LLM_MODEL: { about: 'name of the model at the endpoint; a dated name, if it has one', default: '' },
  SVC_LLM_TEMPERATURE: { about: 'sent with every request', default: '0' },
  SVC_LLM_STREAM: { about: '1: answers are streamed', default: '0' },
  SVC_LLM_MAX_REQUESTS: { about: 'answered requests of one run', default: '30' },
  SVC_LLM_MAX_TOKENS: { about: 'tokens of one run, as the endpoint counts them', default: '400000' },
  SVC_LLM_MAX_USD: { about: 'US dollars of one run; needs both prices', default: '' },
  SVC_LLM_PRICE_INPUT: { about: 'US dollars per million tokens read', default: '' },
  SVC_LLM_PRICE_OUTPUT: { about: 'US dollars per million tokens written', default: '' },
  SVC_LLM_TIMEOUT_MS: { about: 'milliseconds of one run', default: '600000' },
  SVC_LLM_HERMETIC: { about: '1: an address off this machine is refused', default: '0' },
} as const;

type Variable = keyof typeof ENDPOINT_VARIABLES;
export type Environment = Record<string, string | undefined>;

export interface Endpoint {
  baseUrl: string;
  apiKey: string;
  settings: EndpointSettings;
  timeoutMs: number;
}

/** Settings that all runs share. The address of the model proxy and the seed differ per run. */
export type EndpointSettings = Omit<ModelSettings, 'url' | 'seed'>;

export function endpointFrom(env: Environment): Endpoint {
  const baseUrl = baseUrlFrom(env);
  const name = textFrom(env, 'SVC_LLM_MODEL');
  if (name === '') throw invalid('SVC_LLM_MODEL', 'should name a model', name);
  return {
    baseUrl,
    apiKey: textFrom(env, 'SVC_LLM_API_KEY'),
    settings: settingsFrom(env, name),
    timeoutMs: numberFrom(env, 'SVC_LLM_TIMEOUT_MS', 1),
  };
}

function settingsFrom(env: Environment, name: string): EndpointSettings {
  const input = optionalNumber(env, 'SVC_LLM_PRICE_INPUT');
  const output = optionalNumber(env, 'SVC_LLM_PRICE_OUTPUT');
  const usd = optionalNumber(env, 'SVC_LLM_MAX_USD');
  if (usd !== undefined && (input === undefined || output === undefined)) {
    throw invalid('SVC_LLM_MAX_USD', 'should stand with SVC_LLM_PRICE_INPUT and SVC_LLM_PRICE_OUTPUT', String(usd));
  }
  return {
    name,
    temperature: numberFrom(env, 'SVC_LLM_TEMPERATURE', 0),
    stream: switchFrom(env, 'SVC_LLM_STREAM'),
    limits: {
      requests: numberFrom(env, 'SVC_LLM_MAX_REQUESTS', 1),
      tokens: numberFrom(env, 'SVC_LLM_MAX_TOKENS', 1),
      ...(usd === undefined ? {} : { usd }),
    },
    ...(input === undefined || output === undefined ? {} : { prices: { input, output } }),
  };
}

function baseUrlFrom(env: Environment): string {
  const text = textFrom(env, 'SVC_LLM_BASE_URL');
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw invalid('SVC_LLM_BASE_URL', 'should be an http or https address', text);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw invalid('SVC_LLM_BASE_URL', 'should hold no user name or password', url.host);
  }
  if (switchFrom(env, 'SVC_LLM_HERMETIC') && !isLoopback(url.hostname)) {
    throw invalid('SVC_LLM_BASE_URL', 'should be on this machine while SVC_LLM_HERMETIC is 1', url.host);
  }
  return text.replace(/\/+$/, '');
}

/** By address only: what a name resolves to can change, and `localhost` is a name. */
export const isLoopback = (hostname: string): boolean =>
  hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

const textFrom = (env: Environment, name: Variable): string => {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? ENDPOINT_VARIABLES[name].default : value;
};

function numberFrom(env: Environment, name: Variable, least: number): number {
  const text = textFrom(env, name);
  const value = Number(text);
  if (text !== '' && Number.isFinite(value) && value >= least) return value;
  throw invalid(name, `should be a number from ${least}`, text);
}

const optionalNumber = (env: Environment, name: Variable): number | undefined =>
  textFrom(env, name) === '' ? undefined : numberFrom(env, name, 0);

function switchFrom(env: Environment, name: Variable): boolean {
  const text = textFrom(env, name);
  if (text === '0' || text === '1') return text === '1';
  throw invalid(name, 'should be 0 or 1', text);
}

const invalid = (name: Variable, expected: string, value: string): HarnessError =>
  new HarnessError('ENDPOINT_INVALID', `${name} ${expected}, got ${value === '' ? 'nothing' : got(value)}`);
