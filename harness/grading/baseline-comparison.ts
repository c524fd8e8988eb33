/**
 * Two sets of runs side by side, scenario by scenario: means, the interval of their difference, and exact tests that
 * count how many scenarios went up and how many down. Values in, values out.
 */
import { bootstrapMeans, type Interval } from '../statistics/bootstrap.ts';
import { countSigns, holm, type SignCount, signTest } from '../statistics/paired.ts';
import { mean } from '../statistics/stats.ts';
import type { Baseline } from './baseline.ts';
import type { Grade } from './grade.ts';
import { LIMIT } from './run-limit.ts';

/** One run as far as it can be compared. */
export interface Measured {
  agent: string;
  transport: string;
  suite: string;
  scenario: string;
  seed: number;
  values: Record<ComparedMetric, number | null>;
}

/** Runs to stand beside those of the report. */
export interface Column {
  name: string;
  runs: Measured[];
}

const HIGHER_IS_BETTER = {
  solved: true,
  task_success: true,
  tool_selection_accuracy: true,
  token_usage: false,
  api_call_count: false,
} as const;
export type ComparedMetric = keyof typeof HIGHER_IS_BETTER;
export const COMPARED = Object.keys(HIGHER_IS_BETTER) as ComparedMetric[];

export interface ComparedCell {
  agent: string;
  suite: string;
  metric: ComparedMetric;
  before: number | null;
  after: number | null;
  /** 95 % interval of the mean difference, scenarios drawn anew; nothing for fewer than two scenarios. */
  interval: Interval | null;
  /** Scenarios that got better, worse, or stayed. */
  signs: SignCount;
  /** Of the exact sign test over scenarios; for one run each of a yes-or-no metric this is McNemar's. */
  p: number;
  /** After Holm's adjustment over the suites of this agent and metric; suite `all` stands alone. */
  adjusted: number;
}

export function measuredOf(grades: readonly Grade[]): Measured[] {
  return grades
    .filter((grade) => grade.status !== 'absent')
    .map((grade) => {
      const { agent, transport, suite, scenario, seed, metrics } = grade;
      const rest = COMPARED.filter((metric) => metric !== 'solved').map((name) => [name, metrics[name] ?? null]);
      const apart = grade.status === 'gate-absence' || grade.status === LIMIT;
      const solved = apart ? null : Number(grade.status === 'passed');
      const values = { solved, ...Object.fromEntries(rest) };
      return { agent, transport, suite, scenario, seed, values };
    });
}

/** The baseline's runs with the seeds that were run, or with all of its seeds where it has none of those. */
export function baselineColumns(baseline: Baseline | undefined, grades: readonly Grade[]): Column[] {
  if (baseline === undefined) return [];
  const seeds = new Set(grades.map((grade) => grade.seed));
  const held = baseline.seeds.map((seed, i) => ({ seed, i }));
  const wanted = held.filter(({ seed }) => seeds.has(seed));
  const places = wanted.length > 0 ? wanted : held;
  const runs = [...new Map(grades.map((grade) => [grade.key, grade])).values()].flatMap(
    ({ key, agent, transport, suite, scenario }): Measured[] => {
      const entry = baseline.entries[key];
      if (entry === undefined) return [];
      return places.map(({ seed, i }) => ({
        agent,
        transport,
        suite,
        scenario,
        seed,
        values: {
          solved: entry.passed[i] ?? null,
          task_success: entry.task_success[i] ?? null,
          tool_selection_accuracy: entry.tool_selection_accuracy[i] ?? null,
          token_usage: entry.token_usage[i] ?? null,
          api_call_count: entry.api_call_count[i] ?? null,
        },
      }));
    },
  );
  return runs.length === 0 ? [] : [{ name: `baseline of ${baseline.blessed.at.slice(0, 10)}`, runs }];
}

/**
 * Only what both sides ran is compared: the same agent over the same transport in the same scenario with the same seed.
 * Where they have no seed in common, seeds are not told apart.
 */
export function compareRuns(before: readonly Measured[], after: readonly Measured[], seed: number): ComparedCell[] {
  const seeds = new Set(before.map((run) => run.seed));
  const bySeed = after.some((run) => seeds.has(run.seed));
  const keyOf = (run: Measured) => `${run.agent}/${run.transport}/${run.scenario}${bySeed ? `/${run.seed}` : ''}`;
  const agents = [...new Set(after.map((run) => run.agent))];
  return agents.flatMap((agent) =>
    COMPARED.flatMap((metric) => {
      // A run without a value, such as one that a budget ended, is left out on both sides.
      const valued = (runs: readonly Measured[]) =>
        runs.filter((run) => run.agent === agent && run.values[metric] !== null);
      const sharedWith = (others: readonly Measured[]) => {
        const known = new Set(valued(others).map(keyOf));
        return (run: Measured) => known.has(keyOf(run));
      };
      const [a, b] = [valued(before).filter(sharedWith(after)), valued(after).filter(sharedWith(before))];
      const suites = [...new Set(b.map((run) => run.suite))].sort();
      const within = (runs: readonly Measured[], suite: string) => runs.filter((run) => run.suite === suite);
      const cells = suites.map((suite) => cellOf(agent, suite, metric, within(a, suite), within(b, suite), seed));
      const adjusted = holm(cells.map((cell) => cell.p));
      const whole = suites.length === 0 ? [] : [cellOf(agent, 'all', metric, a, b, seed)];
      return [...cells.map((cell, i) => ({ ...cell, adjusted: adjusted[i]! })), ...whole];
    }),
  );
}

function cellOf(
  agent: string,
  suite: string,
  metric: ComparedMetric,
  before: readonly Measured[],
  after: readonly Measured[],
  seed: number,
): ComparedCell {
  const pairs = pairedMeans(before, after, metric);
  const signs = countSigns(pairs, HIGHER_IS_BETTER[metric]);
  const p = signTest(signs.better, signs.worse);
  const [interval = null] = bootstrapMeans(
    pairs.map(([a, b]) => [[b - a]]),
    seed,
  );
  const meanOf = (runs: readonly Measured[]) => mean(runs.flatMap((run) => run.values[metric] ?? []));
  return { agent, suite, metric, before: meanOf(before), after: meanOf(after), interval, signs, p, adjusted: p };
}

/** Per scenario the mean of each side, over transports and seeds. */
function pairedMeans(
  before: readonly Measured[],
  after: readonly Measured[],
  metric: ComparedMetric,
): [number, number][] {
  const means = (runs: readonly Measured[]) =>
    new Map(
      [...Map.groupBy(runs, (run) => run.scenario)].map(([scenario, group]) => [
        scenario,
        mean(group.flatMap((run) => run.values[metric] ?? [])) ?? 0,
      ]),
    );
  const earlier = means(before);
  return [...means(after)].flatMap(([scenario, value]): [number, number][] => {
    const other = earlier.get(scenario);
    return other === undefined ? [] : [[other, value]];
  });
}
