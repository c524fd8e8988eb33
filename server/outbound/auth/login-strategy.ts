/** What a strategy answers for: where it logs in, what a login gives, and what a request then presents. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import type { Send } from './exchange.ts';

/** What a login gave: values to present until the platform forgets them. */
export interface Login {
  token: string;
  /** Second value of a session, presented in a header against forged requests. */
  csrf?: string;
  /** Refresh token that replaces the one of the account. */
  refresh?: string;
  /** Epoch milliseconds after which it is not used any more. */
  expiresAt: number;
}

/** What a request carries for its sender. Header names in lower case, so that no header of a caller stands beside it. */
export interface Presented {
  headers: Readonly<Record<string, string>>;
  /** Names of those headers whose value is a credential. */
  credentials: readonly string[];
  /** Pairs for the query, never part of what is shown or logged. */
  query?: Readonly<Record<string, string>>;
  /** Cookies beside those of the caller, never part of what is shown or logged. */
  cookies?: Readonly<Record<string, string>>;
}

/** The headers of a strategy. Each of them is a credential. */
export type OwnPresented = Omit<Presented, 'credentials'>;

/** The request that a credential is made for, where it is made anew for each. */
export interface Signing {
  account: Account;
  method: string;
  /** Path and query on the wire. */
  target: string;
}

export interface LoginMeans {
  now: () => number;
  send: Send;
  /** Scopes of OAuth2 that the operation needs. */
  scopes: readonly string[];
  /** Path of the request that the login is for. */
  path: string;
  /** The login before this one, where there was one. */
  previous?: Login | undefined;
}

export interface FixedStrategy {
  present(platform: PlatformDefinition, account: Account): OwnPresented;
}

export interface LoginStrategy {
  /** URL of the login. It is part of the account's identity in the cache. */
  url(platform: PlatformDefinition, account: Account): string;
  /** One request for a login. Refused credentials are UPSTREAM_FORBIDDEN, anything unexpected UPSTREAM_FAILED. */
  logIn(platform: PlatformDefinition, account: Account, means: LoginMeans): Promise<Login>;
  /** Without `signing` it is for a preview: what depends on the request is then empty. */
  present(platform: PlatformDefinition, login: Login, signing?: Signing): OwnPresented;
  /** True for a login that no other process can use: it is not kept on disk. */
  ownProcess?: true;
  /** True where a login replaces what the next one presents: of the processes that share it, one at a time may log in. */
  rotates?: true;
}
