/**
 * Intervals of means by resampling whole clusters. Runs of one scenario are not independent of each other, so the
 * scenario is what is drawn: repeating runs narrows no interval, more scenarios do.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { quantile } from './stats.ts';

export type Interval = [low: number, high: number];

/** Values of each measure within one cluster; a measure may have none there. */
export type Cluster = readonly (readonly number[])[];

const RESAMPLES = 2_000;

/**
 * The 95 % percentile interval of each measure's mean (Efron and Tibshirani 1993, chapter 13), with clusters drawn with
 * replacement. All measures share the draws. Nothing for fewer than two clusters.
 */
export function bootstrapMeans(clusters: readonly Cluster[], seed: number, resamples = RESAMPLES): (Interval | null)[] {
  const measures = clusters[0]?.length ?? 0;
  if (clusters.length < 2) return Array.from({ length: measures }, () => null);
  const sums = clusters.map((cluster) => cluster.map((values) => values.reduce((a, b) => a + b, 0)));
  const counts = clusters.map((cluster) => cluster.map((values) => values.length));
  const means: number[][] = Array.from({ length: measures }, () => []);
  const random = xoroshiro128plus(seed);
  const [sum, count] = [new Float64Array(measures), new Float64Array(measures)];
  for (let i = 0; i < resamples; i++) {
    sum.fill(0);
    count.fill(0);
    for (let drawn = 0; drawn < clusters.length; drawn++) {
      const at = uniformInt(random, 0, clusters.length - 1);
      for (let m = 0; m < measures; m++) {
        sum[m]! += sums[at]![m]!;
        count[m]! += counts[at]![m]!;
      }
    }
    for (let m = 0; m < measures; m++) if (count[m]! > 0) means[m]!.push(sum[m]! / count[m]!);
  }
  return means.map((values) => (values.length === 0 ? null : [quantile(values, 0.025)!, quantile(values, 0.975)!]));
}
