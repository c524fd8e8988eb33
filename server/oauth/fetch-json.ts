/** One bounded GET of a JSON object at the authorization server. */
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 256 * 1024;

export interface FetchedJson {
  value: Readonly<Record<string, unknown>>;
  /** By the clock of the server, in milliseconds; undefined where it does not say. */
  serverTime: number | undefined;
}

/** Throws UPSTREAM_FAILED or EGRESS_REFUSED. No text of the answer enters a message. */
export async function fetchJson(egress: Egress, url: string): Promise<FetchedJson> {
  const { host, origin } = new URL(url);
  const failed = (what: string, cause?: unknown) =>
    new RouterError('UPSTREAM_FAILED', `the authorization server at ${host} ${what}`, { cause });
  let response: Response;
  let text: string;
  try {
    const init = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) };
    response = await egress.fetch(url, init, { named: new Set([origin]) });
    text = await bounded(response);
  } catch (error) {
    if (error instanceof RouterError) throw error;
    throw failed(`could not be reached within ${TIMEOUT_MS / 1000} s, or its answer is too large`, error);
  }
  if (response.status !== 200) throw failed(`should answer 200, got ${response.status}`);
  const value = objectIn(text);
  if (value === undefined) throw failed('should answer a JSON object, got something else');
  const date = Date.parse(response.headers.get('date') ?? '');
  return { value, serverTime: Number.isNaN(date) ? undefined : date };
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new RangeError(`more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
