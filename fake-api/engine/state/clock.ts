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

const SPAN = /^-?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** `PT40M`, `P1DT2H`, `-P3D` in milliseconds; null for any other text. */
export function spanMs(text: string): number | null {
  const found = text.length > 2 ? SPAN.exec(text) : null;
  if (found === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const ms = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return text.startsWith('-') ? -ms : ms;
}
