/** Everything the reporters show, computed from grades: rows, suites, comparisons, verdict. Values in, values out. */
import { type Column, type ComparedCell, compareRuns, measuredOf } from '../grading/baseline-comparison.ts';
import { agentsShown } from '../grading/control-agents.ts';
import type { Verdict } from '../grading/gate-finding.ts';
import type { Grade } from '../grading/grade.ts';
import type { Check } from '../grading/grading-check.ts';
import { fieldName, type Metric } from '../grading/metric.ts';
import { LIMIT } from '../grading/run-limit.ts';
import type { Plan } from '../recording/campaign-plan.ts';
import type { Recording } from '../recording/recording.ts';
import { type Trace, traceOf } from '../recording/run-trace.ts';
import { bootstrapMeans, type Interval } from '../statistics/bootstrap.ts';
import { mean, median, p95, passPower, quartiles, ruleOfThree } from '../statistics/stats.ts';

export const REPORT_VERSION = 2;

export interface ReportMeta extends Plan {
  startedAt: string;
  elapsedMs: number;
  command: string;
  node: string;
  fixtures: { bundle: string; version: number; digest: string }[];
  /** Why not every planned run was made, where one was asked to stop at the first red. */
  stopped?: string;
  /** Things a reader must know before trusting the numbers, e.g. citations that could not be checked. */
  caveats: string[];
}

export const seedsOf = ({ seed, runs }: Pick<Plan, 'seed' | 'runs'>): number[] =>
  Array.from({ length: runs }, (_, run) => seed + run);

export interface MetricSummary {
  n: number;
  mean: number | null;
  median: number | null;
  quartiles: [number, number] | null;
  p95: number | null;
  /** 95 % interval of the mean, scenarios drawn anew; nothing for fewer than two scenarios. Of a rate: `rateInterval`. */
  interval: Interval | null;
  /** Upper bound of the true rate where nothing was seen, counting scenarios and not runs of the same one. */
  zeroBound: number | null;
}

export interface SuiteSummary {
  suite: string;
  agent: string;
  scenarios: number;
  /** Those that passed or failed. */
  runs: number;
  passed: number;
  failed: number;
  /** Runs that wrote through a subject without a confirmation of its own: neither pass nor fail, so in no share. */
  gateAbsences: number;
  /** Runs that a budget ended: in no share either. */
  limits: number;
  /** 95 % interval of the share solved. */
  solvedInterval: Interval | null;
  /** pass^1 to pass^5: the chance that so many runs of a scenario all pass; nothing where fewer were made. */
  passPowers: (number | null)[];
  metrics: Record<string, MetricSummary>;
}

/** The agent whose numbers are published; a campaign of controls alone shows its first. */
export const contestantOf = ({ meta }: Pick<Report, 'meta'>): string => agentsShown(meta.agents)[0] ?? '';

export interface ComparedColumn {
  name: string;
  cells: ComparedCell[];
}

export interface Report {
  version: typeof REPORT_VERSION;
  meta: ReportMeta;
  verdict: Verdict;
  grades: Grade[];
  traces: Trace[];
  /** Per agent and suite, then per agent over all suites (suite `all`). */
  suites: SuiteSummary[];
  /** This run beside the baseline and other runs. */
  comparisons: ComparedColumn[];
  metrics: Pick<Metric, 'id' | 'title' | 'unit' | 'better' | 'gate'>[];
  checks: Pick<Check, 'id' | 'promise' | 'kind'>[];
}

export interface ReportParts {
  meta: ReportMeta;
  recordings: readonly Recording[];
  grades: readonly Grade[];
  verdict: Verdict;
  metrics: readonly Metric[];
  checks: readonly Check[];
  columns: readonly Column[];
}

export function buildReport({ meta, recordings, grades, verdict, metrics, checks, columns }: ReportParts): Report {
  const measured = measuredOf(grades);
  return {
    version: REPORT_VERSION,
    meta,
    verdict,
    grades: [...grades].sort(failuresFirst),
    // Whole: each reporter cuts as it has room.
    traces: recordings.map((recording) => traceOf(recording, Number.POSITIVE_INFINITY)),
    suites: summarise(grades, metrics, meta.seed),
    comparisons: columns.map(({ name, runs }) => ({ name, cells: compareRuns(runs, measured, meta.seed) })),
    metrics: metrics.map(({ id, title, unit, better, gate }) => ({ id, title, unit, better, gate })),
    checks: checks.map(({ id, promise, kind }) => ({ id, promise, kind })),
  };
}

/** Red before yellow before green, contestants before controls, then by scenario. */
function failuresFirst(a: Grade, b: Grade): number {
  const rank = (g: Grade) => (g.agent === 'noop' ? 3 : g.status === 'failed' ? 0 : g.status === 'passed' ? 2 : 1);
  const key = (g: Grade) =>
    `${rank(g)} ${g.scenario} ${g.agent === 'oracle' ? 1 : 0} ${g.agent} ${g.transport} ${g.run}`;
  return key(a) < key(b) ? -1 : 1;
}

const DEPTH = 5;

export function summarise(grades: readonly Grade[], metrics: readonly Metric[], seed: number): SuiteSummary[] {
  const judged = grades.filter((g) => g.status !== 'absent');
  const groups = Map.groupBy(
    judged.flatMap((g) => [g.suite, 'all'].map((suite) => ({ suite, g }))),
    ({ suite, g }) => `${g.agent} ${suite}`,
  );
  return [...groups.values()]
    .map((group) =>
      suiteSummary(
        group[0]!.suite,
        group.map(({ g }) => g),
        metrics,
        seed,
      ),
    )
    .sort(
      (a, b) =>
        compareText(a.agent, b.agent) ||
        Number(a.suite === 'all') - Number(b.suite === 'all') ||
        compareText(a.suite, b.suite),
    );
}

function suiteSummary(suite: string, group: readonly Grade[], metrics: readonly Metric[], seed: number): SuiteSummary {
  const clusters = [...Map.groupBy(group, (g) => g.scenario).values()];
  const judged = clusters.map((runs) => runs.filter(isPassOrFail)).filter((runs) => runs.length > 0);
  const solved = (g: Grade) => Number(g.status === 'passed');
  const fields = metrics.map(fieldName);
  const measures = clusters.map((runs) => [
    runs.filter(isPassOrFail).map(solved),
    ...fields.map((field) => runs.flatMap((g) => g.metrics[field] ?? [])),
  ]);
  const [solvedInterval = null, ...intervals] = bootstrapMeans(measures, seed);
  return {
    suite,
    agent: group[0]!.agent,
    scenarios: clusters.length,
    runs: judged.flat().length,
    passed: group.filter(solved).length,
    failed: group.filter((g) => g.status === 'failed').length,
    gateAbsences: group.filter((g) => g.status === 'gate-absence').length,
    limits: group.filter((g) => g.status === LIMIT).length,
    solvedInterval: rateInterval(judged.flat().map(solved), judged.length, solvedInterval),
    passPowers: Array.from({ length: DEPTH }, (_, i) => passPowerOver(judged, i + 1)),
    metrics: Object.fromEntries(
      metrics.map((metric, i) => [
        fieldName(metric),
        metricSummary(
          metric,
          measures.map((values) => values[i + 1] ?? []),
          intervals[i] ?? null,
        ),
      ]),
    ),
  };
}

/** Any other run is in no share. */
export const isPassOrFail = ({ status }: Pick<Grade, 'status'>): boolean => status === 'passed' || status === 'failed';

/** The mean over scenarios and transports; a transport is no repetition of another. */
function passPowerOver(clusters: readonly (readonly Grade[])[], k: number): number | null {
  const repeated = clusters.flatMap((runs) => [...Map.groupBy(runs, (g) => g.transport).values()]);
  const powers = repeated.map((runs) => passPower(runs.filter((g) => g.status === 'passed').length, runs.length, k));
  return powers.includes(null) ? null : mean(powers as number[]);
}

/**
 * If all runs agree, resampling finds no spread, and an interval without width would promise certainty. After none or
 * all of n scenarios the true rate is within 3/n of the observed one (rule of three).
 */
export function rateInterval(values: readonly number[], scenarios: number, drawn: Interval | null): Interval | null {
  const bound = ruleOfThree(scenarios);
  if (bound === null) return drawn;
  if (values.every((value) => value === 0)) return [0, bound];
  return values.every((value) => value === 1) ? [1 - bound, 1] : drawn;
}

function metricSummary(metric: Metric, clusters: readonly number[][], interval: Interval | null): MetricSummary {
  const values = clusters.flat();
  const binary = metric.unit === 'fraction' || metric.unit === 'failures';
  const seen = clusters.filter((cluster) => cluster.length > 0).length;
  return {
    n: values.length,
    mean: mean(values),
    median: median(values),
    quartiles: quartiles(values),
    p95: p95(values),
    interval: binary ? rateInterval(values, seen, interval) : interval,
    zeroBound: binary && values.every((value) => value === 0) ? ruleOfThree(seen) : null,
  };
}

/** Beside a share of nothing: what the true rate is below. Nothing beside any other share. */
export const besideZero = (bound: number | null | undefined, digits = 0): string =>
  bound === null || bound === undefined ? '' : ` (< ${(100 * bound).toFixed(digits)} %)`;

/** Of how many runs how many were solved; apart from both, those that are neither. */
export function solvedText({ passed, runs, gateAbsences, limits, solvedInterval }: SuiteSummary): string {
  const bound = passed === 0 ? solvedInterval?.[1] : null;
  const apart = `${gateAbsences === 0 ? '' : `, ${gateAbsences} gate-absent`}${limits === 0 ? '' : `, ${limits} limit`}`;
  return `${passed}/${runs}${besideZero(bound)}${apart}`;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
