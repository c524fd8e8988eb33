/** Exact tests on pairs: two runs of the same scenarios, compared scenario by scenario. */
import { gammaln } from 'simple-statistics';

/**
 * Two-sided exact sign test: how likely so lopsided a split of the pairs that differ is when neither side is better.
 * For yes-or-no outcomes this is McNemar's exact test on the discordant pairs. 1 when no pair differs.
 */
export function signTest(better: number, worse: number): number {
  const n = better + worse;
  if (n === 0) return 1;
  let tail = 0;
  for (let i = 0; i <= Math.min(better, worse); i++) tail += Math.exp(logChoose(n, i) - n * Math.LN2);
  return Math.min(1, 2 * tail);
}

/** Holm's step-down adjustment (1979): the family's chance of one false alarm stays at the level asked for. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, i) => [p, i] as const).sort(([a], [b]) => a - b);
  const adjusted = [...pValues];
  let least = 0;
  order.forEach(([p, i], rank) => {
    least = Math.max(least, Math.min(1, (pValues.length - rank) * p));
    adjusted[i] = least;
  });
  return adjusted;
}

export interface SignCount {
  better: number;
  worse: number;
  same: number;
}

/** Pairs by which side is higher; a difference within the tolerance is none. */
export function countSigns(
  pairs: readonly (readonly [before: number, after: number])[],
  higherIsBetter: boolean,
): SignCount {
  const count: SignCount = { better: 0, worse: 0, same: 0 };
  for (const [before, after] of pairs) {
    if (Math.abs(before - after) < 1e-9) count.same++;
    else count[after > before === higherIsBetter ? 'better' : 'worse']++;
  }
  return count;
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);
const logFactorial = (n: number): number => gammaln(n + 1);
