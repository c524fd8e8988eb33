/**
 * Calls of the generator to the fake, in a namespace of its own: what a scenario expects is what the fake answers. The
 * namespace starts from the same state as the one that is played in, so both hold the same objects.
 */
import { HarnessError } from '../harness-errors.ts';
import type { Change } from '../recording/recording.ts';
import type { ApiDocument, ApiOperation, Json } from './api-document.ts';

export interface Answer {
  status: number;
  json: unknown;
}

export interface Probe {
  call: (operation: ApiOperation, given: CallValues) => Promise<Answer>;
  /** Puts the objects back as they were. */
  reset: () => Promise<void>;
  /** What the calls since the last reset changed. */
  changes: () => Promise<Change[]>;
}

export interface CallValues {
  /** Parameter → value. */
  path?: Json;
  query?: Json;
  body?: unknown;
}

/** `/pets/{petId}` with its values. */
export const filledPath = (template: string, values: Json): string =>
  template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));

/** The fake answers within milliseconds; a machine may stand still for a while. */
const CALL_SECONDS = 60;

/**
 * The call over HTTP, with a credential of every kind that the document asks for. Throws `CONTROL_FAILED` where no answer comes:
 * nothing else would end the wait.
 */
export function callOver(base: string, document: ApiDocument, seconds = CALL_SECONDS): Probe['call'] {
  return async (operation, { path = {}, query = {}, body }) => {
    const url = new URL(`${base}${filledPath(operation.path, path)}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const headers = credentials(operation, document, url);
    const init = {
      method: operation.method,
      redirect: 'manual' as const,
      headers: { ...headers, accept: 'application/json', ...(body === undefined ? {} : JSON_BODY) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(seconds * 1000),
    };
    try {
      const response = await fetch(url, init);
      return { status: response.status, json: parsed(await response.text()) };
    } catch (cause) {
      const { message } = ((cause as Error).cause ?? cause) as Error;
      const asked = `${operation.method} ${operation.path}`;
      throw new HarnessError('CONTROL_FAILED', `${asked} should be answered within ${seconds} s, got ${message}`, {
        cause,
      });
    }
  };
}

const JSON_BODY = { 'content-type': 'application/json' };
const TOKEN = 'demo-token';
const BASIC = Buffer.from('demo:demo-secret').toString('base64');

/** Of the first alternative. Any well-formed credential is valid at the fake; one in the query is added to the address. */
function credentials({ security }: ApiOperation, { securitySchemes }: ApiDocument, url: URL): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of security.find((set) => set.length > 0) ?? []) {
    const scheme = securitySchemes.get(name) ?? {};
    if (scheme['type'] !== 'apiKey') headers['authorization'] = authorizationOf(scheme);
    else if (scheme['in'] === 'query') url.searchParams.set(String(scheme['name']), TOKEN);
    else if (scheme['in'] === 'cookie') headers['cookie'] = `${scheme['name']}=${TOKEN}`;
    else headers[String(scheme['name']).toLowerCase()] = TOKEN;
  }
  return headers;
}

function authorizationOf({ type, scheme }: Json): string {
  const word = type === 'http' ? String(scheme ?? 'Bearer') : 'Bearer';
  return `${word} ${word.toLowerCase() === 'basic' ? BASIC : TOKEN}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
