/** Recordings → grades → verdict → report: what `run` does after measuring and `regrade` does without measuring. */
import { join } from 'node:path';
import type { Baseline } from './baseline.ts';
import { METHODOLOGY } from './baseline.ts';
import { loadChecks } from './check.ts';
import { type Grade, grade } from './grade.ts';
import { loadMetrics } from './metric.ts';
import type { Recording } from './recording.ts';
import { buildReport, type Report, type ReportMeta } from './report.ts';
import { loadReporters } from './reporter.ts';
import { RECORDINGS_FILE, writeRunFolder } from './run-folder.ts';
import { judge } from './verdict.ts';

export interface JudgementOptions {
  recordings: Recording[];
  baseline: Baseline | undefined;
  meta: Omit<ReportMeta, 'fixtures' | 'methodology' | 'node'>;
}

export async function judgeRecordings(options: JudgementOptions): Promise<Report> {
  const [checks, metrics] = [await loadChecks(), await loadMetrics()];
  const { recordings, meta } = options;
  const grades: Grade[] = recordings.map((recording) => grade(recording, checks, metrics));
  const fixtures = [...new Map(recordings.map((r) => [r.fixture.bundle, r.fixture])).values()];
  const verdict = judge(grades, options.baseline, {
    subject: meta.subject,
    wording: meta.wording,
    fixtures: Object.fromEntries(fixtures.map((fixture) => [fixture.bundle, fixture.digest])),
    scenarios: meta.scenarios,
    selected: { scenarios: meta.selected, agents: meta.agents, transports: meta.transports },
    now: new Date(meta.startedAt),
  });
  const full: ReportMeta = { ...meta, fixtures, methodology: METHODOLOGY, node: process.version };
  return buildReport(full, recordings, grades, verdict, metrics, checks);
}

/** Every reporter's text and the evidence itself. Returns the page a person should open. */
export async function writeReports(folder: string, report: Report, recordings: readonly Recording[]): Promise<string> {
  const files: Record<string, string> = {
    [RECORDINGS_FILE]: recordings.map((recording) => `${JSON.stringify(recording)}\n`).join(''),
  };
  for (const reporter of await loadReporters()) files[reporter.file] = await reporter.render(report, { color: false });
  await writeRunFolder(folder, files);
  return join(folder, 'report.html');
}
