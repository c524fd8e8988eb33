/** OAuth2 client credentials: form fields or basic authentication in, a bearer token of two hours out. */
import type { Answer } from '../answer.ts';
import { done } from '../answer.ts';
import { Dice } from '../determinism.ts';
import type { State } from '../state.ts';

/** The one account of every namespace. It guards nothing: the whole fake is a stand-in. */
const CLIENT_ID = 'demo-client';
const CLIENT_SECRET = 'demo-secret';
export const TOKEN_LIFETIME_SECONDS = 7200;

export function issueToken(
  state: State,
  platform: string,
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
  if (id !== CLIENT_ID || secret !== CLIENT_SECRET) {
    return problem(401, 'invalid_client', 'client_id and client_secret: expected a known pair, got an unknown one');
  }
  const number = state.next(`token ${platform}`);
  const token = new Dice(state.seed, 'token', platform, number).base32(48);
  state.tokens.set(token, { issuedAtMs: state.clock.ms, lifetimeSeconds: TOKEN_LIFETIME_SECONDS });
  return done(200, { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS });
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

/** Why a bearer header does not open the platform, or null when it does. */
export function tokenProblem(state: State, header: string | undefined): string | null {
  if (header === undefined || header === '') return 'header "Authorization": expected a bearer token, got nothing';
  const match = /^Bearer (\S+)$/i.exec(header);
  if (match === null) return 'header "Authorization": expected "Bearer <token>", got another scheme';
  const issued = state.tokens.get(match[1] as string);
  if (issued === undefined) return 'header "Authorization": expected a token this platform issued, got an unknown one';
  // Token life is announced; a run asks for enforcement when it wants to meet expiry.
  if (state.enforced && state.clock.ms >= issued.issuedAtMs + issued.lifetimeSeconds * 1000) {
    return `header "Authorization": expected a token younger than ${issued.lifetimeSeconds} s, got an expired one`;
  }
  return null;
}
