/** How hard each scenario is, and how well the set tells servers apart. Values in, values out. */
import { sampleCorrelation } from 'simple-statistics';
import { signTest } from '../statistics/paired.ts';
import { mean } from '../statistics/stats.ts';
import type { Row } from './row.ts';
import { comparability, contestantsOf, isUnmeasured } from './subject-score.ts';

/** A difference between two servers counts as told apart below this probability of the exact sign test. */
const LEVEL = 0.05;
/** A correlation over fewer contestants says nothing. */
const LEAST_CONTESTANTS = 4;

export interface ScenarioDifficulty {
  scenario: string;
  suite: string;
  /** Contestants that were judged in it: a subject with an agent. */
  contestants: number;
  /** Mean share of their runs that solve it, 0 to 1; the lower, the harder. */
  solved: number;
  /** Correlation with a contestant's success in all other scenarios, −1 to 1; null where all contestants do the same. */
  discrimination: number | null;
}

export interface Difficulty {
  size: string;
  /** From the hardest to the easiest. */
  scenarios: ScenarioDifficulty[];
  /** Pairs of contestants, and those that the set tells apart (exact sign test over shared scenarios, p < 0.05). */
  pairs: { of: number; toldApart: number };
}

/** Success of a contestant per scenario, 0 to 1: the mean over its seeds. */
type Results = ReadonlyMap<string, number>;

/**
 * Of comparable subjects only. A run counts in which the server was judged: not where it lacks the operation, not where a write
 * went through because it asks nobody, and not where a budget ended it or the
 * endpoint of a model never answered.
 */
export function difficultyOf(rows: readonly Row[], sizes: readonly string[]): Difficulty[] {
  return sizes.flatMap((size) => {
    const own = rows.filter((row) => row.size === size);
    const contestants = [...new Set(own.map(({ subject }) => subject))]
      .sort()
      .map((subject) => own.filter((row) => row.subject === subject))
      .filter((runs) => comparability(runs).comparable)
      .flatMap(resultsOf);
    if (contestants.length < 2) return [];
    return [{ size, scenarios: scenariosOf(own, contestants), pairs: pairsOf(contestants) }];
  });
}

/** One entry per agent that competes. */
function resultsOf(rows: readonly Row[]): Results[] {
  const judged = rows.filter((row) => row.status !== 'absent' && row.status !== 'gate-absence' && !isUnmeasured(row));
  return [...new Set(contestantsOf(rows.map(({ agent }) => agent)))].sort().map((agent) => {
    const runs = Map.groupBy(
      judged.filter((row) => row.agent === agent),
      ({ scenario }) => scenario,
    );
    return new Map([...runs].map(([scenario, own]) => [scenario, mean(own.map(({ success }) => success)) as number]));
  });
}

function scenariosOf(rows: readonly Row[], contestants: readonly Results[]): ScenarioDifficulty[] {
  const suites = new Map(rows.map(({ scenario, suite }) => [scenario, suite]));
  return [...suites]
    .flatMap(([scenario, suite]): ScenarioDifficulty[] => {
      const judged = contestants.filter((results) => results.has(scenario));
      const solved = mean(judged.map((results) => results.get(scenario) as number));
      if (solved === null) return [];
      const discrimination = discriminationOf(scenario, judged);
      return [{ scenario, suite, contestants: judged.length, solved, discrimination }];
    })
    .sort((a, b) => a.solved - b.solved || (a.scenario < b.scenario ? -1 : 1));
}

/** The corrected item-total correlation: the scenario itself is left out of the total. */
function discriminationOf(scenario: string, judged: readonly Results[]): number | null {
  if (judged.length < LEAST_CONTESTANTS) return null;
  const items = judged.map((results) => results.get(scenario) as number);
  const rests = judged.map(
    (results) => mean([...results].flatMap(([id, value]) => (id === scenario ? [] : [value]))) ?? 0,
  );
  const varies = (values: readonly number[]) => values.some((value) => value !== values[0]);
  return varies(items) && varies(rests) ? sampleCorrelation(items, rests) : null;
}

function pairsOf(contestants: readonly Results[]): Difficulty['pairs'] {
  const pairs = contestants.flatMap((one, i) => contestants.slice(i + 1).map((other) => [one, other] as const));
  return { of: pairs.length, toldApart: pairs.filter(([one, other]) => areToldApart(one, other)).length };
}

function areToldApart(one: Results, other: Results): boolean {
  const shared = [...one].flatMap(([scenario, value]) => {
    const beside = other.get(scenario);
    return beside === undefined ? [] : [value - beside];
  });
  return signTest(shared.filter((by) => by > 0).length, shared.filter((by) => by < 0).length) < LEVEL;
}
