/**
 * HTTP to platforms. Reads are retried within one deadline; anything else is sent at most once and only with a grant.
 * Redirects are never followed: they would carry the credentials to wherever they point.
 */

import { type Capability, decide } from '../access/access.ts';
import { type Grant, spendGrant } from '../access/grant.ts';
import type { AccessSettings } from '../config/config.ts';
import type { Account, CredentialsStore } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { presented } from './auth/strategy.ts';
import { parseBody, readLimited, within } from './body.ts';
import { hostOf, neverConnected, unreachable } from './failure.ts';
import type { HeldLogin, Logins } from './logins.ts';
import { type Clock, RateBudget, systemClock, type Waits } from './rate-limit.ts';
import { isRetriedStatus, MAX_ATTEMPTS, pauseMs, retryAfterMs } from './retry.ts';

export interface PlatformRequest {
  platform: PlatformDefinition;
  capability: Capability;
  method: string;
  /** Document path with values filled in, and the query without its question mark. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  body?: { text: string; contentType: string };
  signal?: AbortSignal;
  grant?: Grant;
}

export interface PlatformResponse {
  status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  body: unknown;
  headers: Headers;
  location: string | null;
  retryAfterMs: number | undefined;
  attempts: number;
}

export interface OutboundOptions {
  access: AccessSettings;
  credentials: CredentialsStore;
  logins: Logins;
  ratePerSecond: number;
  timeoutMs: number;
  logger: Logger;
  maxResponseBytes?: number;
  clock?: Clock;
  random?: () => number;
}

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export class OutboundClient {
  readonly #options: OutboundOptions;
  readonly #clock: Clock;
  readonly #budgets = new Map<string, RateBudget>();

  constructor(options: OutboundOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Waits of all accounts together, for metrics. */
  waits(): Waits {
    const all = [...this.#budgets.values()].map((budget) => budget.waits);
    return {
      count: all.reduce((sum, waits) => sum + waits.count, 0),
      sumMs: all.reduce((sum, waits) => sum + waits.sumMs, 0),
      maxMs: Math.max(0, ...all.map((waits) => waits.maxMs)),
    };
  }

  /** Secrets this client handles, for masking. */
  secretsOf(platform: PlatformDefinition): string[] {
    try {
      const account = this.#account(platform);
      return [account.clientSecret, account.apiToken, account.password, ...this.#options.logins.values()];
    } catch {
      return this.#options.logins.values();
    }
  }

  async send(request: PlatformRequest): Promise<PlatformResponse> {
    this.#admit(request);
    const account = this.#account(request.platform);
    const deadline = AbortSignal.timeout(this.#options.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    const until = performance.now() + this.#options.timeoutMs;
    const repeatable = request.capability === 'read';
    for (let attempt = 1; ; attempt++) {
      const last = !repeatable || attempt >= MAX_ATTEMPTS;
      const outcome = await this.#attempt(request, account, signal, { last, attempt });
      if (outcome.kind === 'response') return outcome.response;
      const pause = pauseMs(attempt, outcome.retryAfter, this.#options.random ?? Math.random, Date.now());
      // Waiting past the deadline helps nobody: answer now with what the platform said.
      if (performance.now() + pause >= until) return outcome.giveUp();
      this.#options.logger.debug('outbound.retry', {
        platform: request.platform.id,
        method: request.method,
        path: request.path,
        attempt,
        pauseMs: Math.round(pause),
      });
      await this.#clock.sleep(pause, signal).catch(() => {
        throw this.#interrupted(request, deadline, false);
      });
    }
  }

  /** The gate again, and the grant: this client does not trust that dispatch was asked. */
  #admit(request: PlatformRequest): void {
    const plain = request.capability === 'read' && (request.method === 'GET' || request.method === 'HEAD');
    if (plain) return;
    const { allowed } = decide(this.#options.access, request.platform, request.capability);
    const granted = spendGrant(request.grant, {
      platform: request.platform.id,
      method: request.method,
      path: request.path,
    });
    if (allowed && granted && request.grant?.capability === request.capability) return;
    throw new RouterError(
      'GRANT_MISSING',
      `${request.method} ${request.path} was refused by the outbound client: ${allowed ? 'no valid grant' : 'its write gate is closed'}`,
    );
  }

  #account(platform: PlatformDefinition): Account {
    return this.#options.credentials.account(platform);
  }

  #budget(section: string, burst: number): RateBudget {
    const known = this.#budgets.get(section);
    if (known) return known;
    const budget = new RateBudget(this.#options.ratePerSecond, burst, this.#clock);
    this.#budgets.set(section, budget);
    return budget;
  }

  async #attempt(
    request: PlatformRequest,
    account: Account,
    signal: AbortSignal,
    { last, attempt }: { last: boolean; attempt: number },
  ): Promise<
    | { kind: 'response'; response: PlatformResponse }
    | { kind: 'again'; retryAfter: string | null; giveUp: () => PlatformResponse }
  > {
    const { platform } = request;
    const mayWrite = request.capability !== 'read';
    let login: HeldLogin | undefined;
    try {
      login = await within(this.#options.logins.login(platform, account, mayWrite), signal);
      await this.#budget(account.section, platform.rate.burst).take(signal);
    } catch (error) {
      if (error instanceof RouterError) throw error;
      throw this.#interrupted(request, signal, false);
    }
    const sender = presented(platform, account, login);
    const query = [request.query, new URLSearchParams(sender.query).toString()].filter(Boolean).join('&');
    const url = account.baseUrl + request.path + (query ? `?${query}` : '');
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: request.method,
        redirect: 'manual',
        headers: {
          ...request.headers,
          accept: 'application/json',
          ...sender.headers,
          ...(request.body ? { 'content-type': request.body.contentType } : {}),
        },
        ...(request.body ? { body: request.body.text } : {}),
        signal,
      });
      text = await readLimited(response, platform.id, this.#options.maxResponseBytes ?? MAX_RESPONSE_BYTES);
    } catch (cause) {
      return this.#failed(request, url, signal, cause, last);
    }
    if (login && response.status === 401) {
      this.#options.logins.reject(platform, account, login);
      if (!last && attempt === 1)
        return { kind: 'again', retryAfter: '0', giveUp: () => this.#read(response, text, attempt) };
    } else if (login) this.#options.logins.prove(login);
    if (response.status >= 300 && response.status < 400) {
      throw new RouterError(
        'UPSTREAM_REDIRECTED',
        `${platform.id}: ${hostOf(url)} answered ${response.status} with a redirect, which is not followed`,
        {
          details: { upstream_status: response.status },
        },
      );
    }
    if (!last && isRetriedStatus(response.status)) {
      return {
        kind: 'again',
        retryAfter: response.headers.get('retry-after'),
        giveUp: () => this.#read(response, text, attempt),
      };
    }
    return { kind: 'response', response: this.#read(response, text, attempt) };
  }

  #read(response: Response, text: string, attempts: number): PlatformResponse {
    return {
      status: response.status,
      body: parseBody(text, response.headers.get('content-type') ?? ''),
      headers: response.headers,
      location: response.headers.get('location'),
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
      attempts,
    };
  }

  #failed(
    request: PlatformRequest,
    url: string,
    signal: AbortSignal,
    cause: unknown,
    last: boolean,
  ): { kind: 'again'; retryAfter: null; giveUp: () => PlatformResponse } {
    if (cause instanceof RouterError) {
      if (request.capability === 'read') throw cause;
      throw this.#unknownOutcome(request, cause.message, cause);
    }
    if (signal.aborted) throw this.#interrupted(request, signal, true);
    const failure = unreachable(request.platform.id, url, cause);
    if (request.capability !== 'read' && !neverConnected(cause)) {
      throw this.#unknownOutcome(
        request,
        `the connection to ${hostOf(url)} broke (${String(failure.details['reason'])})`,
        cause,
      );
    }
    if (last) throw failure;
    return {
      kind: 'again',
      retryAfter: null,
      giveUp: () => {
        throw failure;
      },
    };
  }

  /** Stopped by the caller or by the deadline. Once a write was on its way, only the platform knows. */
  #interrupted(request: PlatformRequest, signal: AbortSignal, sent: boolean): RouterError {
    const byCaller = request.signal?.aborted === true;
    const seconds = this.#options.timeoutMs / 1000;
    if (sent && request.capability !== 'read') {
      return this.#unknownOutcome(
        request,
        byCaller ? 'the call was cancelled while the request was on its way' : `no answer within ${seconds} s`,
        signal.reason,
      );
    }
    if (byCaller) return new RouterError('CANCELLED', `${request.platform.id}: the call was cancelled`);
    return new RouterError('UPSTREAM_TIMEOUT', `${request.platform.id}: no answer within ${seconds} s`, {
      cause: signal.reason,
    });
  }

  #unknownOutcome(request: PlatformRequest, reason: string, cause: unknown): RouterError {
    return new RouterError(
      'OUTCOME_UNKNOWN',
      `${request.platform.id}: ${request.method} ${request.path} was sent once and ${reason}; whether it took effect is unknown`,
      {
        cause,
        details: { sent: true },
      },
    );
  }
}
