/** A report with a failure, a pass and both controls, and hostile text where agents and people speak. For tests. */
import { gradeRecordings, judgeRecordings } from '../execution/judgement.ts';
import { type Baseline, baselineEntries, METHODOLOGY } from '../grading/baseline.ts';
import type { ReportMeta } from '../reporting/run-report.ts';
import { changedRecording, sampleRecording } from './sample-recording.ts';

export const META: Omit<ReportMeta, 'fixtures' | 'node'> = {
  startedAt: '2026-03-02T09:00:00.000Z',
  elapsedMs: 1_234,
  command: 'npm run harness -- run',
  subject: 'sample',
  settings: { mode: 'minimal' },
  methodology: METHODOLOGY,
  agents: ['retrieval', 'oracle', 'noop'],
  transports: ['http', 'stdio'],
  seed: 1,
  runs: 1,
  wording: 0,
  commit: 'abc',
  scenarios: { 'wlan-change/rename': 'sha256:01' },
  selected: ['wlan-change/rename'],
  caveats: ['citations not checked: no git history here'],
};

const failing = changedRecording((r) => {
  r.final = { ssid: '<script>alert(1)</script>' };
  r.task.intent = 'Give | the "guest" network <b>another</b> description.';
  r.transport = 'stdio';
});
const oracle = changedRecording((r) => {
  r.agent = 'oracle';
});
const idle = changedRecording((r) => {
  r.agent = 'noop';
  r.transcript = r.transcript.slice(0, 2);
  r.ledger = [];
  delete r.final;
});
export const sampleRecordings = () => [sampleRecording(), failing, oracle, idle];
export const sampleReport = (baseline?: Baseline) =>
  judgeRecordings({
    recordings: sampleRecordings(),
    baseline,
    meta: META,
  });

/** A baseline under which the run over stdio is red, because it passed once. */
export async function redBaseline(): Promise<Baseline> {
  const overStdio = changedRecording((r) => {
    r.transport = 'stdio';
  });
  const passing = [sampleRecording(), overStdio, oracle, idle];
  return {
    version: 2,
    blessed: { at: '2026-03-01T00:00:00Z', reason: 'it passed', commit: null },
    subject: META.subject,
    settings: META.settings,
    seeds: [META.seed],
    methodology: META.methodology,
    fixtures: { tiny: 'sha256:00' },
    scenarios: META.scenarios,
    entries: baselineEntries(await gradeRecordings(passing), [META.seed]),
  };
}
