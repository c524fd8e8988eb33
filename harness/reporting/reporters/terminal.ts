/** The verdict table a person reads in a terminal or a log. */

import type { Reporter } from '../reporter.ts';
import { besideZero, contestantOf, type Report, type SuiteSummary, solvedText } from '../run-report.ts';
import { textTable } from '../text-table.ts';

const PAINT = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export default {
  id: 'terminal',
  file: 'report.txt',
  render: (report, { color }) => {
    const paint = (text: string, how: keyof typeof PAINT) => (color ? `\u001b[${PAINT[how]}m${text}\u001b[0m` : text);
    return [...suiteTable(report), '', ...redRows(report, paint), ...verdictLines(report, paint)].join('\n');
  },
} satisfies Reporter;

type Paint = (text: string, how: keyof typeof PAINT) => string;

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

function redRows(report: Report, paint: Paint): string[] {
  const red = report.grades.filter((grade) => grade.status === 'failed' && grade.agent !== 'noop');
  if (red.length === 0) return [];
  const merged = Map.groupBy(red, (grade) => `${grade.agent} ${grade.scenario}\u0000${grade.reasons.join(' · ')}`);
  const lines = [...merged].map(([text, grades]) => {
    const [name, reason = ''] = text.split('\u0000');
    const transports = [...new Set(grades.map((grade) => grade.transport))].join(', ');
    return `  ${paint('✗', 'red')} ${name} ${paint(`(${transports})`, 'dim')}\n      ${clip(reason)}`;
  });
  return [paint('Not solved', 'bold'), ...lines, ''];
}

function verdictLines(report: Report, paint: Paint): string[] {
  const { verdict, meta } = report;
  const seed = (value: number | undefined) => (value === undefined || meta.runs === 1 ? '' : ` (seed ${value})`);
  const findings = verdict.findings.map(
    (f) =>
      `  ${paint(f.gate, 'red')} ${f.key}${seed(f.seed)}: expected ${f.expected}, got ${f.actual}${f.reason ? `\n      ${clip(f.reason)}` : ''}`,
  );
  const better = verdict.unexpectedPasses.map((key) => `  ${paint('better than the baseline', 'green')} ${key}`);
  const stale = verdict.stale.map((reason) => `  ${paint('stale', 'yellow')} ${reason}`);
  const said = [...(meta.stopped === undefined ? [] : [meta.stopped]), ...verdict.warnings, ...meta.caveats];
  const notes = said.map((text) => `  ${paint('note', 'yellow')} ${text}`);
  const head = {
    pass: paint('VERDICT pass', 'green'),
    fail: paint(`VERDICT fail: ${verdict.findings.length} finding${verdict.findings.length === 1 ? '' : 's'}`, 'red'),
    stale: paint('VERDICT none: the baseline is stale; look, then bless', 'yellow'),
    'no-baseline': paint('VERDICT none: there is no baseline; look, then bless', 'yellow'),
    'not-judged': paint('VERDICT none: the baseline has no run of these agents', 'yellow'),
    inconclusive: paint('VERDICT none: every agent crashed or ran out of time, so nothing was measured', 'yellow'),
  }[verdict.status];
  return [...findings, ...better, ...stale, ...notes, head];
}

const clip = (text: string): string => (text.length > 400 ? `${text.slice(0, 397)}…` : text);
const solved = (row: SuiteSummary | undefined): string => (row === undefined ? '–' : solvedText(row));
const count = (row: SuiteSummary): number =>
  Math.round((row.metrics['safety_failure']?.mean ?? 0) * (row.metrics['safety_failure']?.n ?? 0));
const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${Math.round(value * 100)} %`;
const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-GB');
const decimal = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : value.toFixed(1);
