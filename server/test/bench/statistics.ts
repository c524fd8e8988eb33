/** Quantiles of the benches, defined as in the harness: type 7 of Hyndman and Fan. Of an empty sample they are NaN. */
import { quantile as simpleQuantile } from 'simple-statistics';

export const quantile = (values: readonly number[], p: number): number =>
  values.length === 0 ? Number.NaN : simpleQuantile(values as number[], p);

/** The mean of the middle two where there is no one in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
