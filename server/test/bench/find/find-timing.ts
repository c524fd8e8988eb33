/** How long one search takes, over many questions by turns. */
import { Bench } from 'tinybench';
import { median, quantile } from '../statistics.ts';
import { DEPTH } from './retrieval-score.ts';
import type { Search } from './search-engine.ts';

export interface Timing {
  p50Ms: number;
  p95Ms: number;
}

const QUESTIONS = 120;

export async function timingOf(search: Search, queries: readonly string[]): Promise<Timing> {
  const step = Math.max(1, Math.floor(queries.length / QUESTIONS));
  const asked = queries.filter((_, i) => i % step === 0).slice(0, QUESTIONS);
  const bench = new Bench({
    time: 400,
    iterations: asked.length,
    warmup: true,
    warmupIterations: Math.min(asked.length, 40),
    warmupTime: 100,
    retainSamples: true,
  });
  let turn = 0;
  bench.add('questions by turns', () => search(asked[turn++ % asked.length] as string, DEPTH));
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !('latency' in result)) throw new Error('the questions could not be timed');
  const samples = result.latency.samples ?? [];
  return { p50Ms: median(samples), p95Ms: quantile(samples, 0.95) };
}
