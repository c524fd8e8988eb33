/** When to ask a model again, and after how long. The client library's own retries are off, because it does not count them. */

export const MAX_ATTEMPTS = 5;
const LONGEST_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

export interface Failure {
  /** undefined: no answer, or one that was cut off. */
  status: number | undefined;
  retryAfter?: string | undefined;
  message: string;
  /** The budget of the harness that is spent. */
  spent?: string;
}

/** Milliseconds to wait before the next attempt, or undefined when there is to be none. */
export function waitBefore(attempt: number, failure: Failure, now: () => number): number | undefined {
  if (attempt >= MAX_ATTEMPTS) return undefined;
  if (failure.status !== undefined && !PASSING.has(failure.status)) return undefined;
  const asked = retryAfterMs(failure.retryAfter, now);
  if (asked !== undefined) return asked > LONGEST_WAIT_MS ? undefined : asked;
  return FIRST_WAIT_MS * 2 ** (attempt - 1);
}

/** RFC 9110, 10.2.3: seconds, or a date. */
export function retryAfterMs(value: string | undefined, now: () => number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}
