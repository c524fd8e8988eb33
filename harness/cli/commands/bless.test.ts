/** `bless` writes a baseline and a line of the log, or neither. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { judgeRecordings, writeReports } from '../../execution/judgement.ts';
import { parseBaseline } from '../../grading/baseline.ts';
import { logProblems, parseBlessLog } from '../../grading/baseline-log.ts';
import type { Recording } from '../../recording/recording.ts';
import { META } from '../../test/sample-report.ts';
import { scenarioRecording, writeScenario } from '../../test/sample-scenario.ts';
import { main } from '../harness.ts';

const root = await mkdtemp(join(tmpdir(), 'bless-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const IDS = ['wlan-change/one', 'wlan-change/two'];
const scenarios = Object.fromEntries(
  await Promise.all(IDS.map(async (id) => [id, (await writeScenario(root, id)).digest] as const)),
);
const REASON = 'the numbers of this test';
const read = (name: string) => readFile(join(root, 'reports', name), 'utf8').catch(() => '');
const log = async () => parseBlessLog(await read('blesses.jsonl'));

async function bless(...argv: string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const exit = await main(['bless', 'reports/runs/it', '--reason', REASON, ...argv], {
    root,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) } as never,
    color: false,
    env: {},
  });
  return { exit, stdout, stderr };
}

/** A campaign of the three agents over http; `change` edits what `retrieval` did. */
async function store(runs: number, change: (r: Recording) => void = () => {}): Promise<void> {
  const agents = {
    retrieval: change,
    oracle: () => {},
    noop: (r: Recording) => {
      r.transcript = r.transcript.slice(0, 2);
      r.timings.messages = r.timings.messages.slice(0, 2);
      r.ledger = [];
      delete r.final;
    },
  };
  const recordings = await Promise.all(
    IDS.flatMap((id) =>
      Object.entries(agents).flatMap(([agent, edit]) =>
        Array.from({ length: runs }, (_, run) =>
          scenarioRecording(id, (r) => edit(Object.assign(r, { agent })), { run, seed: run + 1 }),
        ),
      ),
    ),
  );
  const meta = { ...META, scenarios, selected: IDS, transports: ['http' as const], runs };
  const report = await judgeRecordings({ recordings, baseline: undefined, meta });
  await writeReports(join(root, 'reports/runs/it'), report, recordings);
}

const wrong = (id: string, seed: number) => (r: Recording) => {
  if (r.task.id === id && r.seed === seed) r.final = { ssid: 'staff' };
};

describe('bless', () => {
  beforeEach(async () => {
    await rm(join(root, 'reports'), { recursive: true, force: true });
    await store(2);
    expect(await bless()).toMatchObject({ exit: 0, stderr: '' });
  });

  test('writes the baseline, its requests and a line of the log that fits', async () => {
    const baseline = parseBaseline(await read('baseline.json'), 'baseline.json');
    expect(logProblems(await log(), baseline)).toEqual([]);
    expect(await log()).toMatchObject([{ reason: REASON, before: null, after: { runs: 4, passed: 4 }, accepted: [] }]);
    expect(baseline.requests?.['retrieval/wlan-change/one']).toHaveLength(2);
  });

  test('refuses a lost success, names it and writes nothing', async () => {
    const before = [await read('baseline.json'), await read('blesses.jsonl')];
    await store(2, wrong(IDS[1]!, 2));
    const { exit, stderr } = await bless();
    expect(exit).toBe(1);
    expect(stderr).toMatch(
      /^BLESS_REFUSED: wlan-change\/two: solved in the baseline of \d{4}-\d\d-\d\d, and not in this run \(retrieval over http, seed 2\)\n/,
    );
    expect(stderr).toContain("remedy: find the cause, or accept each one: --accept-loss '<name>=<reason>'");
    expect([await read('baseline.json'), await read('blesses.jsonl')]).toEqual(before);
  });

  test('takes it with a reason for each, and logs the reasons', async () => {
    await store(2, (r) => {
      wrong(IDS[0]!, 1)(r);
      wrong(IDS[1]!, 2)(r);
    });
    const one = ['--accept-loss', 'wlan-change/one=the answer is longer than its limit'];
    expect((await bless(...one)).stderr).toMatch(/^BLESS_REFUSED: wlan-change\/two: /);
    expect(await bless(...one, '--accept-loss', 'wlan-change/two=the fixture has another name')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('accepted: wlan-change/two, 1 runs: the fixture has another name'),
    });
    expect((await log())[1]).toMatchObject({
      before: { passed: 4 },
      after: { passed: 2 },
      accepted: [
        { name: 'wlan-change/one', reason: 'the answer is longer than its limit', lost: 1 },
        { name: 'wlan-change/two', lost: 1 },
      ],
    });
  });

  test('refuses fewer seeds until their loss is accepted', async () => {
    await store(1);
    expect((await bless()).stderr).toMatch(/^BLESS_REFUSED: seed 2: in the baseline of .*, and not in this run\n/);
    expect((await bless('--accept-loss', 'seed 2=one seed is enough for this test')).exit).toBe(0);
    expect((await log())[1]).toMatchObject({ before: { seeds: [1, 2] }, after: { seeds: [1] } });
  });

  test.each([
    ['no reason', 'wlan-change/one=', /should be name=reason with a reason of 10 letters/],
    ['no name', '=because it is so', /should be name=reason/],
    [
      'a loss that is none',
      'wlan-change/one=because it is so',
      /--accept-loss wlan-change\/one: nothing of that name is lost/,
    ],
  ])('refuses %s', async (_what, text, message) => {
    const { exit, stderr } = await bless('--accept-loss', text);
    expect(exit).toBeGreaterThan(0);
    expect(stderr).toMatch(message);
  });

  test('refuses a run that was edited', async () => {
    const file = join(root, 'reports/runs/it/recordings.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"finished"', '"timeout"'));
    expect((await bless()).stderr).toMatch(/^RECORDING_INVALID: .*should have the digest/);
  });
});
