/** One login per account, kept on disk, with one refresh however many callers need it. */
import type { Account } from '../config/credentials.ts';
import { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import type { KnownSecrets } from '../telemetry/known-secrets.ts';
import type { Login, LoginMeans, LoginStrategy } from './auth/login-strategy.ts';
import type { Credential } from './auth/security-requirement.ts';
import { loginStrategyOf } from './auth/strategy.ts';
import { type Clock, systemClock } from './rate-limit.ts';
import { MAX_ATTEMPTS, pauseMs } from './retry.ts';
import type { TokenCache } from './token-cache.ts';

export interface HeldLogin extends Login {
  /** True once this process obtained it or a platform accepted it: only such a login may carry a write. */
  proven: boolean;
  /** End of its use by the clock that nobody can set. */
  usableUntilMs: number;
}

export interface LoginsOptions {
  cache: TokenCache;
  /** Learns every login, so that it is masked wherever it turns up. */
  secrets: KnownSecrets;
  /** The default holds no list: the origins named in the account decide alone. */
  egress?: Egress;
  /** Wall clock, in epoch milliseconds; it may be wrong and may jump. */
  now?: () => number;
  clock?: Clock;
}

/** What a login is for; `path` is that of the request. */
interface Needed {
  path: string;
  file: string;
  mustBeProven: boolean;
}

/** A platform that is asked with wrong credentials again and again locks the account. */
const REFUSED_MS = 5_000;

export class Logins {
  readonly #cache: TokenCache;
  readonly #secrets: KnownSecrets;
  readonly #egress: Egress;
  readonly #now: () => number;
  readonly #clock: Clock;
  readonly #held = new Map<string, HeldLogin>();
  /** Logins that the disk did not take: what stands there is older than what is held. */
  readonly #unwritten = new Set<string>();
  readonly #refreshing = new Map<string, Promise<HeldLogin>>();
  readonly #refused = new Map<string, { account: Account; error: RouterError; untilMs: number }>();
  /** An account is the same object as long as nothing about it changed. */
  readonly #files = new WeakMap<Account, Map<string, string>>();

  constructor({ cache, secrets, egress = new Egress(), now = Date.now, clock = systemClock }: LoginsOptions) {
    this.#cache = cache;
    this.#secrets = secrets;
    this.#egress = egress;
    this.#now = now;
    this.#clock = clock;
  }

  /** The login that a credential needs; undefined for one that needs none. `path` is that of the request it is for. */
  async login(credential: Credential, path: string, mustBeProven: boolean): Promise<HeldLogin | undefined> {
    const strategy = loginStrategyOf(credential.platform);
    if (strategy === undefined) return undefined;
    const file = this.#fileFor(strategy, credential);
    const held = this.#held.get(file);
    if (held && this.#serves(held, mustBeProven)) return held;
    // Another process may have renewed it meanwhile.
    const stored = mustBeProven || this.#refreshing.has(file) ? undefined : this.#fromDisk(file, held);
    if (stored && this.#serves(stored, mustBeProven)) return stored;
    const login = await this.#refresh(strategy, credential, { path, file, mustBeProven });
    // Somebody who only reads began it, and another process had renewed it.
    return login.proven || !mustBeProven ? login : this.login(credential, path, mustBeProven);
  }

  prove(login: HeldLogin): void {
    login.proven = true;
  }

  /** Drops a login that a platform refused; a newer one that another caller or process has is kept. */
  reject(credential: Credential, login: Login): void {
    const strategy = loginStrategyOf(credential.platform);
    if (strategy === undefined) return;
    const file = this.#fileFor(strategy, credential);
    const held = this.#held.get(file);
    if (held === undefined || held !== login) return;
    if (held.refresh !== undefined) {
      // The refresh token of a refused access token is still needed, and the disk may not have taken it.
      this.#held.set(file, { ...held, usableUntilMs: Number.NEGATIVE_INFINITY });
      this.#cache.expire(file, held.token);
      return;
    }
    this.#held.delete(file);
    if (this.#cache.read(file)?.token === held.token) this.#cache.forget(file);
  }

  #write(file: string, login: Login): void {
    if (this.#cache.write(file, login)) this.#unwritten.delete(file);
    else this.#unwritten.add(file);
  }

  #serves(login: HeldLogin, mustBeProven: boolean): boolean {
    return login.usableUntilMs > this.#clock.now() && (login.proven || !mustBeProven);
  }

  #fileFor(strategy: LoginStrategy, { platform, account, scopes }: Credential): string {
    const files = this.#files.get(account) ?? new Map<string, string>();
    this.#files.set(account, files);
    const key = scopes.join(' ');
    const known = files.get(key);
    if (known !== undefined) return known;
    const file = this.#cache.fileFor(account.section, [
      account.clientId || account.username,
      strategy.url(platform, account),
      account.workspaceId ?? '',
      // Left out where there is none, so that files of earlier versions keep their names.
      ...(key === '' && account.refreshToken === '' ? [] : [key, account.refreshToken]),
    ]);
    files.set(key, file);
    return file;
  }

  #fromDisk(file: string, held: HeldLogin | undefined): HeldLogin | undefined {
    const stored = this.#unwritten.has(file) ? undefined : this.#cache.read(file);
    if (!stored || stored.token === held?.token) return undefined;
    return this.#hold(file, stored, false);
  }

  #hold(file: string, login: Login, proven: boolean): HeldLogin {
    this.#secrets.holdIssued(`login ${file}`, [login.token, login.csrf, login.refresh]);
    const held = { ...login, proven, usableUntilMs: this.#clock.now() + login.expiresAt - this.#now() };
    this.#held.set(file, held);
    return held;
  }

  #refresh(strategy: LoginStrategy, credential: Credential, needed: Needed): Promise<HeldLogin> {
    const { account } = credential;
    const { file } = needed;
    const running = this.#refreshing.get(file);
    if (running) return running;
    const refused = this.#refused.get(file);
    if (refused && refused.account === account && refused.untilMs > this.#clock.now())
      return Promise.reject(refused.error);
    const renewed = strategy.rotates
      ? this.#cache.whileAlone(file, () => this.#renewOnce(strategy, credential, needed))
      : this.#renew(strategy, credential, needed);
    const refresh = renewed
      .then((login) => {
        this.#refused.delete(file);
        return login;
      })
      .catch((error: unknown) => {
        if (error instanceof RouterError && error.code === 'UPSTREAM_FORBIDDEN')
          this.#refused.set(file, { account, error, untilMs: this.#clock.now() + REFUSED_MS });
        throw error;
      })
      .finally(() => this.#refreshing.delete(file));
    this.#refreshing.set(file, refresh);
    return refresh;
  }

  /** What another process got while this one waited for it is used, not renewed once more. */
  async #renewOnce(strategy: LoginStrategy, credential: Credential, needed: Needed): Promise<HeldLogin> {
    const { file, mustBeProven } = needed;
    const stored = mustBeProven ? undefined : this.#fromDisk(file, this.#held.get(file));
    return stored && this.#serves(stored, mustBeProven) ? stored : this.#renew(strategy, credential, needed);
  }

  async #renew(strategy: LoginStrategy, credential: Credential, { path, file }: Needed): Promise<HeldLogin> {
    const previous = strategy.ownProcess ? undefined : this.#newest(file);
    const login = await this.#logIn(strategy, credential, { path, previous });
    if (!strategy.ownProcess) this.#write(file, login);
    return this.#hold(file, login, true);
  }

  /** Where refresh tokens replace each other, one that another process has used up ends the login at some servers. */
  #newest(file: string): Login | undefined {
    const held = this.#held.get(file);
    if (this.#unwritten.has(file)) return held;
    return this.#cache.read(file) ?? held;
  }

  async #logIn(
    strategy: LoginStrategy,
    { platform, account, scopes }: Credential,
    more: Pick<LoginMeans, 'path' | 'previous'>,
  ): Promise<Login> {
    const { origins: named, certificate } = account;
    const send = (url: string, init: RequestInit) => this.#egress.fetch(url, init, { named, certificate });
    for (let attempt = 1; ; attempt++) {
      try {
        return await strategy.logIn(platform, account, { now: this.#now, send, scopes, ...more });
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !mayPass(error)) throw error;
        await this.#clock.sleep(pauseMs(attempt, undefined, Math.random));
      }
    }
  }
}

/** Asking again for a login does no harm where the platform had a bad moment; what it refused, it will refuse again. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof RouterError)) return false;
  const status = error.details['upstream_status'];
  const failed = error.code === 'UPSTREAM_FAILED' && typeof status === 'number' && (status >= 500 || status === 429);
  return failed || error.code === 'UPSTREAM_BROKEN';
}
