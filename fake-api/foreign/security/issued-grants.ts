/** Tokens and codes that the token endpoint of a foreign platform gave out. */
import { Dice } from '../../engine/state/determinism.ts';
import type { IssuedToken, State, TokenGrant } from '../../engine/state/state.ts';

const PREFIX: Readonly<Record<TokenGrant['kind'], string>> = {
  access: 'fake-access-',
  refresh: 'fake-refresh-',
  code: 'fake-code-',
};
const LIFETIME_SECONDS: Readonly<Record<TokenGrant['kind'], number>> = {
  access: 3600,
  refresh: 30 * 86_400,
  code: 600,
};

export function lifetimeOf(kind: TokenGrant['kind']): number {
  return LIFETIME_SECONDS[kind];
}

export function issueGrant(state: State, platform: string, grant: TokenGrant): string {
  const number = state.next(`token ${platform}`);
  const token = `${PREFIX[grant.kind]}${new Dice(state.seed, grant.kind, platform, number).base32(40)}`;
  const issued: IssuedToken = {
    platform,
    issuedAtMs: state.clock.ms,
    lifetimeSeconds: LIFETIME_SECONDS[grant.kind],
    grant,
  };
  state.tokens.set(token, issued);
  return token;
}

/** Whether a fake issues tokens of this form. */
export const isAccessToken = (token: string): boolean => token.startsWith(PREFIX.access);
export const isRefreshToken = (token: string): boolean => token.startsWith(PREFIX.refresh);

/** Null for a token that this platform did not issue, or that is too old where the namespace enforces limits. */
export function issuedGrant(state: State, platform: string, token: string): TokenGrant | null {
  const issued = state.tokens.get(token);
  if (issued?.grant === undefined || issued.platform !== platform) return null;
  const isOld = state.enforced && state.clock.ms >= issued.issuedAtMs + issued.lifetimeSeconds * 1000;
  return isOld ? null : issued.grant;
}

/** A code is good for one exchange (RFC 6749 §4.1.2). */
export function takeCode(state: State, platform: string, code: string): TokenGrant | null {
  const grant = issuedGrant(state, platform, code);
  if (grant?.kind !== 'code') return null;
  state.tokens.delete(code);
  return grant;
}
