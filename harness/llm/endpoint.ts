/** Which model answers, where, and what one run of it may cost: read from the environment, once per campaign. */
import { isIPv4 } from 'node:net';
import { PROMPTS, type Prompt } from '../agents/llm/system-prompt.ts';
import type { ModelSettings } from '../agents/mcp/agent.ts';
import { got, HarnessError } from '../harness-errors.ts';
import type { ModelLimits, Prices } from './model-budget.ts';

/** Variable → what it means and what holds without it; the table in docs/llm-runs.md is compared with this one. */
export const ENDPOINT_VARIABLES = {
  SVC_LLM_BASE_URL: { about: 'address of a chat completions endpoint, up to and with its version', default: '' },
  SVC_LLM_API_KEY: { about: 'its key; stays in the harness process', default: 'none' },
  SVC_LLM_MODEL: { about: 'name of the model at the endpoint; a dated name, if it has one', default: '' },
  SVC_LLM_PROMPT: {
    about: 'system prompt: `neutral`, or `coaching`, which explains previews and refusals',
    default: 'neutral',
  },
  SVC_LLM_TEMPERATURE: { about: 'sent with every request; not sent unless set', default: '' },
  SVC_LLM_SEED: {
    about: 'sent with every request: a number, or `run` for the seed of the run; not sent unless set',
    default: '',
  },
  SVC_LLM_EXTRA_BODY: { about: 'JSON object whose fields are added to every request', default: '' },
  SVC_LLM_HEADERS: {
    about: 'headers of every request: a JSON object, or lines of `Name: value`; stay in the harness process',
    default: '',
  },
  SVC_LLM_STREAM: { about: '1: answers are streamed', default: '0' },
  SVC_LLM_MAX_REQUESTS: { about: 'answered requests of one run', default: '30' },
  SVC_LLM_MAX_TOKENS: { about: 'tokens of one run, as the endpoint counts them', default: '400000' },
  SVC_LLM_MAX_USD: { about: 'US dollars of one run; needs both prices', default: '' },
  SVC_LLM_TOTAL_USD: { about: 'US dollars of all runs together; needs both prices', default: '' },
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
  /** `run`: the seed of each run. */
  seed?: number | 'run';
  /** Of one run. */
  limits: ModelLimits;
  prices?: Prices;
  /** US dollars of all runs together. */
  totalUsd?: number;
  /** Name → value; values are secrets. */
  headers: Record<string, string>;
  extraBody?: Record<string, unknown>;
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
    ...budgetsFrom(env),
    ...seedFrom(env),
    ...extraBodyFrom(env),
    headers: headersFrom(env),
    timeoutMs: numberFrom(env, 'SVC_LLM_TIMEOUT_MS', 1),
  };
}

function settingsFrom(env: Environment, name: string): EndpointSettings {
  const temperature = optionalNumber(env, 'SVC_LLM_TEMPERATURE');
  return {
    name,
    ...(temperature === undefined ? {} : { temperature }),
    stream: switchFrom(env, 'SVC_LLM_STREAM'),
    prompt: promptFrom(env),
  };
}

function budgetsFrom(env: Environment): Pick<Endpoint, 'limits' | 'prices' | 'totalUsd'> {
  const input = optionalNumber(env, 'SVC_LLM_PRICE_INPUT');
  const output = optionalNumber(env, 'SVC_LLM_PRICE_OUTPUT');
  const priced = (name: 'SVC_LLM_MAX_USD' | 'SVC_LLM_TOTAL_USD') => {
    const usd = optionalNumber(env, name);
    if (usd === undefined || (input !== undefined && output !== undefined)) return usd;
    throw invalid(name, 'should stand with SVC_LLM_PRICE_INPUT and SVC_LLM_PRICE_OUTPUT', String(usd));
  };
  const [usd, totalUsd] = [priced('SVC_LLM_MAX_USD'), priced('SVC_LLM_TOTAL_USD')];
  return {
    limits: {
      requests: numberFrom(env, 'SVC_LLM_MAX_REQUESTS', 1),
      tokens: numberFrom(env, 'SVC_LLM_MAX_TOKENS', 1),
      ...(usd === undefined ? {} : { usd }),
    },
    ...(input === undefined || output === undefined ? {} : { prices: { input, output } }),
    ...(totalUsd === undefined ? {} : { totalUsd }),
  };
}

function promptFrom(env: Environment): Prompt {
  const text = textFrom(env, 'SVC_LLM_PROMPT');
  const known = PROMPTS.find((prompt) => prompt === text);
  if (known !== undefined) return known;
  throw invalid('SVC_LLM_PROMPT', `should be ${PROMPTS.join(' or ')}`, text);
}

function seedFrom(env: Environment): Pick<Endpoint, 'seed'> {
  const text = textFrom(env, 'SVC_LLM_SEED');
  if (text === '') return {};
  if (text === 'run') return { seed: text };
  if (/^\d+$/.test(text)) return { seed: Number(text) };
  throw invalid('SVC_LLM_SEED', 'should be a whole number or `run`', text);
}

/** What the harness itself sets cannot be set here: the recording would name another value than was sent. */
const OWN_FIELDS = ['model', 'messages', 'tools', 'stream', 'stream_options', 'temperature', 'seed'];

function extraBodyFrom(env: Environment): Pick<Endpoint, 'extraBody'> {
  const text = textFrom(env, 'SVC_LLM_EXTRA_BODY');
  if (text === '') return {};
  const value = jsonObject(text);
  if (value === undefined) throw invalid('SVC_LLM_EXTRA_BODY', 'should be a JSON object', text);
  const own = Object.keys(value).filter((name) => OWN_FIELDS.includes(name));
  if (own.length > 0)
    throw invalid('SVC_LLM_EXTRA_BODY', `should hold none of ${OWN_FIELDS.join(', ')}`, own.join(', '));
  return { extraBody: value };
}

/** The values are secrets, so a refusal names the headers alone. */
function headersFrom(env: Environment): Record<string, string> {
  const text = textFrom(env, 'SVC_LLM_HEADERS');
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = text.startsWith('{')
    ? Object.entries(jsonObject(text) ?? { '': '' })
    : lines.map((line) => [
        line.slice(0, Math.max(0, line.indexOf(':'))).trim(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]);
  for (const [name, value] of pairs) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(String(name)) || typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw invalid('SVC_LLM_HEADERS', 'should be a JSON object of texts, or lines of `Name: value`', String(name));
    }
  }
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
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
