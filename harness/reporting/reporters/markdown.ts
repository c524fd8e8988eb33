/** The report for a pull request or a job summary. */
import { agentsShown, controlOutcomes, isControl } from '../../grading/control-agents.ts';
import type { Grade } from '../../grading/grade.ts';
import { escapedCell } from '../escape.ts';
import type { Reporter } from '../reporter.ts';
import { besideZero, type MetricSummary, type Report, type SuiteSummary, solvedText } from '../run-report.ts';

export default {
  id: 'markdown',
  file: 'report.md',
  render: (report) =>
    [
      `# Golden run: ${report.verdict.status}`,
      '',
      `${report.meta.subject} · ${report.meta.transports.join(' and ')} · seed ${report.meta.seed} · ${report.meta.runs} run(s) each · commit ${report.meta.commit ?? 'unknown'}`,
      '',
      ...[...report.verdict.warnings, ...report.meta.caveats].map((text) => `> ${text}\n`),
      ...findings(report),
      '## Suites',
      '',
      ...table(
        ['agent', 'suite', 'solved', 'task success', 'selection', 'tokens mean', 'tokens p95', 'calls', 'unsafe'],
        report.suites.filter((row) => agentsShown(report.meta.agents).includes(row.agent)).map(suiteRow),
      ),
      '',
      ...controls(report),
      '## Runs, failures first',
      '',
      ...table(
        ['', 'agent', 'transport', 'scenario', 'reason'],
        report.grades
          .filter(worthARow)
          .map((g) => [g.status, g.agent, g.transport, g.scenario, escapedCell(g.reasons.join(' · '))]),
      ),
      '',
    ].join('\n'),
} satisfies Reporter;

/** A control that held says nothing run by run. */
const worthARow = (grade: Grade): boolean =>
  !isControl(grade.agent) || controlOutcomes([grade]).some(({ held }) => !held);

function findings(report: Report): string[] {
  const { verdict } = report;
  const rows = verdict.findings.map((f) => [
    f.gate,
    f.key,
    escapedCell(f.expected),
    escapedCell(f.actual),
    escapedCell(f.reason ?? ''),
  ]);
  return [
    ...(rows.length === 0 ? [] : ['## Findings', '', ...table(['gate', 'run', 'expected', 'got', 'reason'], rows), '']),
    ...verdict.unexpectedPasses.map((key) => `- better than the baseline: ${key}`),
    ...verdict.stale.map((reason) => `- stale: ${reason}`),
    ...(verdict.unexpectedPasses.length + verdict.stale.length > 0 ? [''] : []),
  ];
}

/** Control agents have no results: the table only has pass or fail. */
function controls({ grades }: Report): string[] {
  const rows = controlOutcomes(grades).map(({ agent, must, held, broken }) => [
    agent,
    must,
    held ? 'yes' : `no: ${broken.join(', ')}`,
  ]);
  return rows.length === 0 ? [] : ['## Controls', '', ...table(['control', 'must have', 'held'], rows), ''];
}

function suiteRow(row: SuiteSummary): string[] {
  const m = row.metrics;
  const share = (summary: MetricSummary | undefined) => `${fixed(summary?.mean, 2)}${besideZero(summary?.zeroBound)}`;
  const fixed = (value: number | null | undefined, digits: number) =>
    value === null || value === undefined ? '–' : value.toFixed(digits);
  return [
    row.agent,
    row.suite,
    row.passed === 0 ? solvedText(row) : `${solvedText(row)}${range(row)}`,
    share(m['task_success']),
    share(m['tool_selection_accuracy']),
    fixed(m.token_usage?.mean, 0),
    fixed(m.token_usage?.p95, 0),
    fixed(m.api_call_count?.mean, 1),
    `${fixed((m.safety_failure?.mean ?? 0) * (m.safety_failure?.n ?? 0), 0)}${besideZero(m.safety_failure?.zeroBound)}`,
  ];
}

/** The 95 % interval of the share solved. */
const range = ({ solvedInterval: interval }: SuiteSummary): string =>
  interval === null ? '' : ` (${interval.map((share) => Math.round(100 * share)).join('–')} %)`;

function table(header: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}
