/** A request on the wire: its URL and headers as they are sent, and the same described without a secret. */
import type { Capability } from '../access/access-policy.ts';
import type { Grant } from '../access/grant.ts';
import type { Account } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import type { Waiter } from '../principals/fair-queue.ts';
import { type AccountBinding, bindingOf } from './account-binding.ts';
import type { Presented } from './auth/login-strategy.ts';
import type { SecurityRequirement, Sender } from './auth/security-requirement.ts';
import { loginStrategyOf, presented, type ReadyCredential } from './auth/strategy.ts';
import type { CallCost, Wait } from './call-cost.ts';

export interface PlatformRequest {
  platform: PlatformDefinition;
  capability: Capability;
  method: string;
  /** Document path with values filled in, and the query without its question mark. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  body?: { text: string; contentType: string; bytes?: Uint8Array<ArrayBuffer> };
  /** Media types that are asked for; JSON when left out. */
  accept?: string;
  /** A redirect is the answer that the operation declares. */
  redirects?: true;
  /** What the operation asks for, on a platform with declared schemes. */
  security?: SecurityRequirement;
  signal?: AbortSignal;
  grant?: Grant;
  /** The account that was approved, by its identity: any other account is refused with PLAN_STALE, nothing sent. */
  account?: string;
  /** End of the call this is part of, as a time of `performance.now()`; the configured time from now when left out. */
  until?: number;
  /** Added to, whatever the end. */
  cost?: CallCost;
  /** Whose call it is: permits are given out fairly between principals. */
  waiter?: Waiter;
  /** Once the request waits for no permit any more: what it throws ends it, and nothing is sent. */
  beforeSending?: () => Promise<void>;
  /** Told of every wait as it begins. */
  waiting?: (wait: Wait) => void;
}

/** A header as it will be sent. Of a credential nothing is told; `shown` says in words where a value comes from that is not known yet. */
export interface DescribedHeader {
  name: string;
  value: string | { credential: true } | { shown: string };
}

/** Request line and headers of a request, as `send` makes them. */
export interface DescribedRequest {
  account: AccountBinding;
  method: string;
  /** Path and query on the wire, with `********` in place of a session id. */
  target: string;
  headers: readonly DescribedHeader[];
}

/** The request as it would be sent, with a blank in place of each login: the same before a login and after it. */
export function describeRequest(
  request: Omit<PlatformRequest, 'capability'>,
  { account, credentials }: Sender,
): DescribedRequest {
  const { method } = request;
  const sender = presented(
    credentials.map((credential): ReadyCredential => {
      const login = loginStrategyOf(credential.platform) ? { token: '', csrf: '', expiresAt: 0 } : undefined;
      return { ...credential, login };
    }),
  );
  const masked = {
    ...sender,
    ...(sender.query ? { query: mapValues(sender.query, () => CREDENTIAL_SHOWN) } : {}),
    ...(sender.cookies ? { cookies: mapValues(sender.cookies, () => CREDENTIAL_SHOWN) } : {}),
  };
  const url = new URL(urlOf(account, request, masked));
  const headers = Object.entries(headersOf(request, masked)).map(
    ([name, value]): DescribedHeader => ({
      name,
      value: sender.credentials.includes(name) ? { credential: true } : value,
    }),
  );
  return { account: bindingOf({ account, credentials }), method, target: url.href.slice(url.origin.length), headers };
}

const CREDENTIAL_SHOWN = '********';

const mapValues = (pairs: Readonly<Record<string, string>>, map: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, map(value)]));

/** Headers of a request, in lower case. A header of the router replaces the caller's. */
export function headersOf(
  { headers, body, accept = 'application/json' }: Omit<PlatformRequest, 'capability'>,
  sender: Presented,
): Record<string, string> {
  const cookies = [
    ...(headers['cookie'] === undefined ? [] : [headers['cookie']]),
    ...Object.entries(sender.cookies ?? {}).map(([name, value]) => `${name}=${value}`),
  ];
  return {
    ...headers,
    accept,
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    ...sender.headers,
    ...(body ? { 'content-type': body.contentType } : {}),
  };
}

export function urlOf(
  account: Account,
  { path, query }: Pick<PlatformRequest, 'path' | 'query'>,
  sender: Presented,
): string {
  if (sender.query === undefined) return account.baseUrl + path + (query ? `?${query}` : '');
  const own = new URLSearchParams(sender.query).toString();
  return `${account.baseUrl}${path}?${query ? `${query}&${own}` : own}`;
}
