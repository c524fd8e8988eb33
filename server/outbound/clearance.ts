/** What a request needs before it may be sent: its logins, a permit of the rate budget, and for a write the word of the operator. */
import type { Account } from '../config/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Sender } from './auth/security-requirement.ts';
import { presented, type ReadyCredential } from './auth/strategy.ts';
import { within } from './body.ts';
import { interruption } from './broken-attempt.ts';
import type { CallCost } from './call-cost.ts';
import type { Deadline } from './deadline.ts';
import { overBudget } from './failure.ts';
import type { HeldLogin, Logins } from './logins.ts';
import { type RateBudget, TooLong } from './rate-limit.ts';
import type { SharedPermits } from './shared-bucket.ts';
import { type PlatformRequest, urlOf } from './wire-request.ts';

/** A credential with its login. */
export type Ready = ReadyCredential & { login?: HeldLogin | undefined };

export const loggedIn = (ready: readonly Ready[]): boolean => ready.some(({ login }) => login !== undefined);

/** The URL of a request and what it presents. A credential that signs is made for this request alone. */
export function signed(request: PlatformRequest, account: Account, ready: readonly Ready[]) {
  const url = urlOf(account, request, presented(ready));
  const { pathname, search } = new URL(url);
  return { url, presented: presented(ready, { method: request.method, target: pathname + search }) };
}

/** One in-flight request: the fields that all its attempts share. */
export interface Sending {
  request: PlatformRequest;
  sender: Sender;
  budget: RateBudget;
  deadline: Deadline;
  cost: CallCost;
}

export interface ClearanceOptions {
  egress: Egress;
  logins: Logins;
  /** Gives out the places of all routers that use the same accounts. */
  places?: SharedPermits;
  /** Asked once more after every wait of a write: throws while an operator has stopped the writes, or outside of a maintenance window. */
  mayWrite?: (platform: string) => Promise<void>;
  logger: Logger;
}

export class Clearance {
  readonly #options: ClearanceOptions;

  constructor(options: ClearanceOptions) {
    this.#options = options;
  }

  /** Logs in and waits for the rate budget. If either fails, nothing of the request was sent. */
  async take({ request, sender, budget, deadline, cost }: Sending): Promise<Ready[]> {
    const { platform, capability, path } = request;
    const { account, credentials } = sender;
    this.#options.egress.check(account.baseUrl, account.origins);
    try {
      const { signal } = deadline;
      signal.throwIfAborted();
      const { logins } = this.#options;
      const ready: Ready[] = [];
      for (const credential of credentials) {
        const login = await within(logins.login(credential, path, capability !== 'read'), signal);
        ready.push({ ...credential, login });
      }
      const noteWait = (ms: number) => request.waiting?.({ for: 'rate_limit', platform: platform.id, ms });
      const waitedMs = await budget.take(signal, deadline.leftMs, noteWait, request.waiter);
      if (waitedMs > 0) {
        cost.rateWaitMs += waitedMs;
        this.#options.logger.info('outbound.wait', { platform: platform.id, waitMs: Math.round(waitedMs) });
      }
      await this.#mustBeSendable(request);
      if (request.beforeSending) {
        await request.beforeSending();
        await this.#mustBeSendable(request);
      }
      // Ended by now, it would count as sent.
      signal.throwIfAborted();
      return ready;
    } catch (error) {
      if (error instanceof RouterError) throw error;
      if (error instanceof TooLong) throw overBudget(platform.id, account.section, error);
      throw interruption(request, deadline, false);
    }
  }

  async #mustBeSendable({ platform, capability }: PlatformRequest): Promise<void> {
    if (capability !== 'write' && capability !== 'destructive') return;
    // A write needs the shared store: only there does a replica know which tokens were consumed.
    this.#options.places?.mustBeUp();
    await this.#options.mayWrite?.(platform.id);
  }

  /** The logins of a request were accepted, or may have been refused. */
  judge(ready: readonly Ready[], accepted: boolean): void {
    const { logins } = this.#options;
    for (const { login, ...credential } of ready)
      if (login && accepted) logins.prove(login);
      else if (login) logins.reject(credential, login);
  }
}
