/** The end of one call: a point in time, or the caller going away, whichever comes first. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  /** How long it is as a whole. */
  readonly ms: number;
  readonly #at: number;
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;

  /** `at` is a time of `performance.now()`. */
  constructor(at: number, caller: AbortSignal | undefined) {
    const controller = new AbortController();
    this.#at = at;
    this.ms = Math.max(0, at - performance.now());
    this.#caller = caller;
    this.#stop = () => controller.abort(caller?.reason);
    this.#timer = setTimeout(() => controller.abort(new Error('deadline')), this.ms);
    this.signal = controller.signal;
    if (caller?.aborted) this.#stop();
    else caller?.addEventListener('abort', this.#stop, { once: true });
  }

  get leftMs(): number {
    return this.#at - performance.now();
  }

  /** Did the caller end it, and not the time? */
  get byCaller(): boolean {
    return this.#caller?.aborted === true;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#stop);
  }
}
