/** The latest calls of this process and how many there were, for people who look: labels and numbers only, as in the metrics. */
import type { CallTrace, CompletedCall } from './metrics.ts';

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
  /** Undefined for what is no call of a tool behind the router. */
  id: string | undefined;
}

/** One call with all that is known of it. */
export type TracedCall = Omit<CallRow, 'id'> & CallTrace;

/** The last request to a platform, whoever made it. */
export interface LastRequest {
  at: number;
  status: number | null;
  ms: number;
}

export class RecentCalls {
  readonly #calls: { at: string; call: CompletedCall }[] = [];
  readonly #samples: Sample[] = [];
  readonly #last = new Map<string, LastRequest>();
  #current: Sample = { calls: 0, errors: 0, slowestMs: 0 };

  record(call: CompletedCall): void {
    this.#calls.unshift({ at: new Date().toISOString(), call });
    if (this.#calls.length > MOST_CALLS) this.#calls.pop();
    for (const { platform, at, status, ms } of call.trace?.requests ?? []) this.#last.set(platform, { at, status, ms });
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
      .map(rowOf)
      .filter(({ tool, capability, outcome }) => `${tool} ${capability} ${outcome}`.toLowerCase().includes(wanted));
  }

  /** The call of this id; undefined where it is no longer kept. */
  trace(id: string): TracedCall | undefined {
    const found = this.#calls.find(({ call }) => call.trace?.id === id);
    return found?.call.trace && { ...rowOf(found), ...found.call.trace };
  }

  lastRequestTo(platform: string): LastRequest | undefined {
    return this.#last.get(platform);
  }

  metricRows(): MetricRow[] {
    const all = [...this.#samples, this.#current];
    const lineOf = (name: string, unit: string, value: (sample: Sample) => number): MetricRow => {
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
      lineOf('Calls', 'calls in this interval', ({ calls }) => calls),
      lineOf('Calls without success', 'calls in this interval', ({ errors }) => errors),
      lineOf('Slowest call', 'ms in this interval', ({ slowestMs }) => slowestMs),
    ];
  }
}

function rowOf({ at, call: { tool, capability, outcome, ms, trace } }: { at: string; call: CompletedCall }): CallRow {
  return { at, tool, capability: capability ?? 'unknown', outcome, ms: Math.round(ms), id: trace?.id };
}
