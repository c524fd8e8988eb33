/** Calls of each principal that run now. A principal at its limit is refused; it holds up nobody else. */
import type { Call, Result } from './dispatch-call.ts';
import { refuse } from './envelope.ts';

export class PrincipalCalls {
  readonly #running = new Map<string, number>();

  /** Runs a call; RATE_LIMITED where its principal has as many as it may. Calls that a tool makes are part of their caller. */
  async within(call: Call, run: () => Promise<Result>): Promise<Result> {
    const { principal, access, inner, name } = call;
    const most = access?.maxInFlight;
    if (most === undefined || inner === true) return run();
    const running = this.#running.get(principal) ?? 0;
    if (running >= most)
      return refuse(
        'RATE_LIMITED',
        { tool: name, platform: null },
        `${principal} has ${running} calls that run, at most ${most}. Nothing was sent.`,
        { retry_after_seconds: 1 },
      );
    this.#running.set(principal, running + 1);
    try {
      return await run();
    } finally {
      const left = (this.#running.get(principal) ?? 1) - 1;
      if (left > 0) this.#running.set(principal, left);
      else this.#running.delete(principal);
    }
  }
}
