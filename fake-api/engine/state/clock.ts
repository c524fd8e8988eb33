/** Virtual time. It never follows the wall clock: only the control port and accepted writes move it. */
export class VirtualClock {
  /** When the namespace began. */
  readonly startMs: number;
  #ms: number;

  constructor(startIso: string) {
    this.startMs = Date.parse(startIso);
    this.#ms = this.startMs;
  }

  get ms(): number {
    return this.#ms;
  }

  set ms(value: number) {
    this.#ms = value;
  }

  iso(): string {
    return isoSeconds(this.#ms);
  }

  advance(seconds: number): void {
    this.#ms += Math.round(seconds * 1000);
  }
}

/** ISO time without a fraction when there is none, as the platforms write it. */
export function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
