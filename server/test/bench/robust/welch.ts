/** Do two sets of times come from different distributions? Welch's t without what is far out, as others test for leaks by time. */
import { mean, sampleVariance } from 'simple-statistics';
import { quantile } from '../statistics.ts';

/** Of both sets together, the slowest tenth is interruptions. */
const TRIMMED_AT = 0.9;

/** Below 4.5 in size, chance explains it (one in a hundred thousand). The sign says which set is slower: above 0 the first. */
export function welchT(first: readonly number[], second: readonly number[]): number {
  const limit = quantile([...first, ...second], TRIMMED_AT);
  const [a, b] = [first, second].map((times) => times.filter((time) => time <= limit)) as [number[], number[]];
  return (mean(a) - mean(b)) / Math.sqrt(sampleVariance(a) / a.length + sampleVariance(b) / b.length);
}
