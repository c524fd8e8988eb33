/**
 * Checks operators at sign-in, in console and terminal: a few tries, then one for each pause, and never the bearer token of
 * the agents, whoever uses it as a password.
 */
import { hash, randomUUID } from 'node:crypto';
import type { OperatorRecord } from '../audit/audit-record.ts';
import type { Where } from './approval.ts';
import type { Operator, Operators } from './operators.ts';

export const SIGN_IN_LIMITS = { tries: 5, windowMs: 900_000, pauseMs: 30_000, atOnce: 2 };

export type SignedIn = { ok: true; operator: Operator } | { ok: false; waitMs: number };

export interface SignInOptions {
  operators: Pick<Operators, 'verify'>;
  /** Whether this is the bearer token of the MCP listener. */
  isBearer?: (text: string) => boolean;
  record?: (line: Extract<OperatorRecord, { kind: 'sign_in' }>) => void;
  now?: () => number;
}

interface Failures {
  count: number;
  lastAt: number;
}

const LONGEST_NAME = 64;

export class SignIn {
  readonly #options: SignInOptions;
  readonly #now: () => number;
  /** By place. Nothing is ever pushed out, so names that somebody makes up end no pause. */
  readonly #failures = new Map<number, Failures>();
  readonly #salt = randomUUID();
  #running = 0;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** `waitMs` is 0 for a wrong name or password, else the time before the next try is looked at. */
  async check(name: string, password: string, where: Where): Promise<SignedIn> {
    const place = this.#placeOf(name);
    const waitMs = this.#waitOf(place);
    if (waitMs > 0) return { ok: false, waitMs };
    // scrypt is dear on purpose: no flood of tries may take the whole machine.
    if (this.#running >= SIGN_IN_LIMITS.atOnce) return { ok: false, waitMs: 1_000 };
    // Counted before it is known to be wrong, so that tries at the same time do not pass as one.
    this.#count(place);
    this.#running += 1;
    let operator: Operator | undefined;
    try {
      const found = await this.#options.operators.verify(name, password);
      operator = this.#options.isBearer?.(password) === true ? undefined : found;
    } finally {
      this.#running -= 1;
    }
    this.#options.record?.({
      kind: 'sign_in',
      event: operator ? 'accepted' : 'refused',
      operator: name.slice(0, LONGEST_NAME),
      where,
    });
    if (operator === undefined) return { ok: false, waitMs: 0 };
    this.#failures.delete(place);
    return { ok: true, operator };
  }

  /** One of 65,536, so that memory has an end. Which names share one is a secret of this process. */
  #placeOf(name: string): number {
    return hash('sha256', this.#salt + name, 'buffer').readUInt16BE();
  }

  #waitOf(place: number): number {
    const known = this.#failures.get(place);
    if (known === undefined || known.count < SIGN_IN_LIMITS.tries) return 0;
    const since = this.#now() - known.lastAt;
    if (since >= SIGN_IN_LIMITS.windowMs) this.#failures.delete(place);
    return Math.max(0, SIGN_IN_LIMITS.pauseMs - since);
  }

  #count(place: number): void {
    const count = (this.#failures.get(place)?.count ?? 0) + 1;
    this.#failures.set(place, { count, lastAt: this.#now() });
  }
}
