/** The platform's rate limit: announced on every answer, enforced only when the namespace was reset so. */
import type { State } from './state.ts';

const WINDOW_MS = 3_600_000;

export interface RateReading {
  headers: Record<string, string>;
  exceeded: boolean;
}

/** Counts one call in the present window. The window moves with virtual time alone. */
export function countCall(state: State, platform: string, limit: number): RateReading {
  const now = state.clock.ms;
  let window = state.windows.get(platform);
  if (window === undefined || now >= window.startMs + WINDOW_MS || now < window.startMs) {
    window = { startMs: now, calls: 0 };
    state.windows.set(platform, window);
  }
  window.calls += 1;
  const reset = Math.ceil((window.startMs + WINDOW_MS - now) / 1000);
  // A limit that is only announced never reads as used up: a client that paces itself by it would stop for nothing.
  const used = state.enforced ? window.calls : Math.min(window.calls, limit - 1);
  const exceeded = state.enforced && window.calls > limit;
  return {
    exceeded,
    headers: {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - used)),
      'x-ratelimit-reset': String(reset),
      ...(exceeded ? { 'retry-after': String(reset) } : {}),
    },
  };
}
