/** One login request: sent once, read within limits, refused in words that hold no credential. */
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { RouterError } from '../../errors.ts';
import { readLimited } from '../body.ts';
import { brokenOff, hostOf } from '../failure.ts';

/** Of one request for a login. */
export const REQUEST_TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;

/** Sends to where the operator said that credentials go, and refuses any other URL with EGRESS_REFUSED. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

export interface LoginRequest {
  url: string;
  body: string;
  contentType: string;
  /** Name of the endpoint and of the grant in messages: "token endpoint", "client credentials". */
  endpoint: string;
  presenting: string;
  /** What the answer should hold, for messages. */
  expected: string;
}

/** The answer read as JSON, by `read`; undefined from it means that something expected is not there. */
export async function exchange<T>(
  platform: PlatformDefinition,
  request: LoginRequest,
  send: Send,
  read: (answer: unknown) => T | undefined,
): Promise<T> {
  const { url, endpoint, presenting, expected } = request;
  let status: number;
  let text: string;
  try {
    const response = await send(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': request.contentType },
      body: request.body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    status = response.status;
    text = await readLimited(response, platform.id, MAX_ANSWER_BYTES);
  } catch (cause) {
    if (cause instanceof RouterError) throw cause;
    throw brokenOff(platform.id, url, cause);
  }
  const details = { upstream_status: status };
  if (status === 400 || status === 401 || status === 403) {
    throw new RouterError(
      'UPSTREAM_FORBIDDEN',
      `${platform.id}: the ${endpoint} at ${hostOf(url)} refused the ${presenting} (${status})`,
      { details },
    );
  }
  const answer = status >= 200 && status < 300 ? read(parsed(text)) : undefined;
  if (answer !== undefined) return answer;
  throw new RouterError(
    'UPSTREAM_FAILED',
    `${platform.id}: the ${endpoint} at ${hostOf(url)} should answer 200 with ${expected}, got ${status}`,
    { details },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text under a dotted path of an answer; undefined where it is not there or empty. */
export function textAt(answer: unknown, path: string): string | undefined {
  let found = answer;
  for (const step of path.split('.'))
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Renewed early, so that a login never runs out between check and use: five minutes of two hours, one of fifteen. */
export function usableUntil(now: number, lifetimeSeconds: number): number {
  return now + (lifetimeSeconds - Math.min(300, lifetimeSeconds / 15)) * 1000;
}

/** Below the base URL, or a whole URL of another host. */
export function loginUrl(baseUrl: string, path: string): string {
  return path.startsWith('/') ? baseUrl + path : path;
}
