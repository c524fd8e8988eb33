/** Tables of suites by metrics: the value, its interval, and the value beside it. */
import type { ComparedCell, ComparedMetric } from '../../grading/baseline-comparison.ts';
import { agentsShown, controlOutcomes } from '../../grading/control-agents.ts';
import { fieldName, type Metric } from '../../grading/metric.ts';
import { type MetricSummary, type Report, rateInterval, type SuiteSummary } from '../run-report.ts';

export interface Cell {
  text: string;
  /** Lines beneath, in small. */
  notes?: string[];
  /** Whether they say better or worse. */
  tone?: 'up' | 'down';
}

export interface SuiteTable {
  title: string;
  header: string[];
  rows: { sum: boolean; cells: Cell[] }[];
  notes: string[];
}

/** First the contestant's suites, then one comparison per column, then other contestants, and of the controls whether they held. */
export function suiteTables(report: Report): SuiteTable[] {
  const [main = '', ...others] = agentsShown(report.meta.agents);
  return [
    metricTable(report, main, `Suites and metrics: ${main}`),
    ...report.comparisons.flatMap((column) => comparisonTables(column.name, column.cells, main)),
    ...others.map((agent) => metricTable(report, agent, `Suites and metrics: ${agent}`)),
    controlTable(report),
  ].filter((table) => table.rows.length > 0);
}

function controlTable({ grades }: Report): SuiteTable {
  return {
    title: 'Controls',
    header: ['control', 'must have', 'held'],
    rows: controlOutcomes(grades).map(({ agent, must, held, broken }) => ({
      sum: false,
      cells: [{ text: agent }, { text: must }, { text: held ? 'yes' : 'no', notes: broken }],
    })),
    notes: ['A control proves the harness. What it measures is no result and stands in no table; its runs are below.'],
  };
}

/** The answer first, then what it cost, then how it was found. */
const ORDER = [
  'task-success',
  'tool-selection-accuracy',
  'safety-failure',
  'token-usage',
  'api-call-count',
  'latency-ms',
  'discovery-rank',
  'calls-beyond-plan',
  'unmatched-calls',
  'tool-definition-tokens',
  'tokens-saved',
];

function metricTable(report: Report, agent: string, title: string): SuiteTable {
  const rows = report.suites.filter((row) => row.agent === agent);
  const shown = report.metrics
    .filter((metric) => rows.some((row) => row.metrics[fieldName(metric)]?.mean != null))
    .sort((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id));
  const repeated = rows.some((row) => row.passPowers[1] !== null);
  const powers = repeated ? [1, 2, 3, 4, 5].filter((k) => rows.some((row) => row.passPowers[k - 1] !== null)) : [];
  return {
    title,
    header: ['suite', 'solved', ...powers.map((k) => `pass^${k}`), ...shown.map((metric) => metric.title)],
    rows: rows.map((row) => ({
      sum: row.suite === 'all',
      cells: [
        { text: row.suite, notes: [`${row.scenarios} scenario${row.scenarios === 1 ? '' : 's'}`] },
        { text: `${row.passed}/${row.runs}`, notes: [...intervalText(row.solvedInterval, share), ...apart(row)] },
        ...powers.map((k) => powerCell(row.passPowers[k - 1] ?? null, row.scenarios)),
        ...shown.map((metric) => metricCell(metric, row)),
      ],
    })),
    notes: [
      'Beneath each mean its 95 % interval, scenarios drawn anew (clustered bootstrap); beneath counts also median [quartiles] 95th percentile. Where none or all did, the interval is that of the rule of three, counting scenarios.',
    ],
  };
}

/** Neither pass nor fail, so in neither number of the share. */
const apart = ({ gateAbsences, limits }: SuiteSummary): string[] => [
  ...(gateAbsences === 0 ? [] : [`${gateAbsences} gate-absent`]),
  ...(limits === 0 ? [] : [`${limits} ended by a budget`]),
];

function powerCell(power: number | null, scenarios: number): Cell {
  const interval = power === null ? null : rateInterval([power], scenarios, null);
  return { text: share(power), notes: intervalText(interval, share) };
}

function metricCell(metric: Pick<Metric, 'id' | 'unit'>, row: SuiteSummary): Cell {
  const summary = row.metrics[fieldName(metric)];
  if (summary === undefined || summary.mean === null) return { text: '–' };
  if (metric.unit === 'failures') {
    const text = String(Math.round(summary.mean * summary.n));
    return summary.zeroBound === null ? { text } : { text, notes: [`< ${share(summary.zeroBound)}`] };
  }
  if (metric.unit === 'fraction') {
    return { text: share(summary.mean), notes: intervalText(summary.interval, share) };
  }
  return { text: count(summary.mean), notes: spread(summary) };
}

function spread({ interval, median, quartiles, p95 }: MetricSummary): string[] {
  const middle =
    quartiles === null ? [] : [`${count(median)} [${count(quartiles[0])}, ${count(quartiles[1])}] ${count(p95)}`];
  return [...intervalText(interval, count), ...middle];
}

const NAMES: Record<ComparedMetric, string> = {
  solved: 'solved',
  task_success: 'task success',
  tool_selection_accuracy: 'selection',
  token_usage: 'tokens',
  api_call_count: 'calls',
};

function comparisonTables(name: string, cells: readonly ComparedCell[], agent: string): SuiteTable[] {
  const own = cells.filter((cell) => cell.agent === agent);
  if (own.length === 0) return [];
  const suites = [...new Set(own.map((cell) => cell.suite))].sort(
    (a, b) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1),
  );
  const metrics = [...new Set(own.map((cell) => cell.metric))];
  const at = (suite: string, metric: ComparedMetric) =>
    own.find((cell) => cell.suite === suite && cell.metric === metric);
  return [
    {
      title: `Beside ${name}`,
      header: ['suite', ...metrics.map((metric) => NAMES[metric])],
      rows: suites.map((suite) => ({
        sum: suite === 'all',
        cells: [{ text: suite }, ...metrics.map((metric) => comparedCell(at(suite, metric)))],
      })),
      notes: [
        'Before → now; beneath it how many scenarios got better and worse, and the p of the exact sign test after Holm over suites.',
        ...metrics.map((metric) => judgementOf(at('all', metric))).filter((line) => line !== ''),
      ],
    },
  ];
}

function comparedCell(cell: ComparedCell | undefined): Cell {
  if (cell === undefined) return { text: '–' };
  const show = cell.metric === 'token_usage' || cell.metric === 'api_call_count' ? count : share;
  const { better, worse } = cell.signs;
  if (better + worse === 0) return { text: show(cell.after), notes: ['no change'] };
  const text = `${show(cell.before)} → ${show(cell.after)}`;
  const notes = [`${better} better, ${worse} worse, p ${cell.adjusted.toFixed(2)}`];
  // Colour says that the difference is more than chance, not merely which way it points.
  if (cell.adjusted >= 0.05) return { text, notes };
  return { text, notes, tone: better > worse ? 'up' : 'down' };
}

/** The sentence under the table: whether the difference could be none. */
function judgementOf(cell: ComparedCell | undefined): string {
  if (cell === undefined || cell.interval === null || cell.signs.better + cell.signs.worse === 0) return '';
  const [low, high] = cell.interval;
  const show = (value: number) =>
    cell.metric === 'token_usage' || cell.metric === 'api_call_count'
      ? count(value)
      : `${Math.round(100 * value)} points`;
  const range = `${show(low)} to ${show(high)}`;
  return low <= 0 && high >= 0
    ? `${NAMES[cell.metric]}: the interval of the difference, ${range}, includes 0, so this run does not show one.`
    : `${NAMES[cell.metric]}: the difference lies between ${show(low)} and ${show(high)} with 95 % confidence.`;
}

function intervalText(interval: readonly [number, number] | null, show: (value: number) => string): string[] {
  if (interval === null) return [];
  const [low, high] = interval.map(show);
  return low === high ? [] : [`${low}–${high}`];
}

const share = (value: number | null): string => (value === null ? '–' : `${Math.round(100 * value)} %`);

function count(value: number | null): string {
  if (value === null) return '–';
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Math.round(value * 10) / 10);
}
