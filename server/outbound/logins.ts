/** One login per account, kept on disk, with one refresh however many callers need it. */
import type { Account } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import type { KnownSecrets } from '../telemetry/known-secrets.ts';
import type { Login, LoginStrategy } from './auth/login-strategy.ts';
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

/** A platform that is asked with wrong credentials again and again locks the account. */
const REFUSED_MS = 5_000;

export class Logins {
  readonly #cache: TokenCache;
  readonly #secrets: KnownSecrets;
  readonly #egress: Egress;
  readonly #now: () => number;
  readonly #clock: Clock;
  readonly #held = new Map<string, HeldLogin>();
  readonly #refreshing = new Map<string, Promise<HeldLogin>>();
  readonly #refused = new Map<string, { account: Account; error: RouterError; untilMs: number }>();
  /** An account is the same object as long as nothing about it changed. */
  readonly #files = new WeakMap<Account, string>();

  constructor({ cache, secrets, egress = new Egress(), now = Date.now, clock = systemClock }: LoginsOptions) {
    this.#cache = cache;
    this.#secrets = secrets;
    this.#egress = egress;
    this.#now = now;
    this.#clock = clock;
  }

  /** The login of an account; undefined on a platform where nobody logs in. */
  async login(platform: PlatformDefinition, account: Account, mustBeProven: boolean): Promise<HeldLogin | undefined> {
    const strategy = loginStrategyOf(platform);
    if (strategy === undefined) return undefined;
    const file = this.#fileFor(strategy, platform, account);
    const held = this.#held.get(file);
    if (held && this.#serves(held, mustBeProven)) return held;
    // Another process may have renewed it meanwhile.
    const stored = mustBeProven || this.#refreshing.has(file) ? undefined : this.#fromDisk(file, held);
    if (stored && this.#serves(stored, mustBeProven)) return stored;
    return this.#refresh(strategy, platform, account, file);
  }

  /** The login that this process holds now; nothing is read or sent for it. */
  held(platform: PlatformDefinition, account: Account): HeldLogin | undefined {
    const strategy = loginStrategyOf(platform);
    return strategy && this.#held.get(this.#fileFor(strategy, platform, account));
  }

  prove(login: HeldLogin): void {
    login.proven = true;
  }

  /** Drops a login that a platform refused; a newer one that another caller or process has is kept. */
  reject(platform: PlatformDefinition, account: Account, login: HeldLogin): void {
    const strategy = loginStrategyOf(platform);
    if (strategy === undefined) return;
    const file = this.#fileFor(strategy, platform, account);
    if (this.#held.get(file) !== login) return;
    this.#held.delete(file);
    if (this.#cache.read(file)?.token === login.token) this.#cache.forget(file);
  }

  #serves(login: HeldLogin, mustBeProven: boolean): boolean {
    return login.usableUntilMs > this.#clock.now() && (login.proven || !mustBeProven);
  }

  #fileFor(strategy: LoginStrategy, platform: PlatformDefinition, account: Account): string {
    const known = this.#files.get(account);
    if (known !== undefined) return known;
    const file = this.#cache.fileFor(account.section, [
      account.clientId || account.username,
      strategy.url(platform, account),
      account.workspaceId ?? '',
    ]);
    this.#files.set(account, file);
    return file;
  }

  #fromDisk(file: string, held: HeldLogin | undefined): HeldLogin | undefined {
    const stored = this.#cache.read(file);
    if (!stored || stored.token === held?.token) return undefined;
    return this.#hold(file, stored, false);
  }

  #hold(file: string, login: Login, proven: boolean): HeldLogin {
    this.#secrets.learnIssued(login.token, login.csrf);
    const held = { ...login, proven, usableUntilMs: this.#clock.now() + login.expiresAt - this.#now() };
    this.#held.set(file, held);
    return held;
  }

  #refresh(strategy: LoginStrategy, platform: PlatformDefinition, account: Account, file: string): Promise<HeldLogin> {
    const running = this.#refreshing.get(file);
    if (running) return running;
    const refused = this.#refused.get(file);
    if (refused && refused.account === account && refused.untilMs > this.#clock.now())
      return Promise.reject(refused.error);
    const refresh = this.#logIn(strategy, platform, account)
      .then((login) => {
        this.#refused.delete(file);
        this.#cache.write(file, login);
        return this.#hold(file, login, true);
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

  async #logIn(strategy: LoginStrategy, platform: PlatformDefinition, account: Account): Promise<Login> {
    const send = (url: string, init: RequestInit) => this.#egress.fetch(url, init, { named: account.origins });
    for (let attempt = 1; ; attempt++) {
      try {
        return await strategy.logIn(platform, account, { now: this.#now, send });
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !mayPass(error)) throw error;
        await this.#clock.sleep(pauseMs(attempt, null, Math.random, this.#now()));
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
