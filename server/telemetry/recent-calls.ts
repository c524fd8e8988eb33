/** The latest calls of this process and how many there were, for people who look: labels and numbers only, as in the metrics. */
import type { CompletedCall } from './metrics.ts';

export const MOST_CALLS = 200;
/** Samples that are kept: 10 seconds apart they are half an hour. */
const MOST_SAMPLES = 180;
const HEIGHT = 40;

interface Sample {
  calls: number;
  errors: number;
  slowestMs: number;
}

/** One sparkline: how many, or how slow, over the samples that are kept. */
export interface MetricRow {
  name: string;
  unit: string;
  now: number;
  least: number;
  most: number;
  minutes: number;
  width: number;
  /** Of an SVG polyline, 40 units high. */
  points: string;
}

/** A call as a person looks at it. */
export interface CallRow {
  at: string;
  tool: string;
  capability: string;
  outcome: string;
  ms: number;
}

export class RecentCalls {
  readonly #calls: { at: string; call: CompletedCall }[] = [];
  readonly #samples: Sample[] = [];
  #current: Sample = { calls: 0, errors: 0, slowestMs: 0 };

  record(call: CompletedCall): void {
    this.#calls.unshift({ at: new Date().toISOString(), call });
    if (this.#calls.length > MOST_CALLS) this.#calls.pop();
    this.#current.calls += 1;
    if (call.outcome !== 'success') this.#current.errors += 1;
    this.#current.slowestMs = Math.max(this.#current.slowestMs, Math.round(call.ms));
  }

  /** Ends one interval and begins the next. */
  sample(): void {
    this.#samples.push(this.#current);
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
    this.#current = { calls: 0, errors: 0, slowestMs: 0 };
  }

  /** Calls whose tool, class or outcome holds the word, the newest first. */
  find(word: string): CallRow[] {
    const wanted = word.toLowerCase();
    return this.#calls
      .map(({ at, call: { tool, capability, outcome, ms } }) => ({
        at,
        tool,
        capability: capability ?? 'unknown',
        outcome,
        ms: Math.round(ms),
      }))
      .filter(({ tool, capability, outcome }) => `${tool} ${capability} ${outcome}`.toLowerCase().includes(wanted));
  }

  metricRows(): MetricRow[] {
    const all = [...this.#samples, this.#current];
    const rowOf = (name: string, unit: string, value: (sample: Sample) => number): MetricRow => {
      const values = all.map(value);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      const points = values.map((one, at) => `${at},${(HEIGHT - (one / Math.max(most, 1)) * HEIGHT).toFixed(1)}`);
      const width = Math.max(values.length - 1, 1);
      return {
        name,
        unit,
        now: values.at(-1) ?? 0,
        least,
        most,
        minutes: Math.ceil(all.length / 6),
        width,
        points: points.join(' '),
      };
    };
    return [
      rowOf('Calls', 'calls in this interval', ({ calls }) => calls),
      rowOf('Calls without success', 'calls in this interval', ({ errors }) => errors),
      rowOf('Slowest call', 'ms in this interval', ({ slowestMs }) => slowestMs),
    ];
  }
}
