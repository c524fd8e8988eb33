/** Requests to an authorization server: one answer as JSON, and the OpenID configuration. */
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;

export interface ServerAnswer {
  status: number;
  /** A text field of the JSON object; undefined where there is none. */
  text: (name: string) => string | undefined;
  /** The whole JSON object; undefined where the answer is none. */
  object: () => Record<string, unknown> | undefined;
}

/** Sent once, to the origin of the URL and no other. No text of the answer enters a message. */
export async function asked(egress: Egress, url: string, init: RequestInit = {}): Promise<ServerAnswer> {
  const { host, origin } = new URL(url);
  const failed = (what: string, cause?: unknown) =>
    new RouterError('UPSTREAM_FAILED', `the authorization server at ${host} ${what}`, { cause });
  let response: Response;
  let body: string;
  try {
    const bounded = { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) };
    response = await egress.fetch(url, bounded, { named: new Set([origin]), once: init.method === 'POST' });
    body = await limited(response);
  } catch (error) {
    if (error instanceof RouterError) throw error;
    throw failed('could not be asked, or its answer is too large', error);
  }
  return { status: response.status, text: (name) => fieldOf(body, name), object: () => objectIn(body) };
}

async function limited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new RangeError(`more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function fieldOf(body: string, name: string): string | undefined {
  const value = objectIn(body)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function objectIn(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export interface OpenIdConfiguration {
  issuer: string;
  authorizationUrl: string;
  tokenUrl: string;
  /** Where its keys are; empty where it names none. */
  keysUrl: string;
}

/** OpenID Connect Discovery 1.0, section 4: the issuer has to be the one whose configuration was asked for. */
export async function openIdConfiguration(egress: Egress, url: string): Promise<OpenIdConfiguration> {
  const { text } = await asked(egress, url, { headers: { accept: 'application/json' } });
  const issuer = text('issuer');
  const authorizationUrl = text('authorization_endpoint');
  const tokenUrl = text('token_endpoint');
  const usable = [issuer, authorizationUrl, tokenUrl].every((found) => found !== undefined && URL.canParse(found));
  if (usable && issuer && authorizationUrl && tokenUrl && new URL(issuer).origin === new URL(url).origin)
    return { issuer, authorizationUrl, tokenUrl, keysUrl: text('jwks_uri') ?? '' };
  throw new RouterError(
    'UPSTREAM_FAILED',
    `the address ${new URL(url).host} should answer with an OpenID configuration of its own, got something else`,
    { remedy: 'name authorization_url and token_url yourself' },
  );
}
