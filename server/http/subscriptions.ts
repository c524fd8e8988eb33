/** Subscriptions of 2026-07-28: answers that end only when their client ends them. A caller has as many at a time as it may. */
import type { ServerResponse } from 'node:http';

export const isSubscription = (body: unknown): boolean =>
  (body as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen';

export class Subscriptions {
  readonly #open = new Map<string, number>();

  /** Counts this one until its answer ends; false where its caller has as many as it may. No `most` is no limit of its own. */
  enter(caller: string, answer: ServerResponse, most = Number.POSITIVE_INFINITY): boolean {
    const open = this.#open.get(caller) ?? 0;
    if (open >= most) return false;
    this.#open.set(caller, open + 1);
    answer.once('close', () => this.#leave(caller));
    return true;
  }

  #leave(caller: string): void {
    const left = (this.#open.get(caller) ?? 1) - 1;
    if (left > 0) this.#open.set(caller, left);
    else this.#open.delete(caller);
  }
}
