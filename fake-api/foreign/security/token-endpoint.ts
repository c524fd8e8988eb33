/** OAuth 2.0 and OpenID discovery of a foreign platform: RFC 6749 §3 and §5, RFC 7636, OpenID Connect Discovery 1.0. */
import { createHash } from 'node:crypto';
import type { AccessRequest } from '../../engine/http/conventions.ts';
import { isJson, mediaTypeOf } from '../../engine/http/media-type.ts';
import { type Answer, type Done, done } from '../../engine/http/platform-answer.ts';
import { isObject } from '../../engine/state/json-value.ts';
import type { State } from '../../engine/state/state.ts';
import type { AuthEndpoint } from './auth-endpoints.ts';
import { isRefreshToken, issuedGrant, issueGrant, lifetimeOf, takeCode } from './issued-grants.ts';

export interface TokenCall {
  platform: string;
  state: State;
  request: AccessRequest;
  /** The document describes the endpoint as an operation that asks for no more credentials than the request has. */
  isOpen?: boolean;
}

/** Credentials of the client that a token request carries. */
export interface SentClient {
  id: string;
  secret: string;
  place: 'header' | 'body';
}

export function answerAuthEndpoint(endpoint: AuthEndpoint, call: TokenCall): Answer {
  switch (endpoint.kind) {
    case 'token':
      return token(call, endpoint.scopes);
    case 'authorize':
      return authorize(call, endpoint.scopes);
    case 'discovery':
      return discovery(call, endpoint);
  }
}

function token(call: TokenCall, declared: readonly string[]): Answer {
  const form = tokenForm(call.request);
  if (form === null)
    return problem(400, 'invalid_request', 'content-type: expected application/x-www-form-urlencoded, got another one');
  const client = clientOf(call.request, form);
  const scopes = scopesAsked(form.get('scope'), declared);
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return client === null && call.isOpen !== true ? unknownClient() : granted(call, scopes, false);
    case 'password':
      if (!form.get('username') || !form.get('password'))
        return problem(400, 'invalid_request', 'username and password: expected both, got less');
      return granted(call, scopes, true);
    case 'refresh_token':
      return refreshed(call, form, scopes);
    case 'authorization_code':
      return exchanged(call, form, client);
    default:
      return problem(
        400,
        'unsupported_grant_type',
        `grant_type: expected a known one, got "${form.get('grant_type') ?? ''}"`,
      );
  }
}

const unknownClient = (): Done => ({
  ...problem(401, 'invalid_client', 'client_id and client_secret: expected both, in the body or as basic credentials'),
  headers: { 'www-authenticate': 'Basic realm="token"' },
});

/** A refresh token of another issuer is taken, because the fake knows nothing of it. */
function refreshed(call: TokenCall, form: URLSearchParams, asked: readonly string[]): Answer {
  const sent = form.get('refresh_token') ?? '';
  if (sent === '') return problem(400, 'invalid_request', 'refresh_token: expected a value, got nothing');
  if (!isRefreshToken(sent)) return granted(call, asked, true);
  const grant = issuedGrant(call.state, call.platform, sent);
  if (grant?.kind !== 'refresh')
    return problem(400, 'invalid_grant', 'refresh_token: expected one of this platform, got an unknown one');
  const scopes = form.get('scope') === null ? grant.scopes : asked;
  if (!scopes.every((scope) => grant.scopes.includes(scope)))
    return problem(400, 'invalid_scope', 'scope: expected no more than was granted before');
  return granted(call, scopes, true, sent);
}

function exchanged(call: TokenCall, form: URLSearchParams, client: SentClient | null): Answer {
  const grant = takeCode(call.state, call.platform, form.get('code') ?? '');
  if (grant === null) return problem(400, 'invalid_grant', 'code: expected one of this platform, got an unknown one');
  if (grant.redirectUri !== (form.get('redirect_uri') ?? undefined))
    return problem(400, 'invalid_grant', 'redirect_uri: expected that of the authorization request, got another');
  const verifier = form.get('code_verifier');
  if (grant.challenge === undefined) return client === null ? unknownClient() : granted(call, grant.scopes, true);
  const challenge = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  if (challenge !== grant.challenge)
    return problem(400, 'invalid_grant', 'code_verifier: expected that of the code challenge, got another');
  return granted(call, grant.scopes, true);
}

function granted(
  { platform, state }: TokenCall,
  scopes: readonly string[],
  refreshes: boolean,
  refresh?: string,
): Done {
  const access = issueGrant(state, platform, { kind: 'access', scopes });
  const refreshToken = refreshes ? (refresh ?? issueGrant(state, platform, { kind: 'refresh', scopes })) : undefined;
  const body = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: lifetimeOf('access'),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
  };
  return { ...json(200, body), headers: { 'cache-control': 'no-store' } };
}

/** Nobody is asked: the person behind a fake says yes. */
function authorize({ platform, state, request }: TokenCall, declared: readonly string[]): Answer {
  const query = new URLSearchParams(request.pairs.map(([name, value]): [string, string] => [name, value]));
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri))
    return problem(400, 'invalid_request', 'redirect_uri: expected an http or https URL, got something else');
  const target = new URL(redirectUri);
  const state_ = query.get('state');
  if (state_ !== null) target.searchParams.set('state', state_);
  const method = query.get('code_challenge_method') ?? 'plain';
  const challenge = query.get('code_challenge');
  if (query.get('response_type') !== 'code') target.searchParams.set('error', 'unsupported_response_type');
  else if ((query.get('client_id') ?? '') === '') target.searchParams.set('error', 'unauthorized_client');
  else if (challenge !== null && method !== 'S256') target.searchParams.set('error', 'invalid_request');
  else {
    const scopes = scopesAsked(query.get('scope'), declared);
    const grant = { kind: 'code' as const, scopes, redirectUri, ...(challenge === null ? {} : { challenge }) };
    target.searchParams.set('code', issueGrant(state, platform, grant));
  }
  return done(302, undefined, { location: target.href });
}

function discovery({ request }: TokenCall, endpoint: Extract<AuthEndpoint, { kind: 'discovery' }>): Answer {
  const base = request.base ?? '';
  return json(200, {
    issuer: `${base}${endpoint.tokenPath.slice(0, -'/token'.length)}`,
    authorization_endpoint: `${base}${endpoint.authorizePath}`,
    token_endpoint: `${base}${endpoint.tokenPath}`,
    scopes_supported: endpoint.scopes,
    response_types_supported: ['code'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token', 'password'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  });
}

/** RFC 6749 §3.3: without a scope, the declared ones are meant. */
function scopesAsked(asked: string | null, declared: readonly string[]): readonly string[] {
  return asked === null || asked.trim() === '' ? declared : asked.trim().split(/\s+/);
}

/** Fields of a token request; null for a media type that is no form. Many platforms take JSON as well. */
const TOKEN_REQUEST =
  /(?:^|[&{,])\s*"?grant_type"?\s*[=:]\s*"?(?:client_credentials|authorization_code|refresh_token|password)\b/;

/** Whether a request asks for a token as OAuth2 does (RFC 6749, 4), as a form or as JSON. */
export function isTokenRequest({ body }: { body?: Buffer | null }): boolean {
  return TOKEN_REQUEST.test(body?.toString('utf8') ?? '');
}

export function tokenForm({ headers, body }: Pick<AccessRequest, 'headers' | 'body'>): URLSearchParams | null {
  const media = mediaTypeOf([headers['content-type']].flat()[0] ?? '');
  const text = (body ?? Buffer.alloc(0)).toString('utf8');
  if (media === 'application/x-www-form-urlencoded') return new URLSearchParams(text);
  if (!isJson(media)) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    return new URLSearchParams(Object.entries(value).map(([name, entry]): [string, string] => [name, String(entry)]));
  } catch {
    return null;
  }
}

/** RFC 6749 §2.3.1: basic credentials, each part percent-encoded, or two fields of the form. */
export function clientOf({ headers }: Pick<AccessRequest, 'headers'>, form: URLSearchParams): SentClient | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec([headers['authorization']].flat()[0] ?? '') ?? [];
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const cut = text.indexOf(':');
    return cut < 1 || cut === text.length - 1
      ? null
      : { id: decoded(text.slice(0, cut)), secret: decoded(text.slice(cut + 1)), place: 'header' };
  }
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  return id && secret ? { id, secret, place: 'body' } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** RFC 6749 §5.2. */
function problem(status: number, error: string, description: string): Done {
  return json(status, { error, error_description: description });
}

function json(status: number, body: unknown): Done {
  return { ...done(status, body), media: 'application/json' };
}
