/** What reached a platform in a while, against what its budget lets through. */
import type { ReplicaTestbed } from './replica-testbed.ts';

export interface BudgetFigure {
  seconds: number;
  /** Calls that reached the platform, the most of them in any second, and the most that may. */
  calls: number;
  mostInASecond: number;
  allowed: number;
  /** Share of what the budget would have let through. */
  used: number;
}

export function budgetFigure(
  testbed: ReplicaTestbed,
  from: number,
  to: number,
  perSecond: number,
  burst: number,
): BudgetFigure {
  const times = testbed.arrivals.map(({ at }) => at).filter((at) => at >= from && at < to);
  const seconds = (to - from) / 1_000;
  return {
    seconds: Math.round(seconds * 10) / 10,
    calls: times.length,
    mostInASecond: mostInASecond(times),
    allowed: perSecond + burst,
    used: Math.round((100 * times.length) / (perSecond * seconds)) / 100,
  };
}

function mostInASecond(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while ((times[last] as number) - (times[first] as number) >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
