/** `auth:` of `platform.yaml`: how a caller proves who it is. */
import type { Spot } from './model-file.ts';

export type AuthModel =
  | {
      readonly kind: 'oauth2-client-credentials';
      readonly token: string;
      readonly lifetime: number;
      /** Header that every call but the token request must carry. */
      readonly workspaceHeader: string | null;
    }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'token-header'; readonly header: string; readonly prefix: string }
  | {
      readonly kind: 'login-token';
      readonly login: string;
      readonly logout: string;
      readonly header: string;
      readonly lifetime: number;
    }
  | {
      readonly kind: 'session';
      readonly login: string;
      readonly logout: string;
      /** Query parameter that carries the session id. */
      readonly query: string;
      /** Header that carries the CSRF token of the session. */
      readonly header: string;
      readonly lifetime: number;
    };

export const authKinds = ['oauth2-client-credentials', 'bearer', 'token-header', 'login-token', 'session'] as const;

const keysOf: Readonly<Record<AuthModel['kind'], readonly string[]>> = {
  'oauth2-client-credentials': ['token', 'lifetime', 'workspace-header'],
  bearer: [],
  'token-header': ['header', 'prefix'],
  'login-token': ['login', 'logout', 'header', 'lifetime'],
  session: ['login', 'logout', 'query', 'header', 'lifetime'],
};

export function readAuth(spot: Spot): AuthModel {
  const kind = (spot.mapping().get('kind') ?? spot.fail('the key kind', 'none')).oneOf(authKinds);
  const at = spot.mapping(['kind', ...keysOf[kind]]);
  const need = (key: string): Spot => at.get(key) ?? spot.fail(`the key ${key} beside kind: ${kind}`, 'none');
  const account = () => ({
    login: need('login').text(),
    logout: need('logout').text(),
    header: need('header').text(),
    lifetime: need('lifetime').whole(),
  });
  switch (kind) {
    case 'oauth2-client-credentials':
      return {
        kind,
        token: need('token').text(),
        lifetime: need('lifetime').whole(),
        workspaceHeader: at.get('workspace-header')?.text() ?? null,
      };
    case 'bearer':
      return { kind };
    case 'token-header': {
      const prefix = at.get('prefix')?.value ?? '';
      if (typeof prefix !== 'string') at.get('prefix')?.fail('a text, which may be empty');
      return { kind, header: need('header').text(), prefix: prefix as string };
    }
    case 'login-token':
      return { kind, ...account() };
    case 'session':
      return { kind, ...account(), query: need('query').text() };
  }
}
