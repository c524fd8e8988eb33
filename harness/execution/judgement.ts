/** Recordings → grades → verdict → report: what `run` does after measuring and `regrade` does without measuring. */
import { join } from 'node:path';
import { addedTimeFindings } from '../grading/added-time.ts';
import type { Baseline } from '../grading/baseline.ts';
import { baselineColumns, type Column } from '../grading/baseline-comparison.ts';
import { requestsBefore, requestsOf } from '../grading/baseline-requests.ts';
import type { Finding } from '../grading/gate-finding.ts';
import type { Grade } from '../grading/grade.ts';
import { type GradedRecording, type Grader, loadGrader } from '../grading/grader.ts';
import type { DigestsByScenario, PublishedResults } from '../grading/published-results.ts';
import { judge } from '../grading/verdict.ts';
import { inShard } from '../recording/campaign-plan.ts';
import { type Recording, runKey } from '../recording/recording.ts';
import { DIGESTS_FILE, digestLines } from '../recording/recording-digests.ts';
import { assertReplaceable, RECORDINGS_FILE, writeRunFolder } from '../recording/run-folder.ts';
import { lineOf } from '../recording/run-journal.ts';
import { loadReporters } from '../reporting/reporter.ts';
import { buildReport, type Report, type ReportMeta, seedsOf } from '../reporting/run-report.ts';

export interface JudgementOptions {
  recordings: Recording[];
  baseline: Baseline | undefined;
  meta: Omit<ReportMeta, 'fixtures' | 'node'>;
  /** Other stored runs to stand beside this one. */
  against?: readonly Column[];
  /** The newest published version, which must not be better either. */
  published?: PublishedResults | undefined;
  /** Compare with nothing. */
  uncompared?: boolean;
}

export type GradedOptions = Omit<JudgementOptions, 'recordings'> & {
  /** In planned order. */
  runs: readonly GradedRecording[];
  grader: Grader;
};

export async function gradeRecordings(recordings: readonly Recording[]): Promise<Grade[]> {
  return recordings.map((await loadGrader()).grade);
}

/** For recordings that nobody has graded yet, such as those of a stored run. */
export async function judgeRecordings({ recordings, ...options }: JudgementOptions): Promise<Report> {
  const grader = await loadGrader();
  const runs = recordings.map((recording) => ({ recording, grade: grader.grade(recording) }));
  return judgeGraded({ ...options, runs, grader });
}

export function judgeGraded(options: GradedOptions): Report {
  const { runs, grader, baseline, meta, against = [], published, uncompared = false } = options;
  const recordings = runs.map(({ recording }) => recording);
  const grades = runs.map(({ grade }) => grade);
  const fixtures = [...new Map(recordings.map((r) => [r.fixture.bundle, r.fixture])).values()];
  const verdict = judge(grades, baseline, {
    subject: meta.subject,
    settings: meta.settings,
    wording: meta.wording,
    seeds: seedsOf(meta),
    fixtures: Object.fromEntries(fixtures.map((fixture) => [fixture.bundle, fixture.digest])),
    scenarios: meta.scenarios,
    selected: {
      scenarios: meta.stopped === undefined ? inShard(meta.selected, meta.shard) : [],
      agents: meta.agents,
      transports: meta.transports,
    },
    published,
    uncompared,
    digests: scenarioDigestsOf(recordings),
    slow: addedTimeFindings(recordings),
    now: new Date(meta.startedAt),
  });
  const findings = verdict.findings.map((finding) => withRequests(finding, recordings, baseline));
  const full: ReportMeta = { ...meta, fixtures, node: process.version };
  const columns = [...baselineColumns(baseline, grades), ...against];
  const { checks, metrics } = grader;
  return buildReport({ meta: full, recordings, grades, verdict: { ...verdict, findings }, metrics, checks, columns });
}

/** Scenario → the digests that its runs depend on. */
export const scenarioDigestsOf = (recordings: readonly Pick<Recording, 'task' | 'fixture'>[]): DigestsByScenario =>
  Object.fromEntries(
    recordings.map(({ task, fixture }) => [task.id, { scenario: task.digest, fixture: fixture.digest }]),
  );

/** The finding with the requests of the blessed run beside its own, where they differ. */
function withRequests(finding: Finding, recordings: readonly Recording[], baseline: Baseline | undefined): Finding {
  if (baseline === undefined || finding.seed === undefined) return finding;
  const blessed = requestsBefore(baseline, finding.key, finding.seed);
  const recording = recordings.find((one) => runKey(one) === finding.key && one.seed === finding.seed);
  if (blessed === undefined || recording === undefined) return finding;
  const now = requestsOf(recording);
  return now.join('\n') === blessed.join('\n') ? finding : { ...finding, requests: { blessed, now } };
}

/** Every reporter's text and the evidence itself. Returns the page a person should open. */
export async function writeReports(folder: string, report: Report, recordings: readonly Recording[]): Promise<string> {
  const files: Record<string, string> = {
    [RECORDINGS_FILE]: recordings.map(lineOf).join(''),
    [DIGESTS_FILE]: digestLines(recordings),
  };
  for (const reporter of await loadReporters()) files[reporter.file] = await reporter.render(report, { color: false });
  await writeRunFolder(folder, files);
  return join(folder, 'report.html');
}

/** Throws FOLDER_OCCUPIED where reports could not be written, before what they are about is measured. */
export async function assertReportable(folder: string): Promise<void> {
  const reporters = await loadReporters();
  await assertReplaceable(folder, [RECORDINGS_FILE, DIGESTS_FILE, ...reporters.map(({ file }) => file)]);
}
