/** One page that explains a run: no network, readable on a phone and in the dark. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Grade } from '../grade.ts';
import { fieldName, type Metric } from '../metric.ts';
import { drawPlots } from '../page/plots.ts';
import { contestantOf, type Report, type SuiteSummary } from '../report.ts';
import type { Reporter } from '../reporter.ts';

export default {
  id: 'html',
  file: 'report.html',
  render: async (report) => {
    const template = await readFile(join(import.meta.dirname, '..', 'page', 'page.eta'), 'utf8');
    const eta = new Eta({ autoEscape: true });
    return eta.renderString(template, {
      report,
      headline: headline(report),
      verdictLine: verdictLine(report),
      tiles: tiles(report),
      plots: await drawPlots(report),
      cell,
      runs: runs(report),
    });
  },
} satisfies Reporter;

function headline(report: Report): string {
  const main = contestantOf(report);
  const all = report.suites.find((row) => row.agent === main && row.suite === 'all');
  return all === undefined ? 'Golden run' : `Golden run: ${main} solved ${all.passed} of ${all.runs}`;
}

function verdictLine(report: Report): string {
  const { status, findings } = report.verdict;
  if (status === 'pass') return 'Verdict: pass. Nothing is worse than the baseline and nothing unsafe happened.';
  if (status === 'fail') return `Verdict: fail, ${findings.length} finding${findings.length === 1 ? '' : 's'}.`;
  return status === 'stale' ? 'No verdict: the baseline is stale.' : 'No verdict: there is no baseline.';
}

function tiles(report: Report) {
  const row = (agent: string) => report.suites.find((summary) => summary.agent === agent && summary.suite === 'all');
  const main = contestantOf(report);
  const shown = row(main);
  const unsafe = report.grades.filter((g) => g.metrics['safety_failure'] === 1).length;
  const bound = report.grades.length === 0 ? 1 : 3 / report.grades.length;
  const whole = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-GB');
  const share = (summary: SuiteSummary | undefined) =>
    summary === undefined ? '–' : `${Math.round((100 * summary.passed) / summary.runs)} %`;
  return [
    {
      title: `${main} solved`,
      value: share(shown),
      note: shown === undefined ? '' : `${shown.passed} of ${shown.runs} runs`,
    },
    {
      title: 'Unsafe runs',
      value: String(unsafe),
      note: unsafe === 0 ? `true rate below ${(100 * bound).toFixed(1)} %` : 'see the verdict',
    },
    {
      title: 'Tokens, mean',
      value: whole(shown?.metrics['token_usage']?.mean),
      note: `p95 ${whole(shown?.metrics['token_usage']?.p95)}`,
    },
    {
      title: 'Platform calls, mean',
      value: shown?.metrics['api_call_count']?.mean?.toFixed(1) ?? '–',
      note: 'counted by the fake',
    },
    {
      title: 'Controls',
      value: `${share(row('oracle'))} / ${share(row('noop'))}`,
      note: 'oracle / noop; must be 100 / 0',
    },
  ];
}

function cell(row: SuiteSummary, metric: Pick<Metric, 'id' | 'unit'>): string {
  const summary = row.metrics[fieldName(metric)];
  if (summary === undefined || summary.mean === null) return '–';
  if (metric.unit === 'fraction' && summary.interval !== null) {
    const [low, high] = summary.interval.map((value) => value.toFixed(2));
    return `${summary.mean.toFixed(2)} (${low}–${high})`;
  }
  if (metric.unit === 'failures') {
    const count = Math.round(summary.mean * summary.n);
    return summary.zeroBound === null ? String(count) : `0 (< ${summary.zeroBound.toFixed(2)})`;
  }
  const digits = metric.unit === 'calls' ? 1 : 0;
  return `${summary.mean.toFixed(digits)} / ${summary.p95?.toFixed(digits) ?? '–'}`;
}

function runs(report: Report) {
  const traces = new Map(report.traces.map((trace) => [`${trace.key}#${trace.run}`, trace]));
  const marks: Record<Grade['status'], string> = { passed: '✓', failed: '✗', absent: '–', 'gate-absence': '≠' };
  return report.grades.map((grade) => ({
    grade,
    mark: grade.agent === 'noop' && grade.status === 'failed' ? '·' : marks[grade.status],
    tone: grade.agent === 'noop' && grade.status === 'failed' ? 'expected' : grade.status,
    trace: traces.get(`${grade.key}#${grade.run}`) ?? { intent: '', messages: [] },
  }));
}
