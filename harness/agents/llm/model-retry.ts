/** When to ask a model again, and after how long. The client library's own retries are off, because it does not count them. */

/** Of a failure that is no limit of the rate. */
export const MAX_ATTEMPTS = 5;
const LONGEST_OWN_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;
const RATE_LIMITED = 429;
/** Of an account without credit, under the same status. */
const NO_CREDIT = 'insufficient_quota';
const PASSING = new Set([408, 425, RATE_LIMITED, 500, 502, 503, 504, 529]);

export interface Failure {
  /** undefined: no answer, or one that was cut off. */
  status: number | undefined;
  retryAfter?: string | undefined;
  /** Of the endpoint. */
  code?: string | undefined;
  message: string;
  /** The budget of the harness that is spent. */
  spent?: string;
}

/**
 * Milliseconds to wait before the next attempt, or undefined when there is to be none. A limit of the rate passes by waiting,
 * so nothing but the time that the run has left ends those attempts.
 */
export function waitBefore(
  attempt: number,
  failure: Failure,
  now: () => number,
  leftMs = Number.POSITIVE_INFINITY,
): number | undefined {
  const { status } = failure;
  const passesByWaiting = status === RATE_LIMITED && failure.code !== NO_CREDIT;
  if (attempt >= MAX_ATTEMPTS && !passesByWaiting) return undefined;
  if (status !== undefined && !PASSING.has(status)) return undefined;
  const own = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_OWN_WAIT_MS);
  // An endpoint that says "at once" again and again would be asked without a pause.
  const ms = retryAfterMs(failure.retryAfter, now) || own;
  return ms < leftMs ? ms : undefined;
}

/** RFC 9110, 10.2.3: seconds, or a date. */
export function retryAfterMs(value: string | undefined, now: () => number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}
