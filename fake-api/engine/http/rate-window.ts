/** The platform's rate limit: announced where it has headers for it, enforced only when the namespace was reset so. */
import { type RateRule, WINDOWS_MS } from '../openapi/rate-rule.ts';
import { own } from '../state/json-value.ts';
import type { State } from '../state/state.ts';

export interface RateReading {
  headers: Record<string, string>;
  exceeded: boolean;
}

/** Counts one call in the present window. The window moves with virtual time alone. */
export function countCall(state: State, platform: string, rule: RateRule | null): RateReading {
  if (rule === null) return { headers: {}, exceeded: false };
  const { limit } = rule;
  const lengthMs = WINDOWS_MS[rule.per];
  const now = state.clock.ms;
  let window = state.windows.get(platform);
  if (window === undefined || now >= window.startMs + lengthMs || now < window.startMs) {
    window = { startMs: now, calls: 0 };
    state.windows.set(platform, window);
  }
  window.calls += 1;
  const reset = Math.ceil((window.startMs + lengthMs - now) / 1000);
  // A limit that is only announced never reads as used up: a client that paces itself by it would stop for nothing.
  const used = state.enforced ? window.calls : Math.min(window.calls, limit - 1);
  const exceeded = state.enforced && window.calls > limit;
  const told: Record<string, number> = { limit, remaining: Math.max(0, limit - used), reset };
  const announced = rule.headers.map((name) => {
    const word = name.toLowerCase().split('-').at(-1) ?? '';
    return [name.toLowerCase(), String(own(told, word) ?? limit)];
  });
  return {
    exceeded,
    headers: { ...Object.fromEntries(announced), ...(exceeded ? { 'retry-after': String(reset) } : {}) },
  };
}
