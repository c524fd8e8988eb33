/** Where a sign-in for an added platform goes: only to addresses, or origins, that the operator named. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import type { AccountValues } from './answers.ts';

type Auth = PlatformDefinition['auth'];

export interface SignInEndpoints {
  authorizationUrl: string | undefined;
  tokenUrl: string | undefined;
}

/** What a document states counts on an origin that the operator named, as the router itself does (`config/credentials.ts`). */
export function signInEndpoints(platform: PlatformDefinition, accounts: AccountValues): SignInEndpoints {
  const { auth } = platform;
  const account = accounts[auth.section] ?? {};
  const tokenUrl = account['token_url'] ?? ownTokenUrl(platform, accounts);
  const named = [...namedOrigins(platform, accounts), ...(tokenUrl === undefined ? [] : [new URL(tokenUrl).origin])];
  const stated = auth.stated_authorization_url;
  return {
    authorizationUrl:
      account['authorization_url'] ??
      (stated !== undefined && named.includes(new URL(stated).origin) ? stated : undefined),
    tokenUrl,
  };
}

/** The token URL that needs no naming: below the base URL, by a flag of `catalog add`, or stated on a named origin. */
export function ownTokenUrl(platform: PlatformDefinition, accounts: AccountValues): string | undefined {
  const { token_path: path, stated_token_url: stated }: Auth = platform.auth;
  const base = baseUrlOf(platform, accounts);
  if (path !== undefined) return path.startsWith('/') ? base && base + path : path;
  return stated !== undefined && base !== undefined && new URL(stated).origin === new URL(base).origin
    ? stated
    : undefined;
}

export function baseUrlOf({ auth, base_url }: PlatformDefinition, accounts: AccountValues): string | undefined {
  const url = accounts[auth.base_section ?? auth.section]?.['base_url'] ?? base_url;
  return url === undefined || !URL.canParse(url) ? undefined : url.replace(/\/+$/, '');
}

function namedOrigins(platform: PlatformDefinition, accounts: AccountValues): string[] {
  const base = baseUrlOf(platform, accounts);
  return [...(base === undefined ? [] : [new URL(base).origin]), ...(platform.named_origins ?? [])];
}
