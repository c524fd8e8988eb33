/** One login per account, kept on disk, with one refresh however many callers need it. */
import type { Account } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { type Login, type LoginStrategy, loginStrategyOf } from './auth/strategy.ts';
import type { TokenCache } from './token-cache.ts';

export interface HeldLogin extends Login {
  /** True once this process obtained it or a platform accepted it: only such a login may carry a write. */
  proven: boolean;
}

export class Logins {
  readonly #cache: TokenCache;
  readonly #now: () => number;
  readonly #held = new Map<string, HeldLogin>();
  readonly #refreshing = new Map<string, Promise<HeldLogin>>();

  constructor(cache: TokenCache, now: () => number = Date.now) {
    this.#cache = cache;
    this.#now = now;
  }

  /** Every value of a login this process knows, so that it can be masked wherever it turns up. */
  values(): string[] {
    return [...this.#held.values()].flatMap(({ token, csrf }) => (csrf === undefined ? [token] : [token, csrf]));
  }

  /** The login of an account; undefined on a platform where nobody logs in. */
  async login(platform: PlatformDefinition, account: Account, mustBeProven: boolean): Promise<HeldLogin | undefined> {
    const strategy = loginStrategyOf(platform);
    if (strategy === undefined) return undefined;
    const file = this.#fileFor(strategy, platform, account);
    const held = this.#held.get(file) ?? this.#fromDisk(file);
    if (held && held.expiresAt > this.#now() && (held.proven || !mustBeProven)) return held;
    return this.#refresh(strategy, platform, account, file);
  }

  prove(login: HeldLogin): void {
    login.proven = true;
  }

  /** Drops a login that a platform refused; a newer one that another caller already has is kept. */
  reject(platform: PlatformDefinition, account: Account, login: HeldLogin): void {
    const strategy = loginStrategyOf(platform);
    if (strategy === undefined) return;
    const file = this.#fileFor(strategy, platform, account);
    if (this.#held.get(file) !== login) return;
    this.#held.delete(file);
    this.#cache.forget(file);
  }

  #fileFor(strategy: LoginStrategy, platform: PlatformDefinition, account: Account): string {
    return this.#cache.fileFor(account.section, [
      account.clientId || account.username,
      strategy.url(platform, account),
      account.workspaceId ?? '',
    ]);
  }

  #fromDisk(file: string): HeldLogin | undefined {
    const stored = this.#cache.read(file);
    if (!stored) return undefined;
    const login = { ...stored, proven: false };
    this.#held.set(file, login);
    return login;
  }

  #refresh(strategy: LoginStrategy, platform: PlatformDefinition, account: Account, file: string): Promise<HeldLogin> {
    const running = this.#refreshing.get(file);
    if (running) return running;
    const refresh = strategy
      .logIn(platform, account, this.#now)
      .then((login) => {
        const held = { ...login, proven: true };
        this.#held.set(file, held);
        this.#cache.write(file, login);
        return held;
      })
      .finally(() => this.#refreshing.delete(file));
    this.#refreshing.set(file, refresh);
    return refresh;
  }
}
