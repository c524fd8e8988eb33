/**
 * Sessions of the console: a signed cookie, so that every replica takes it, and a memory of those that ended. A session is
 * made at sign-in, never before, so none can be planted; it ends with its time, at sign-out, with the operator, with a change
 * of the password and with the memory of the sessions that ended.
 */
import { randomBytes } from 'node:crypto';
import type { Operator, Operators } from '../approvals/operators.ts';
import { type Keys, keysFor } from '../dispatch/keyring.ts';
import { isSigned, macOf, Signer } from '../dispatch/signing.ts';
import type { SingleUse } from '../dispatch/single-use.ts';

export const SESSION_MS = 8 * 3_600_000;

export interface Session {
  id: string;
  operator: Operator;
  /** What every form of this session has to bring. */
  formToken: string;
}

interface Sealed {
  id: string;
  name: string;
  stamp: string;
  /** Memory that knows whether it has ended. */
  store: string;
  /** Milliseconds since 1970. */
  until: number;
}

export interface SessionOptions {
  keys: Keys;
  used: SingleUse;
  operators: Operators;
  /** Cookies go over https alone. */
  secure: boolean;
  now?: () => number;
}

export class ConsoleSessions {
  readonly #signer: Signer;
  readonly #formKeys: Keys;
  readonly #options: SessionOptions;
  readonly #now: () => number;
  readonly #cookie: string;
  readonly #visitor: string;

  constructor(options: SessionOptions) {
    this.#signer = new Signer(options.keys, 'console-session');
    this.#formKeys = keysFor(options.keys, 'console-form');
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const prefix = options.secure ? '__Host-' : '';
    this.#cookie = `${prefix}svc_mcp_console`;
    this.#visitor = `${prefix}svc_mcp_visitor`;
  }

  /** The Set-Cookie header of a new session; the one before it ends. */
  async begin({ name, stamp }: Operator, cookies: string | undefined): Promise<string> {
    await this.end(cookies);
    const until = this.#now() + SESSION_MS;
    const store = this.#options.used.id;
    const sealed: Sealed = { id: randomBytes(18).toString('base64url'), name, stamp, store, until };
    return this.#set(this.#cookie, this.#signer.seal(sealed), SESSION_MS / 1000);
  }

  /** The session of a request; undefined where there is none that still counts. */
  async find(cookies: string | undefined): Promise<Session | undefined> {
    const sealed = this.#sealedIn(cookies);
    if (sealed === undefined || sealed.until <= this.#now()) return undefined;
    const operator = this.#options.operators.find(sealed.name);
    if (operator === undefined || operator.stamp !== sealed.stamp) return undefined;
    // A memory that was lost meanwhile may have held its end.
    if (sealed.store !== this.#options.used.id) return undefined;
    if (await this.#options.used.isConsumed(sealed.id, sealed.until)) return undefined;
    return { id: sealed.id, operator, formToken: this.#tokenOf(sealed.id) };
  }

  /** Ends the session on every replica; answers the Set-Cookie header that removes the cookie. */
  async end(cookies: string | undefined): Promise<string> {
    const sealed = this.#sealedIn(cookies);
    if (sealed && sealed.until > this.#now()) await this.#options.used.consume(sealed.id, sealed.until);
    return this.#set(this.#cookie, '', 0);
  }

  /** Before sign-in: a cookie of no power, and the token that the sign-in form has to bring with it. */
  visit(): { cookie: string; formToken: string } {
    const nonce = randomBytes(18).toString('base64url');
    return { cookie: this.#set(this.#visitor, nonce, 3_600), formToken: this.#tokenOf(nonce) };
  }

  isVisitorToken(cookies: string | undefined, token: string): boolean {
    const nonce = cookieIn(cookies, this.#visitor);
    return nonce !== undefined && isSigned(this.#formKeys, nonce, token);
  }

  isFormToken({ id }: Session, token: string): boolean {
    return isSigned(this.#formKeys, id, token);
  }

  #tokenOf(id: string): string {
    return macOf(this.#formKeys.current, id);
  }

  #sealedIn(cookies: string | undefined): Sealed | undefined {
    const value = cookieIn(cookies, this.#cookie);
    return value === undefined ? undefined : (this.#signer.open(value) as Sealed | undefined);
  }

  #set(name: string, value: string, seconds: number): string {
    const secure = this.#options.secure ? '; Secure' : '';
    return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

/** The one cookie of this name; two of them are none, because only one can be ours. */
export function cookieIn(cookies: string | undefined, name: string): string | undefined {
  const values = (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
