/** How each platform is opened, read from the security schemes of its documents: what a call must carry, and where to get it. */
import type { Document, Json, Operation } from './served-documents.ts';

export interface Account {
  client_id: string;
  client_secret: string;
  api_token: string;
  username: string;
  password: string;
  workspace_id: string;
}

/** What a call carries. */
export interface Credential {
  headers: Record<string, string>;
  query: Record<string, string>;
}

/** Where a platform gives a credential, and how its answer becomes one; a fixed credential needs no login. */
export type PlatformLogin =
  | { kind: 'fixed'; credential: Credential }
  | { kind: 'login'; path: string; contentType: string; body: string; credentialOf: (answer: Json) => Credential };

const FORM = 'application/x-www-form-urlencoded';

export function loginOf(documents: Iterable<Document>, account: Account): PlatformLogin {
  const all = [...documents];
  const schemes = Object.assign({}, ...all.map((document) => document.components?.['securitySchemes'])) as Schemes;
  const workspace = schemes['workspace'] === undefined ? {} : { [nameOf(schemes['workspace'])]: account.workspace_id };
  const login = schemeLogin(schemes, all, account);
  if (login.kind === 'fixed') return { kind: 'fixed', credential: withHeaders(login.credential, workspace) };
  return { ...login, credentialOf: (answer) => withHeaders(login.credentialOf(answer), workspace) };
}

type Schemes = Record<string, Json | undefined>;

function schemeLogin(schemes: Schemes, documents: readonly Document[], account: Account): PlatformLogin {
  const { session, csrf, login, token, oauth2 } = schemes;
  const { username, password, client_id, client_secret, api_token } = account;
  if (session !== undefined && csrf !== undefined) {
    return {
      kind: 'login',
      path: loginPath(documents),
      contentType: FORM,
      body: new URLSearchParams({ username, password }).toString(),
      credentialOf: (answer) => ({
        headers: { [nameOf(csrf)]: String(answer['csrf_token']) },
        query: { [nameOf(session)]: String(answer['session_id']) },
      }),
    };
  }
  if (login !== undefined) {
    return {
      kind: 'login',
      path: loginPath(documents),
      contentType: 'application/json',
      body: JSON.stringify({ username, password }),
      credentialOf: (answer) => header(nameOf(login), String(answer['token'])),
    };
  }
  if (token !== undefined) {
    const value = `${String(token['x-svc-prefix'] ?? '')}${api_token}`;
    return { kind: 'fixed', credential: header(nameOf(token), value) };
  }
  if (oauth2 !== undefined) {
    return {
      kind: 'login',
      path: tokenPath(oauth2),
      contentType: FORM,
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
      credentialOf: (answer) => header('authorization', `Bearer ${String(answer['access_token'])}`),
    };
  }
  return { kind: 'fixed', credential: header('authorization', `Bearer ${api_token}`) };
}

const header = (name: string, value: string): Credential => ({ headers: { [name]: value }, query: {} });

const withHeaders = ({ headers, query }: Credential, more: Record<string, string>): Credential => ({
  headers: { ...headers, ...more },
  query,
});

const nameOf = (scheme: Json): string => String(scheme['name']);

function tokenPath(oauth2: Json): string {
  const flows = oauth2['flows'] as { clientCredentials?: { tokenUrl?: string } };
  return flows.clientCredentials?.tokenUrl ?? '/as/token';
}

/** The one operation that the documents call a login. */
function loginPath(documents: readonly Document[]): string {
  for (const { paths } of documents) {
    for (const [path, item] of Object.entries(paths)) {
      if (Object.values(item).some((operation: Operation) => operation['x-svc-kind'] === 'login')) return path;
    }
  }
  throw new Error('a platform with a session should describe its login');
}
