/** A platform that says back what it should keep: credentials of its clients in answers, headers and error texts. */
import type { EngineRequest, EngineResponse } from '../engine/http/request-pipeline.ts';
import type { ENCODINGS, Fault } from './fault-plan.ts';

type Encoding = (typeof ENCODINGS)[number];

const CREDENTIAL_NAME = /token|auth|csrf|secret|password|session|key/i;
const SHORTEST = 6;

/** Every credential of a request: headers, query and, where somebody logs in, the body. */
export function credentialsIn({ headers, query, body }: EngineRequest, logsIn: boolean): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const text = [value].flat()[0] ?? '';
    if (CREDENTIAL_NAME.test(name)) found.push(text.replace(/^(bearer|token|basic) /i, ''));
  }
  const pairs = [...new URLSearchParams(query), ...(logsIn ? pairsOf(body?.toString('utf8') ?? '') : [])];
  for (const [name, value] of pairs) if (CREDENTIAL_NAME.test(name)) found.push(value);
  return found.filter((value) => value.length >= SHORTEST);
}

function pairsOf(text: string): [string, string][] {
  if (!text.startsWith('{')) return [...new URLSearchParams(text)];
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [name, String(value)]);
  } catch {
    return [];
  }
}

export function reflected(
  response: EngineResponse,
  fault: Extract<Fault, { kind: 'reflect' }>,
  secrets: readonly string[],
): EngineResponse {
  const said = secrets.flatMap((secret) => fault.encodings.map((encoding) => encoded(secret, encoding)));
  let { status, headers, body } = response;
  if (fault.in.includes('header')) {
    const line = said.join(' ').slice(0, 4_000);
    headers = {
      ...headers,
      'x-debug': line,
      'www-authenticate': `Bearer error_description="${line}"`,
      location: `/x?t=${line}`,
    };
  }
  if (fault.in.includes('error')) {
    status = status < 400 ? 422 : status;
    body = JSON.stringify({ message: `not with ${said.join(' or ')}`, echo: said });
    headers = { ...headers, 'content-type': 'application/json' };
  } else if (fault.in.includes('body')) body = withReflection(body, said);
  return { status, headers, body };
}

/** Beside the fields of an object, and in the first entry of every list in it. */
function withReflection(body: string, said: readonly string[]): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return `${body} ${said.join(' ')}`;
  }
  const notes = Object.fromEntries(said.map((text, at) => [`note${at}`, `seen ${text} here`]));
  const mark = (entry: unknown): unknown =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? { ...entry, ...notes } : entry;
  if (Array.isArray(value)) return JSON.stringify([mark(value[0] ?? {}), ...value.slice(1)]);
  if (typeof value !== 'object' || value === null) return JSON.stringify(notes);
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    Array.isArray(inner) && inner.length > 0 ? [mark(inner[0]), ...inner.slice(1)] : inner,
  ]);
  return JSON.stringify({ ...Object.fromEntries(fields), ...notes });
}

/** `gzip` says the secret as it is: there it is the whole answer that is packed. */
export function encoded(secret: string, encoding: Encoding): string {
  const bytes = Buffer.from(secret);
  switch (encoding) {
    case 'raw':
    case 'gzip':
      return secret;
    case 'base64':
      return Buffer.from(`user:${secret}!`).toString('base64');
    case 'base64url':
      return bytes.toString('base64url');
    case 'hex':
      return bytes.toString('hex');
    case 'url':
      return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
    case 'json':
      return [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    case 'piece':
      return `${secret.slice(2, 14)} and ${secret.slice(-10)}`;
  }
}
