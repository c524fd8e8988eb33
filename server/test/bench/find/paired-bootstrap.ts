/** How sure a difference between two engines is: the same questions drawn again and again, with a fixed seed. */
import { Random } from '../robust/random.ts';
import { quantile } from '../statistics.ts';

export interface Interval {
  difference: number;
  low: number;
  high: number;
}

const RESAMPLES = 2_000;
const SEED = 20_260_302;

/** Mean of a − b over pairs, with its 95 % percentile bootstrap interval. */
export function pairedInterval(a: readonly number[], b: readonly number[], resamples = RESAMPLES): Interval {
  if (a.length !== b.length) throw new Error(`pairs should be as many on both sides, got ${a.length} and ${b.length}`);
  const differences = a.map((value, i) => value - (b[i] as number));
  const count = differences.length;
  if (count === 0) return { difference: 0, low: 0, high: 0 };
  const random = new Random(SEED);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += random.of(differences);
    return sum / count;
  });
  const difference = differences.reduce((sum, value) => sum + value, 0) / count;
  return { difference, low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
