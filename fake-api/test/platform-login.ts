/** How a client is let in by a platform: what it sends first, and what it sends with every call afterwards. */
import { API_TOKEN, CLIENT_ID, CLIENT_SECRET, PASSWORD, USERNAME } from '../engine/http/account.ts';
import { authOf } from '../engine/http/auth.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';

export interface Opening {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Pass {
  headers: Record<string, string>;
  /** Pair of the query, '' where the credential is no part of it. */
  query: string;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The call that a client opens a platform with; null where it has a token already. */
export function openingOf(platform: Platform): Opening | null {
  const auth = authOf(platform);
  const path = platform.operations.find(({ kind }) => kind === 'login' || kind === 'token')?.template ?? '';
  const person = { username: USERNAME, password: PASSWORD };
  if (auth.kind === 'oauth2-client-credentials') {
    const form = { grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
    return { method: 'POST', path: auth.tokenPath, headers: FORM, body: `${new URLSearchParams(form)}` };
  }
  if (auth.kind === 'session') return { method: 'POST', path, headers: FORM, body: `${new URLSearchParams(person)}` };
  if (auth.kind === 'login-token')
    return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(person) };
  return null;
}

/** What goes with every call, by what the opening was answered with. */
export function passOf(platform: Platform, opened: string | null): Pass {
  const auth = authOf(platform);
  const given = (opened === null ? {} : JSON.parse(opened)) as Record<string, string>;
  const workspace = auth.workspaceHeader === null ? {} : { [auth.workspaceHeader.toLowerCase()]: 'demo-workspace' };
  const pass = (headers: Record<string, string>, query = ''): Pass => ({
    headers: { ...headers, ...workspace },
    query,
  });
  switch (auth.kind) {
    case 'oauth2-client-credentials':
      return pass({ authorization: `Bearer ${given['access_token']}` });
    case 'bearer':
      return pass({ authorization: `Bearer ${API_TOKEN}` });
    case 'token-header':
      return pass({ [auth.header.toLowerCase()]: `${auth.prefix}${API_TOKEN}` });
    case 'login-token':
      return pass({ [auth.header.toLowerCase()]: `${given['token']}` });
    case 'session':
      return pass(
        { [auth.csrfHeader.toLowerCase()]: `${given['csrf_token']}` },
        `${auth.query}=${given['session_id']}`,
      );
  }
}

/** A query with the pair of the pass in it. */
export function withPass(query: string, pass: Pass): string {
  return [query, pass.query].filter((part) => part !== '').join('&');
}
