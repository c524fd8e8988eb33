/** How a platform wants to be opened: read from the security schemes of its documents, asked of every call. */
import type { Operation } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import { byName, isObject, own } from '../state/json-value.ts';
import type { State } from '../state/state.ts';
import { isApiToken } from './account.ts';
import { type Answer, refuse } from './platform-answer.ts';

export type Auth = Credential & {
  /** Header beside the credential that says which tenant is meant. */
  workspaceHeader: string | null;
};

type Credential =
  | { kind: 'oauth2-client-credentials'; tokenPath: string }
  | { kind: 'bearer' }
  | { kind: 'token-header'; header: string; prefix: string }
  | { kind: 'login-token'; header: string }
  | { kind: 'session'; query: string; csrfHeader: string };

/** Path of the token request where no document describes one. */
const TOKEN_PATH = '/as/token';

const known = new WeakMap<Platform, Auth>();

export function authOf(platform: Platform): Auth {
  const auth = known.get(platform) ?? readAuth(platform);
  known.set(platform, auth);
  return auth;
}

function readAuth({ operations }: Platform): Auth {
  const schemes = byName<Record<string, unknown>>();
  for (const document of new Set(operations.map((operation) => operation.document))) {
    for (const [name, scheme] of Object.entries(document.components?.['securitySchemes'] ?? {}))
      if (isObject(scheme)) schemes[name] = scheme;
  }
  const header = schemes['workspace']?.['name'];
  return { ...credentialOf(schemes, operations), workspaceHeader: typeof header === 'string' ? header : null };
}

function credentialOf(schemes: Record<string, Record<string, unknown>>, operations: readonly Operation[]): Credential {
  const { session, csrf, login, token, bearer, oauth2 } = schemes;
  const name = (scheme: Record<string, unknown>): string => String(scheme['name']);
  if (session !== undefined && csrf !== undefined)
    return { kind: 'session', query: name(session), csrfHeader: name(csrf) };
  if (login !== undefined) return { kind: 'login-token', header: name(login) };
  if (token !== undefined)
    return { kind: 'token-header', header: name(token), prefix: String(token['x-svc-prefix'] ?? '') };
  if (bearer !== undefined) return { kind: 'bearer' };
  const flows = oauth2?.['flows'] as { clientCredentials?: { tokenUrl?: string } } | undefined;
  const issuing = operations.find((operation) => operation.kind === 'token');
  return {
    kind: 'oauth2-client-credentials',
    tokenPath: issuing?.template ?? flows?.clientCredentials?.tokenUrl ?? TOKEN_PATH,
  };
}

export interface Presented {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  pairs: readonly (readonly [string, string])[];
}

/** Why a call is not let in, or null when it is. */
export function credentialProblem(auth: Auth, state: State, platform: string, call: Presented): Answer | null {
  const problem = credentialLack(auth, state, platform, call);
  if (problem !== null) return refuse(401, 'UNAUTHORIZED', problem, challengeOf(auth));
  if (auth.workspaceHeader === null || headerOf(call, auth.workspaceHeader) !== '') return null;
  const message = `header "${auth.workspaceHeader}": expected the id of a workspace on every call, got nothing`;
  return refuse(400, 'MISSING_HEADER', message);
}

function challengeOf(auth: Auth): Record<string, string> {
  const bears = auth.kind === 'oauth2-client-credentials' || auth.kind === 'bearer';
  return bears ? { 'www-authenticate': 'Bearer' } : {};
}

function credentialLack(auth: Auth, state: State, platform: string, call: Presented): string | null {
  switch (auth.kind) {
    case 'oauth2-client-credentials':
    case 'bearer':
      return bearerLack(auth.kind, state, platform, call);
    case 'token-header':
      return tokenHeaderLack(auth, call);
    case 'login-token':
      return loginTokenLack(auth.header, state, platform, call);
    case 'session':
      return sessionLack(auth, state, platform, call);
  }
}

function bearerLack(
  kind: 'oauth2-client-credentials' | 'bearer',
  state: State,
  platform: string,
  call: Presented,
): string | null {
  const place = 'header "Authorization"';
  const header = headerOf(call, 'Authorization');
  if (header === '') return `${place}: expected a bearer token, got nothing`;
  const token = /^Bearer (\S+)$/i.exec(header)?.[1];
  if (token === undefined) return `${place}: expected "Bearer <token>", got another scheme`;
  return kind === 'bearer' ? fixedLack(place, token) : issuedLack(state, platform, place, token);
}

function tokenHeaderLack(auth: { header: string; prefix: string }, call: Presented): string | null {
  const place = `header "${auth.header}"`;
  const header = headerOf(call, auth.header);
  if (header === '') return `${place}: expected an API token, got nothing`;
  if (!header.startsWith(auth.prefix)) return `${place}: expected "${auth.prefix}<token>", got another form`;
  return fixedLack(place, header.slice(auth.prefix.length));
}

function loginTokenLack(header: string, state: State, platform: string, call: Presented): string | null {
  const place = `header "${header}"`;
  const token = headerOf(call, header);
  if (token === '') return `${place}: expected a token from the login, got nothing`;
  return issuedLack(state, platform, place, token);
}

function sessionLack(
  auth: { query: string; csrfHeader: string },
  state: State,
  platform: string,
  call: Presented,
): string | null {
  const place = `query parameter "${auth.query}"`;
  const session = call.pairs.find(([name]) => name === auth.query)?.[1] ?? '';
  if (session === '') return `${place}: expected a session id from the login, got nothing`;
  const lack = issuedLack(state, platform, place, session);
  if (lack !== null || call.method === 'GET') return lack;
  const csrf = headerOf(call, auth.csrfHeader);
  if (csrf === '') return `header "${auth.csrfHeader}": expected the CSRF token of the session, got nothing`;
  return csrf === state.tokens.get(session)?.csrf
    ? null
    : `header "${auth.csrfHeader}": expected the CSRF token of this session, got another`;
}

function fixedLack(place: string, token: string): string | null {
  return isApiToken(token) ? null : `${place}: expected a token of this platform, got an unknown one`;
}

function issuedLack(state: State, platform: string, place: string, token: string): string | null {
  const issued = state.tokens.get(token);
  if (issued === undefined || issued.platform !== platform)
    return `${place}: expected a token this platform issued, got an unknown one`;
  // Token life is announced; a run asks for enforcement when it wants to meet expiry.
  if (state.enforced && state.clock.ms >= issued.issuedAtMs + issued.lifetimeSeconds * 1000)
    return `${place}: expected a token younger than ${issued.lifetimeSeconds} s, got an expired one`;
  return null;
}

/** The first value of a header, `''` when it was not sent. */
export function headerOf(call: Pick<Presented, 'headers'>, name: string): string {
  return [own(call.headers, name.toLowerCase())].flat()[0] ?? '';
}

/** The credential that a call presents and that a logout takes back; null where nothing was issued. */
export function presentedToken(auth: Auth, call: Presented): string | null {
  if (auth.kind === 'login-token') return headerOf(call, auth.header);
  return auth.kind === 'session' ? (call.pairs.find(([name]) => name === auth.query)?.[1] ?? null) : null;
}
