/** The verdict table a person reads in a terminal or a log. */
import { differingRequests } from '../../grading/baseline-requests.ts';
import { groupedFindings, groupedMisses, verdictLine } from '../../grading/verdict-causes.ts';
import type { Reporter } from '../reporter.ts';
import { besideZero, contestantOf, type Report, type SuiteSummary, solvedText } from '../run-report.ts';
import { textTable } from '../text-table.ts';

const PAINT = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export default {
  id: 'terminal',
  file: 'report.txt',
  render: (report, { color, summary = true }: { color: boolean; summary?: boolean }) => {
    const paint: Paint = (text, how) => painted(text, how, color);
    return [
      ...suiteTable(report),
      '',
      ...findingRows(report, paint),
      ...noteRows(report, paint),
      ...missRows(report, paint),
      ...(summary ? [lastLine(report, color)] : []),
    ].join('\n');
  },
} satisfies Reporter;

/** Causes of findings, and of what is not solved, that a terminal shows. */
const CAUSES = 10;
const MISSES = 5;

type Paint = (text: string, how: keyof typeof PAINT) => string;

const painted = (text: string, how: keyof typeof PAINT, color: boolean): string =>
  color ? `\u001b[${PAINT[how]}m${text}\u001b[0m` : text;

function suiteTable(report: Report): string[] {
  const { agents } = report.meta;
  const main = contestantOf(report);
  const suites = [...new Set(report.suites.map((row) => row.suite))].sort(
    (a, b) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1),
  );
  const header = ['suite', ...agents, 'selection', 'tokens', 'p95', 'calls', 'ms', 'unsafe'];
  const rows = suites.map((suite) => {
    const of = (agent: string) => report.suites.find((row) => row.suite === suite && row.agent === agent);
    const rows = report.suites.filter((row) => row.suite === suite);
    const unsafe = rows.reduce((sum, row) => sum + count(row), 0);
    // Every agent is in the same scenarios; the bound counts those.
    const bounds = rows.flatMap((row) => row.metrics['safety_failure']?.zeroBound ?? []);
    const bound = unsafe === 0 && bounds.length > 0 ? Math.max(...bounds) : null;
    const shown = of(main);
    const selection = shown?.metrics['tool_selection_accuracy'];
    return [
      suite,
      ...agents.map((agent) => solved(of(agent))),
      `${percent(selection?.mean)}${besideZero(selection?.zeroBound)}`,
      whole(shown?.metrics['token_usage']?.mean),
      whole(shown?.metrics['token_usage']?.p95),
      decimal(shown?.metrics['api_call_count']?.mean),
      whole(shown?.metrics['latency_ms']?.mean),
      `${unsafe}${besideZero(bound)}`,
    ];
  });
  const [head = '', rule = '', ...lines] = textTable(header, rows);
  const all = report.suites.find((row) => row.suite === 'all' && row.agent === main);
  return [
    head,
    rule,
    ...lines.slice(0, -1),
    rule,
    ...lines.slice(-1),
    `(selection, tokens, calls and ms are those of ${main})`,
    ...(all === undefined ? [] : intervalLine(all)),
  ];
}

/** How sure the share is, and how steady where runs were repeated. */
function intervalLine(all: SuiteSummary): string[] {
  const [low, high] = all.solvedInterval ?? [];
  if (low === undefined || high === undefined) return [];
  const powers = all.passPowers
    .flatMap((power, i) => (i === 0 || power === null ? [] : [`pass^${i + 1} ${percent(power)}`]))
    .join(', ');
  const share = `${all.agent} solved ${percent(all.runs === 0 ? null : all.passed / all.runs)}, 95 % interval ${percent(low)} to ${percent(high)}`;
  return [`${share} over ${all.scenarios} scenarios${powers === '' ? '' : `; ${powers}`}`];
}

/** The largest causes of what is not solved; the page has the others. */
function missRows(report: Report, paint: Paint): string[] {
  const causes = groupedMisses(report.grades);
  if (causes.length === 0) return [];
  const lines = causes.slice(0, MISSES).map(({ reason, grades }) => {
    const [first] = grades;
    const more = grades.length === 1 ? '' : paint(` and ${grades.length - 1} more`, 'dim');
    return `  ${paint('✗', 'red')} ${first?.agent} ${first?.scenario}${more}\n      ${clip(reason)}`;
  });
  const rest = causes.length - MISSES;
  return [paint('Not solved', 'bold'), ...lines, ...(rest > 0 ? [`  and ${rest} other causes: npm run view`] : []), ''];
}

function findingRows({ verdict, meta }: Report, paint: Paint): string[] {
  const seed = (value: number | undefined) => (value === undefined || meta.runs === 1 ? '' : ` (seed ${value})`);
  const groups = groupedFindings(verdict.findings);
  const lines = groups.slice(0, CAUSES).flatMap(({ gate, findings }) => {
    const first = findings[0]!;
    const others = findings.slice(1).map((finding) => `${finding.key}${seed(finding.seed)}`);
    return [
      `  ${paint(gate, 'red')} ${first.key}${seed(first.seed)}: expected ${first.expected}, got ${first.actual}`,
      ...(first.reason === undefined ? [] : [`      ${clip(first.reason)}`]),
      ...requestRows(first),
      ...(others.length === 0 ? [] : [`      and ${others.length} more: ${clip(others.join(', '), 200)}`]),
    ];
  });
  const rest = groups.length - CAUSES;
  return [...lines, ...(rest > 0 ? [`  and ${rest} other causes: npm run view`] : [])];
}

/** Only the requests that one side has and the other has not. */
function requestRows({ requests }: Report['verdict']['findings'][number]): string[] {
  if (requests === undefined) return [];
  const { gone, added } = differingRequests(requests.blessed, requests.now);
  return [
    ...gone.map((line) => `      baseline: ${clip(line)}`),
    ...added.map((line) => `      now:      ${clip(line)}`),
  ];
}

function noteRows({ verdict, meta }: Report, paint: Paint): string[] {
  const better = verdict.unexpectedPasses.slice(0, MISSES);
  const rest = verdict.unexpectedPasses.length - better.length;
  const otherReasons = verdict.stale.length - MISSES;
  const said = [...(meta.stopped === undefined ? [] : [meta.stopped]), ...verdict.warnings, ...meta.caveats];
  return [
    ...better.map((key) => `  ${paint('better than the baseline', 'green')} ${key}`),
    ...(rest > 0 ? [`  and ${rest} more better than the baseline`] : []),
    ...verdict.stale.slice(0, MISSES).map((reason) => `  ${paint('stale', 'yellow')} ${reason}`),
    ...(otherReasons > 0 ? [`  and ${otherReasons} more reasons why the baseline is stale; the report has them`] : []),
    ...said.map((text) => `  ${paint('note', 'yellow')} ${text}`),
  ];
}

/** Printed last, after everything else that a command prints. */
export function lastLine({ verdict, grades }: Report, color: boolean): string {
  const how = verdict.status === 'pass' ? 'green' : verdict.status === 'fail' ? 'red' : 'yellow';
  return painted(verdictLine(verdict, grades), how, color);
}

const clip = (text: string, longest = 400): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
const solved = (row: SuiteSummary | undefined): string => (row === undefined ? '–' : solvedText(row));
const count = (row: SuiteSummary): number =>
  Math.round((row.metrics['safety_failure']?.mean ?? 0) * (row.metrics['safety_failure']?.n ?? 0));
const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${Math.round(value * 100)} %`;
const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-GB');
const decimal = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : value.toFixed(1);
