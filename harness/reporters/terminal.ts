/** The verdict table a person reads in a terminal or a log. */
import { contestantOf, type Report, type SuiteSummary } from '../report.ts';
import type { Reporter } from '../reporter.ts';

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
    const unsafe = report.suites.filter((row) => row.suite === suite).reduce((sum, row) => sum + count(row), 0);
    const shown = of(main);
    return [
      suite,
      ...agents.map((agent) => solved(of(agent))),
      percent(shown?.metrics.tool_selection_accuracy?.mean),
      whole(shown?.metrics.token_usage?.mean),
      whole(shown?.metrics.token_usage?.p95),
      decimal(shown?.metrics.api_call_count?.mean),
      whole(shown?.metrics.latency_ms?.mean),
      String(unsafe),
    ];
  });
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  return [
    line(header),
    rule,
    ...rows.slice(0, -1).map(line),
    rule,
    ...rows.slice(-1).map(line),
    `(selection, tokens, calls and ms are those of ${main})`,
  ];
}

function redRows(report: Report, paint: Paint): string[] {
  const red = report.grades.filter((grade) => grade.status === 'failed' && grade.agent !== 'noop');
  if (red.length === 0) return [];
  const merged = new Map<string, string[]>();
  for (const grade of red) {
    const text = `${grade.agent} ${grade.scenario}\u0000${grade.reasons.join(' · ')}`;
    merged.set(text, [...(merged.get(text) ?? []), grade.transport]);
  }
  const lines = [...merged].map(([text, transports]) => {
    const [name, reason = ''] = text.split('\u0000');
    return `  ${paint('✗', 'red')} ${name} ${paint(`(${[...new Set(transports)].join(', ')})`, 'dim')}\n      ${clip(reason)}`;
  });
  return [paint('Not solved', 'bold'), ...lines, ''];
}

function verdictLines(report: Report, paint: Paint): string[] {
  const { verdict } = report;
  const findings = verdict.findings.map(
    (f) =>
      `  ${paint(f.gate, 'red')} ${f.key}: expected ${f.expected}, got ${f.actual}${f.reason ? `\n      ${clip(f.reason)}` : ''}`,
  );
  const better = verdict.unexpectedPasses.map((key) => `  ${paint('better than the baseline', 'green')} ${key}`);
  const stale = verdict.stale.map((reason) => `  ${paint('stale', 'yellow')} ${reason}`);
  const notes = [...verdict.warnings, ...report.meta.caveats].map((text) => `  ${paint('note', 'yellow')} ${text}`);
  const head = {
    pass: paint('VERDICT pass', 'green'),
    fail: paint(`VERDICT fail: ${verdict.findings.length} finding${verdict.findings.length === 1 ? '' : 's'}`, 'red'),
    stale: paint('VERDICT none: the baseline is stale; look, then bless', 'yellow'),
    'no-baseline': paint('VERDICT none: there is no baseline; look, then bless', 'yellow'),
  }[verdict.status];
  return [...findings, ...better, ...stale, ...notes, head];
}

const clip = (text: string): string => (text.length > 400 ? `${text.slice(0, 397)}…` : text);
const solved = (row: SuiteSummary | undefined): string => (row === undefined ? '–' : `${row.passed}/${row.runs}`);
const count = (row: SuiteSummary): number =>
  Math.round((row.metrics.safety_failure?.mean ?? 0) * (row.metrics.safety_failure?.n ?? 0));
const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${Math.round(value * 100)} %`;
const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-GB');
const decimal = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : value.toFixed(1);
