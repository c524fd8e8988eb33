/** Counts what `run` loads and grades: each stage uses the result of the stage before. It starts no server. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { runCampaign } from '../../execution/campaign.ts';
import { EXIT } from '../../exit-codes.ts';
import { grade } from '../../grading/grade.ts';
import { loadChecks } from '../../grading/grading-check.ts';
import { loadMetrics } from '../../grading/metric.ts';
import { type Recording, readRecordings } from '../../recording/recording.ts';
import { loadAgents } from '../../sandbox/agent-process.ts';
import { loadPlayed } from '../../scenario/scenario.ts';
import { loadSubject } from '../../subject/subject.ts';
import { changedRecording } from '../../test/sample-recording.ts';
import { main } from '../harness.ts';

vi.mock(import('../../sandbox/agent-process.ts'), { spy: true });
vi.mock(import('../../execution/campaign.ts'), { spy: true });
vi.mock(import('../../grading/grading-check.ts'), { spy: true });
vi.mock(import('../../grading/grade.ts'), { spy: true });
vi.mock(import('../../grading/metric.ts'), { spy: true });
vi.mock(import('../../scenario/scenario.ts'), { spy: true });
vi.mock(import('../../subject/subject.ts'), { spy: true });

const LOADERS = { loadPlayed, loadAgents, loadSubject, loadChecks, loadMetrics };
const root = join(import.meta.dirname, '..', '..', '..');
const out = await mkdtemp(join(tmpdir(), 'run-stages-'));
afterAll(() => rm(out, { recursive: true, force: true }));
beforeEach(() => {
  vi.clearAllMocks();
  vi.mocked(runCampaign).mockImplementation(async ({ lanes, onRecording }) => {
    const recordings = lanes.flatMap(({ runs }) => runs).map(recordingOf);
    for (const recording of recordings) onRecording?.(recording);
    return recordings;
  });
});

/** Every second run of an agent crashes. */
const recordingOf = ({ scenario, agent, transport, gates, run, seed }: Planned): Recording =>
  changedRecording((r) => {
    Object.assign(r, { agent: agent.id, transport, gates, run, seed });
    Object.assign(r.task, { id: scenario.id, suite: scenario.suite, file: scenario.file, digest: scenario.digest });
    if (run % 2 === 1) r.outcome = 'crashed';
  });
type Planned = Parameters<typeof runCampaign>[0]['lanes'][number]['runs'][number];

async function called(...argv: string[]): Promise<{ exit: number; stderr: string }> {
  let stderr = '';
  const exit = await main(['run', ...argv, '--baseline', join(out, 'none.json')], {
    stdout: { write: () => true },
    stderr: { write: (text: string) => (stderr += text) } as never,
    color: false,
    env: { SVC_LLM_BASE_URL: 'http://127.0.0.1:9/v1', SVC_LLM_MODEL: 'some-model' },
  });
  return { exit, stderr };
}

const counted = () =>
  Object.fromEntries(Object.entries(LOADERS).map(([name, load]) => [name, vi.mocked(load).mock.calls.length]));
const ONCE = { loadPlayed: 1, loadAgents: 1, loadSubject: 1, loadChecks: 1, loadMetrics: 1 };
const keyOf = ({ task, agent, transport, run }: Recording) => [task.id, agent, transport, run].join(' ');
const graded = () => vi.mocked(grade).mock.calls.map(([recording]) => keyOf(recording));

test('a run loads everything once, plays it once and grades each recording once', async () => {
  const target = join(out, 'whole');
  const argv = ['--suite', 'alerts', '--agent', 'retrieval', '--runs', '2', '--out', target];
  const { exit, stderr } = await called(...argv);
  expect([EXIT.verdict, EXIT.baseline], stderr).toContain(exit);
  expect(counted()).toEqual(ONCE);
  expect(runCampaign).toHaveBeenCalledTimes(1);
  const kept = (await readRecordings(join(target, 'recordings.jsonl'))).map(keyOf);
  expect(kept.length).toBeGreaterThan(8);
  expect(graded().sort()).toEqual(kept.sort());
});

test.each([
  ['llm', 1, true],
  ['retrieval,llm', 4, true],
  ['llm', 5, false],
  ['retrieval', 1, false],
])('%s with --runs %i: a warning that a model plays less than five times is %s', async (agent, runs, warns) => {
  const target = join(out, `few-${agent}-${runs}`);
  const argv = ['--suite', 'alerts', '--transport', 'http', '--agent', agent, '--runs', String(runs), '--out', target];
  const { exit, stderr } = await called(...argv, '--yes');
  expect([EXIT.verdict, EXIT.baseline], stderr).toContain(exit);
  const warning = `llm should play each scenario at least 5 times, got --runs ${runs}`;
  expect(stderr.includes(`warning: ${warning}`)).toBe(warns);
  expect(/warning: llm [\s\S]*runs will ask/.test(stderr), 'before the question').toBe(warns);
  const report = await readFile(join(target, 'report.json'), 'utf8');
  expect(report.includes(warning)).toBe(warns);
});

test('so does a run that continues a stored one', async () => {
  const target = join(out, 'whole');
  const { exit, stderr } = await called('--retry-errors', target);
  expect([EXIT.verdict, EXIT.baseline], stderr).toContain(exit);
  expect(counted()).toEqual(ONCE);
  const kept = (await readRecordings(join(target, 'recordings.jsonl'))).map(keyOf);
  expect(stderr).toContain(`${kept.length} runs, ${kept.length / 2} of them there already`);
  expect(graded().sort()).toEqual(kept.sort());
});

test.each([
  ['while it is played', []],
  ['while it is judged', ['--against', 'no-such-run']],
])('a run that fails %s says how to go on with what was recorded', async (_when, argv) => {
  const target = join(out, `failed-${argv.length}`);
  if (argv.length === 0) {
    vi.mocked(runCampaign).mockImplementation(async ({ lanes, onRecording }) => {
      onRecording?.(recordingOf(lanes[0]!.runs[0]!));
      throw new Error('the fake is gone');
    });
  }
  const { exit, stderr } = await called('--suite', 'alerts', '--agent', 'retrieval', '--out', target, ...argv);
  expect([0, EXIT.verdict, EXIT.baseline]).not.toContain(exit);
  const again = ['run --resume', relative(root, target), '--baseline', join(out, 'none.json'), ...argv].join(' ');
  expect(stderr).toContain(`go on with: npm run harness -- ${again}\n`);
});

test('a list of runs loads what it names and grades nothing', async () => {
  expect(await called('--list', '--suite', 'alerts')).toEqual({ exit: 0, stderr: '' });
  expect(counted()).toEqual({ ...ONCE, loadChecks: 0, loadMetrics: 0 });
  expect(graded()).toEqual([]);
  expect(runCampaign).not.toHaveBeenCalled();
});
