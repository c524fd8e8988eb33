/** When and how soon a read is tried again. Nothing that may have written ever is. */

const RETRIED = new Set([429, 502, 503, 504]);
const BASE_MS = 500;
const CAP_MS = 8_000;
const RETRY_AFTER_CAP_MS = 60_000;
/** No platform asks for a longer wait; a `Date` further away is that of another clock. */
const DAY_MS = 86_400_000;
export const MAX_ATTEMPTS = 3;

export function isRetriedStatus(status: number): boolean {
  return RETRIED.has(status);
}

/** Pause before the next attempt (1 = after the first failure): doubling with jitter, or what the platform asked for. */
export function pauseMs(attempt: number, askedMs: number | undefined, random: () => number): number {
  if (askedMs !== undefined) return Math.min(askedMs, RETRY_AFTER_CAP_MS);
  const backoff = Math.min(BASE_MS * 2 ** (attempt - 1), CAP_MS);
  return backoff * (0.8 + 0.4 * random());
}

/**
 * `Retry-After` in seconds or as a date. A date is one of the platform's clock, so the `Date` of the same answer says how far off it
 * is; the own clock does where there is none that makes sense beside it.
 */
export function retryAfterMs(headers: Headers, nowEpochMs: number): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  // Some platforms give a fraction, of which a parser of dates makes a day long ago.
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  if (Number.isNaN(at)) return undefined;
  const answered = Date.parse(headers.get('date') ?? '');
  const isSane = Math.abs(at - answered) <= DAY_MS;
  return Math.max(0, at - (isSane ? answered : nowEpochMs));
}
