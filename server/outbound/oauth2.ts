/** OAuth2 client credentials: one token per account, one refresh however many callers need it. */
import type { Account } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { hostOf, unreachable } from './failure.ts';
import type { TokenCache } from './token-cache.ts';

export interface PlatformToken {
  accessToken: string;
  expiresAt: number;
  /** True once this process obtained it or a platform accepted it: only such a token may carry a write. */
  proven: boolean;
}

const REQUEST_TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;

export class TokenSource {
  readonly #cache: TokenCache;
  readonly #now: () => number;
  readonly #held = new Map<string, PlatformToken>();
  readonly #refreshing = new Map<string, Promise<PlatformToken>>();

  constructor(cache: TokenCache, now: () => number = Date.now) {
    this.#cache = cache;
    this.#now = now;
  }

  /** Every token value this process knows, so that it can be masked wherever it turns up. */
  values(): string[] {
    return [...this.#held.values()].map(({ accessToken }) => accessToken);
  }

  async token(platform: PlatformDefinition, account: Account, mustBeProven: boolean): Promise<PlatformToken> {
    const file = this.#fileFor(platform, account);
    const held = this.#held.get(file) ?? this.#fromDisk(file);
    if (held && held.expiresAt > this.#now() && (held.proven || !mustBeProven)) return held;
    return this.#refresh(platform, account, file);
  }

  prove(token: PlatformToken): void {
    token.proven = true;
  }

  /** Drops a token that a platform refused; a newer one that another caller already has is kept. */
  reject(platform: PlatformDefinition, account: Account, token: PlatformToken): void {
    const file = this.#fileFor(platform, account);
    if (this.#held.get(file) !== token) return;
    this.#held.delete(file);
    this.#cache.forget(file);
  }

  #fileFor(platform: PlatformDefinition, account: Account): string {
    return this.#cache.fileFor(account.section, [
      account.clientId,
      tokenUrl(platform, account),
      account.workspaceId ?? '',
    ]);
  }

  #fromDisk(file: string): PlatformToken | undefined {
    const stored = this.#cache.read(file);
    if (!stored) return undefined;
    const token = { ...stored, proven: false };
    this.#held.set(file, token);
    return token;
  }

  #refresh(platform: PlatformDefinition, account: Account, file: string): Promise<PlatformToken> {
    const running = this.#refreshing.get(file);
    if (running) return running;
    const refresh = requestToken(platform, account, this.#now)
      .then((token) => {
        this.#held.set(file, token);
        this.#cache.write(file, { accessToken: token.accessToken, expiresAt: token.expiresAt });
        return token;
      })
      .finally(() => this.#refreshing.delete(file));
    this.#refreshing.set(file, refresh);
    return refresh;
  }
}

function tokenUrl(platform: PlatformDefinition, account: Account): string {
  const path = platform.auth.token_path ?? '';
  return path.startsWith('/') ? account.baseUrl + path : path;
}

async function requestToken(platform: PlatformDefinition, account: Account, now: () => number): Promise<PlatformToken> {
  const url = tokenUrl(platform, account);
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: account.clientId,
        client_secret: account.clientSecret,
      }).toString(),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    status = response.status;
    text = (await response.text()).slice(0, MAX_ANSWER_BYTES);
  } catch (cause) {
    throw unreachable(platform.id, url, cause);
  }
  if (status === 400 || status === 401 || status === 403) {
    throw new RouterError(
      'UPSTREAM_FORBIDDEN',
      `${platform.id}: the token endpoint at ${hostOf(url)} refused the client credentials (${status})`,
      {
        details: { upstream_status: status },
      },
    );
  }
  const answer = status === 200 ? parseToken(text) : undefined;
  if (answer === undefined) {
    throw new RouterError(
      'UPSTREAM_FAILED',
      `${platform.id}: the token endpoint at ${hostOf(url)} should answer 200 with access_token and expires_in, got ${status}`,
      {
        details: { upstream_status: status },
      },
    );
  }
  // Renewed early, so a token never runs out between check and use: five minutes of two hours, one of fifteen.
  const marginSeconds = Math.min(300, answer.expiresIn / 15);
  return {
    accessToken: answer.accessToken,
    expiresAt: now() + (answer.expiresIn - marginSeconds) * 1000,
    proven: true,
  };
}

function parseToken(text: string): { accessToken: string; expiresIn: number } | undefined {
  try {
    const value = JSON.parse(text) as { access_token?: unknown; expires_in?: unknown };
    const expiresIn = Number(value.expires_in ?? 3600);
    if (typeof value.access_token === 'string' && value.access_token !== '' && expiresIn > 0)
      return { accessToken: value.access_token, expiresIn };
  } catch {
    // Not JSON: the caller says what was expected.
  }
  return undefined;
}
