/** The whole report as data. `timings` has all that depends on time and machine; the rest is reproducible. */
import type { Reporter } from '../reporter.ts';
import type { Report } from '../run-report.ts';

export default {
  id: 'json',
  file: 'report.json',
  render: (report) => `${JSON.stringify(separated(report), null, 1)}\n`,
} satisfies Reporter;

export function separated(report: Report): object {
  const { startedAt, elapsedMs, command, ...meta } = report.meta;
  const { warnings, ...verdict } = report.verdict;
  const { traces: _traces, ...rest } = report;
  return {
    ...rest,
    meta,
    verdict,
    grades: report.grades.map((grade) => ({ ...grade, metrics: withoutLatency(grade.metrics) })),
    suites: report.suites.map((suite) => ({ ...suite, metrics: withoutLatency(suite.metrics) })),
    timings: {
      startedAt,
      elapsedMs,
      command,
      warnings,
      runs: Object.fromEntries(
        report.grades.map((grade) => [`${grade.key}#${grade.run}`, grade.metrics['latency_ms'] ?? null]),
      ),
      suites: Object.fromEntries(
        report.suites.map((suite) => [`${suite.agent}/${suite.suite}`, suite.metrics['latency_ms'] ?? null]),
      ),
    },
  };
}

function withoutLatency<T>(metrics: Record<string, T>): Record<string, T> {
  const { latency_ms: _latency, ...rest } = metrics;
  return rest;
}
