/** OAuth2 client credentials: form fields or basic authentication in, a bearer token out. */
import { CLIENT_ID, isSecret } from '../http/account.ts';
import type { Answer } from '../http/platform-answer.ts';
import { done } from '../http/platform-answer.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { Dice } from '../state/determinism.ts';
import type { State } from '../state/state.ts';

/** Where no document says how long a token lives. */
const TOKEN_LIFETIME_SECONDS = 7200;

export function issueToken(
  state: State,
  platform: string,
  operation: Operation | null,
  body: Buffer | null,
  headers: Record<string, string | string[] | undefined>,
): Answer {
  const media = String(headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim();
  if (media !== 'application/x-www-form-urlencoded') {
    return problem(
      400,
      'invalid_request',
      `content-type: expected application/x-www-form-urlencoded, got "${media ?? ''}"`,
    );
  }
  const form = new URLSearchParams((body ?? Buffer.alloc(0)).toString('utf8'));
  const grant = form.get('grant_type');
  if (grant !== 'client_credentials') {
    return problem(400, 'unsupported_grant_type', `grant_type: expected client_credentials, got "${grant ?? ''}"`);
  }
  const [id, secret] = basic(String(headers['authorization'] ?? '')) ?? [
    form.get('client_id'),
    form.get('client_secret'),
  ];
  if (id !== CLIENT_ID || !isSecret(secret)) {
    return problem(401, 'invalid_client', 'client_id and client_secret: expected a known pair, got an unknown one');
  }
  const number = state.next(`token ${platform}`);
  const token = new Dice(state.seed, 'token', platform, number).base32(48);
  const lifetimeSeconds = operation?.lifetimeSeconds ?? TOKEN_LIFETIME_SECONDS;
  state.tokens.set(token, { platform, issuedAtMs: state.clock.ms, lifetimeSeconds });
  return done(200, { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds });
}

function problem(status: number, error: string, description: string): Answer {
  return done(status, { error, error_description: description });
}

function basic(header: string): [string, string] | null {
  const match = /^Basic (.+)$/i.exec(header);
  if (match === null) return null;
  const [id, ...rest] = Buffer.from(match[1] as string, 'base64')
    .toString('utf8')
    .split(':');
  return id === undefined ? null : [decodeURIComponent(id), decodeURIComponent(rest.join(':'))];
}
