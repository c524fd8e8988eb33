/**
 * HTTP to platforms. Reads are retried within one deadline; anything else is sent at most once and only with a grant.
 * Redirects are never followed: they would carry the credentials to wherever they point.
 */
import type { AccessSettings } from '../config/access-settings.ts';
import type { Account, CredentialsStore } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { Egress } from '../egress/egress.ts';
import type { Waiter } from '../principals/fair-queue.ts';
import { NO_TRACER, type OpenSpan, type Tracer } from '../telemetry/tracer.ts';
import { type AccountBinding, bindingOf } from './account-binding.ts';
import type { Presented } from './auth/login-strategy.ts';
import { type SecurityRequirement, type Sender, senderOf } from './auth/security-requirement.ts';
import { readBytes } from './body.ts';
import { type Attempted, failedAttempt, interruption } from './broken-attempt.ts';
import { type CallCost, noCallCost, noteSent } from './call-cost.ts';
import { Clearance, type ClearanceOptions, loggedIn, type Ready, type Sending, signed } from './clearance.ts';
import { Deadline } from './deadline.ts';
import { streamRefused } from './failure.ts';
import { mustBeGranted } from './grant-check.ts';
import type { PlatformResponse } from './platform-response.ts';
import { RateBudgets } from './rate-budgets.ts';
import { type Clock, systemClock, type Waits } from './rate-limit.ts';
import { responseOf } from './received-response.ts';
import { isRetriedStatus, MAX_ATTEMPTS, pauseMs, retryAfterMs } from './retry.ts';
import { type Collected, collectStream, NotOpened, type StreamLimits } from './stream.ts';
import { type DescribedRequest, describeRequest, headersOf, type PlatformRequest } from './wire-request.ts';

/** A stream to be read for so long; it is a read, so no grant goes with it. */
export interface StreamRequest {
  platform: PlatformDefinition;
  path: string;
  maxEvents: number;
  maxBytes: number;
  timeMs: number;
  signal?: AbortSignal;
  cost?: CallCost;
  waiter?: Waiter;
}

export interface OutboundOptions extends Omit<ClearanceOptions, 'egress'> {
  access: AccessSettings;
  credentials: CredentialsStore;
  /** The default holds no list: the origins named in the accounts decide alone. */
  egress?: Egress;
  /** Of a call. */
  timeoutMs: number;
  ratePerSecond: number;
  /** Routers that use the same accounts, this one included. */
  replicas?: number;
  tracer?: Tracer;
  maxResponseBytes?: number;
  clock?: Clock;
  random?: () => number;
}

/** Where calls are traced, each request carries it. */
const TRACEPARENT_SHOWN = 'ids of the trace, made when it is sent';
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Where an account may connect to, and how it proves itself there. */
const presentedBy = ({ origins: named, certificate }: Account) => ({ named, certificate });

/** One attempt that is about to be sent. */
interface Prepared extends ReturnType<typeof signed> {
  last: boolean;
  ready: readonly Ready[];
  span: OpenSpan;
}

export class OutboundClient {
  readonly #options: OutboundOptions;
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #budgets: RateBudgets;
  readonly #tracer: Tracer;
  readonly #clearance: Clearance;

  constructor(options: OutboundOptions) {
    this.#options = options;
    this.#egress = options.egress ?? new Egress();
    this.#clock = options.clock ?? systemClock;
    this.#budgets = new RateBudgets(options, this.#clock);
    this.#tracer = options.tracer ?? NO_TRACER;
    this.#clearance = new Clearance({ ...options, egress: this.#egress });
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** Waits of all accounts together, for metrics. */
  waits(): Waits {
    return this.#budgets.waits();
  }

  /** Who requests to this platform go out as now. Throws CREDENTIALS_MISSING or CREDENTIALS_INVALID; nothing is sent. */
  accountOf(platform: PlatformDefinition, security?: SecurityRequirement): AccountBinding {
    return bindingOf(senderOf(this.#options.credentials, platform, security));
  }

  /** What `send` would send, without sending or logging in. */
  describe(request: Omit<PlatformRequest, 'capability'>): DescribedRequest {
    const described = describeRequest(request, this.#sender(request));
    if (!this.#tracer.traces) return described;
    return {
      ...described,
      headers: [...described.headers, { name: 'traceparent', value: { shown: TRACEPARENT_SHOWN } }],
    };
  }

  async send(request: PlatformRequest): Promise<PlatformResponse> {
    const sender = this.#sender(request);
    mustBeGranted(request, bindingOf(sender).identity, this.#options.access);
    using deadline = new Deadline(request.until ?? performance.now() + this.#options.timeoutMs, request.signal);
    const cost = request.cost ?? noCallCost();
    const budget = this.#budgets.of(sender.account, request.platform);
    const sending = { request, sender, budget, deadline, cost };
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(sending, attempt);
      if (outcome.kind === 'response') return outcome.response;
      const pause = pauseMs(attempt, outcome.retryAfterMs, this.#options.random ?? Math.random);
      // Waiting past the deadline helps nobody: answer now with what the platform said.
      if (pause >= deadline.leftMs) return outcome.giveUp();
      await this.#pause(sending, attempt, pause, outcome.reason);
    }
  }

  /** Collects what a platform streams, within the budget of its account: to open a stream is one request. */
  async collect(asked: StreamRequest): Promise<Collected> {
    const { platform, path, maxEvents, maxBytes, timeMs } = asked;
    const waiter = asked.waiter ? { waiter: asked.waiter } : {};
    const request: PlatformRequest = {
      platform,
      capability: 'read',
      method: 'GET',
      path,
      query: '',
      headers: {},
      ...waiter,
    };
    const sender = this.#sender(request);
    const { account } = sender;
    using deadline = new Deadline(performance.now() + timeMs, asked.signal);
    const cost = asked.cost ?? noCallCost();
    const sending = { request, sender, budget: this.#budgets.of(account, platform), deadline, cost };
    for (let attempt = 1; ; attempt++) {
      const ready = await this.#clearance.take(sending);
      const { url, presented } = signed(request, account, ready);
      cost.requests += 1;
      const limits = { maxEvents, maxBytes, signal: deadline.signal };
      const collected = await this.#readStream(url, presented, account, limits);
      const opened = !(collected instanceof NotOpened);
      if (opened) this.#clearance.judge(ready, true);
      if (deadline.byCaller) throw interruption(request, deadline, opened);
      if (opened) return collected;
      // A handshake says no reason; the login may have been too old.
      const mayBeOld = loggedIn(ready) && attempt === 1 && !deadline.signal.aborted;
      if (mayBeOld) this.#clearance.judge(ready, false);
      else throw streamRefused(platform.id, url, collected);
    }
  }

  /** A stream that did not open is an answer; whatever else goes wrong is thrown. */
  async #readStream(
    url: string,
    presented: Presented,
    account: Account,
    limits: StreamLimits,
  ): Promise<Collected | NotOpened> {
    try {
      const socket = await this.#egress.webSocket(url, presented.headers, presentedBy(account));
      return await collectStream(socket, limits);
    } catch (error) {
      if (error instanceof NotOpened) return error;
      throw error;
    }
  }

  async #pause(sending: Sending, attempt: number, pause: number, reason: string): Promise<void> {
    const { request, deadline, cost } = sending;
    const { platform, method, path } = request;
    cost.retryWaitMs += pause;
    this.#options.logger.debug('outbound.retry', {
      platform: platform.id,
      method,
      path,
      attempt,
      pauseMs: Math.round(pause),
      reason,
    });
    request.waiting?.({ for: 'retry', platform: platform.id, ms: pause, reason, attempt: attempt + 1 });
    await this.#clock.sleep(pause, deadline.signal).catch(() => {
      throw interruption(request, deadline, false);
    });
  }

  #sender({ platform, security }: Pick<PlatformRequest, 'platform' | 'security'>): Sender {
    return senderOf(this.#options.credentials, platform, security);
  }

  async #attempt(sending: Sending, attempt: number): Promise<Attempted> {
    const { request, sender } = sending;
    const { platform } = request;
    const { account } = sender;
    const last = request.capability !== 'read' || attempt >= MAX_ATTEMPTS;
    const ready = await this.#clearance.take(sending);
    const { url, presented } = signed(request, account, ready);
    const shown = this.#options.logger.secrets.scrub(request.path);
    const attributes = {
      'http.request.method': request.method,
      'server.address': new URL(url).hostname,
      'url.path': shown,
      'http.request.resend_count': attempt - 1,
      'svc_mcp.platform': platform.id,
    };
    return this.#tracer.span(request.method, { kind: 'client', attributes }, (span) =>
      this.#sendOnce(sending, attempt, { last, ready, url, presented, span }),
    );
  }

  /** One request, to its last byte or its failure. */
  async #sendOnce(
    sending: Sending,
    attempt: number,
    { last, ready, url, presented, span }: Prepared,
  ): Promise<Attempted> {
    const { request, sender, budget, deadline } = sending;
    const { platform } = request;
    const { account } = sender;
    const at = Date.now();
    const started = performance.now();
    const note = (status: number | null) => {
      const { method, path } = request;
      const shown = this.#options.logger.secrets.scrub(path);
      const ms = performance.now() - started;
      noteSent(sending.cost, { platform: platform.id, method, path: shown, at, ms, status });
    };
    let response: Response;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      response = await this.#egress.fetch(url, this.#fetchOptions(sending, presented), {
        ...presentedBy(account),
        once: request.capability !== 'read',
      });
      bytes = await readBytes(response, platform.id, this.#options.maxResponseBytes ?? MAX_RESPONSE_BYTES);
    } catch (cause) {
      note(null);
      span.fail();
      return failedAttempt({ request, url, deadline, last }, cause);
    }
    const { status } = response;
    note(status);
    span.set({ 'http.response.status_code': status });
    if (status >= 400) span.fail();
    const asked = retryAfterMs(response.headers, Date.now());
    this.#clearance.judge(ready, status !== 401);
    // The pause that one caller is asked for holds for everybody on this account.
    if (status === 429) budget.hold(asked === undefined ? 0 : pauseMs(1, asked, Math.random));
    const read = () => responseOf(request, url, response, bytes, attempt);
    const reason = `status ${status}`;
    if (!last && loggedIn(ready) && status === 401 && attempt === 1)
      return { kind: 'again', retryAfterMs: 0, reason, giveUp: read };
    if (!last && isRetriedStatus(status)) return { kind: 'again', retryAfterMs: asked, reason, giveUp: read };
    return { kind: 'response', response: read() };
  }

  #fetchOptions({ request, deadline, cost }: Sending, presented: Presented): RequestInit {
    const { method, body } = request;
    cost.requests += 1;
    return {
      method,
      headers: { ...headersOf(request, presented), ...this.#tracer.headers() },
      ...(body ? { body: body.bytes ?? body.text } : {}),
      signal: deadline.signal,
      // No cache stands between. In any other mode the runtime adds `pragma` and `cache-control` to a request with a precondition (Fetch
      // standard, HTTP-network-or-cache fetch), which nobody was shown.
      cache: 'force-cache',
    };
  }
}
