/** When and how soon a read is tried again. Nothing that may have written ever is. */

const RETRIED = new Set([429, 502, 503, 504]);
const BASE_MS = 500;
const CAP_MS = 8_000;
const RETRY_AFTER_CAP_MS = 60_000;
export const MAX_ATTEMPTS = 3;

export function isRetriedStatus(status: number): boolean {
  return RETRIED.has(status);
}

/** Pause before the next attempt (1 = after the first failure): doubling with jitter, or what the platform asked for. */
export function pauseMs(attempt: number, retryAfter: string | null, random: () => number, nowEpochMs: number): number {
  const asked = retryAfterMs(retryAfter, nowEpochMs);
  if (asked !== undefined) return Math.min(asked, RETRY_AFTER_CAP_MS);
  const backoff = Math.min(BASE_MS * 2 ** (attempt - 1), CAP_MS);
  return backoff * (0.8 + 0.4 * random());
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | null, nowEpochMs: number): number | undefined {
  if (header === null) return undefined;
  // Some platforms give a fraction, of which a parser of dates makes a day long ago.
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowEpochMs);
}
