/** What a strategy answers for: where it logs in, what a login gives, and what a request then presents. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import type { Send } from './exchange.ts';

/** What a login gave: values to present until the platform forgets them. */
export interface Login {
  token: string;
  /** Second value of a session, presented in a header against forged requests. */
  csrf?: string;
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
}

/** The headers of a strategy. Each of them is a credential. */
type OwnPresented = Omit<Presented, 'credentials'>;

export interface FixedStrategy {
  present(platform: PlatformDefinition, account: Account): OwnPresented;
}

export interface LoginStrategy {
  /** URL of the login. It is part of the account's identity in the cache. */
  url(platform: PlatformDefinition, account: Account): string;
  /** One request for a login. Refused credentials are UPSTREAM_FORBIDDEN, anything unexpected UPSTREAM_FAILED. */
  logIn(platform: PlatformDefinition, account: Account, means: { now: () => number; send: Send }): Promise<Login>;
  present(platform: PlatformDefinition, login: Login): OwnPresented;
}
