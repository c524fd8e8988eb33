/** A request to the token endpoint of OAuth2 (RFC 6749, 3.2), which all its grants share. */
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { exchange, type Send, textAt, usableUntil } from './exchange.ts';
import type { Login } from './login-strategy.ts';

/** Lifetime of a token without `expires_in`, which RFC 6749 leaves open. */
const ASSUMED_LIFETIME_SECONDS = 3600;

export interface TokenRequest {
  url: string;
  form: Readonly<Record<string, string>>;
  /** Name of what is presented, for messages. */
  presenting: string;
  now: () => number;
  send: Send;
}

export function tokenRequest(platform: PlatformDefinition, request: TokenRequest): Promise<Login> {
  const { url, form, presenting, now, send } = request;
  return exchange(
    platform,
    {
      url,
      body: new URLSearchParams(form).toString(),
      contentType: 'application/x-www-form-urlencoded',
      endpoint: 'token endpoint',
      presenting,
      expected: 'access_token and expires_in',
    },
    send,
    (answer) => {
      const token = textAt(answer, 'access_token');
      const refresh = textAt(answer, 'refresh_token');
      const lifetime = Number((answer as { expires_in?: unknown } | undefined)?.expires_in ?? ASSUMED_LIFETIME_SECONDS);
      if (token === undefined || !(lifetime > 0)) return undefined;
      return { token, expiresAt: usableUntil(now(), lifetime), ...(refresh === undefined ? {} : { refresh }) };
    },
  );
}

export const bearerOf = ({ token }: Pick<Login, 'token'>) => ({ headers: { authorization: `Bearer ${token}` } });
