import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { judgeRecordings, writeReports } from '../execution/judgement.ts';
import { publishedResults } from '../execution/published-version.ts';
import { METHODOLOGY } from '../grading/baseline.ts';
import type { Recording } from '../recording/recording.ts';
import type { ModelTranscript } from '../recording/transcript.ts';
import { scenarioRecording, writeScenario } from '../test/sample-scenario.ts';
import { readRun } from './publication.ts';
import type { ReportMeta } from './run-report.ts';

const root = await mkdtemp(join(tmpdir(), 'publication-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const IDS = ['wlan-change/rename', 'wlan-change/again'];
const COMMIT = 'a'.repeat(40);
const META: Omit<ReportMeta, 'fixtures' | 'node'> = {
  subject: 'sample',
  settings: { mode: 'minimal' },
  agents: ['retrieval'],
  transports: ['http'],
  seed: 1,
  runs: 5,
  wording: 0,
  commit: COMMIT,
  methodology: METHODOLOGY,
  scenarios: Object.fromEntries(
    await Promise.all(IDS.map(async (id) => [id, (await writeScenario(root, id)).digest] as const)),
  ),
  selected: IDS,
  startedAt: '2026-03-02T09:00:00.000Z',
  elapsedMs: 1_000,
  command: 'npm run harness -- run',
  caveats: ['a caveat | with a bar'],
};

/** Two scenarios, five runs each; the second is not solved in two of them. */
const recordings: Recording[] = await Promise.all(
  META.selected.flatMap((id, scenario) =>
    Array.from({ length: 5 }, (_, run) =>
      scenarioRecording(
        id,
        (recording) => {
          if (scenario === 1 && run < 2) recording.endState[0]!.items[0] = { ssid: 'guest', description: 'nobody' };
        },
        { run, seed: run + 1 },
      ),
    ),
  ),
);

async function stored(name: string, changed: Partial<typeof META> = {}, made = recordings): Promise<string> {
  const folder = join(root, name);
  const meta = { ...META, ...changed };
  await writeReports(folder, await judgeRecordings({ recordings: made, baseline: undefined, meta }), made);
  return folder;
}

/** The same runs as those of a language model; `request` by position of the run. */
function storedOfModel(name: string, request: (at: number) => object): Promise<string> {
  const ofModel = recordings.map((recording, at): Recording => {
    const model: ModelTranscript = {
      ...{ version: 1, source: 'live', request: { model: 'm', tools: [], ...request(at) }, seed_honoured: 'not sent' },
      ...{ prompt: 'neutral', exchanges: [], unanswered: [], divergences: [] },
    };
    return { ...recording, agent: 'llm', model };
  });
  return stored(name, { agents: ['llm'] }, ofModel);
}

const reproduce = (...argv: string[]) => command('reproduce', ...argv);

async function command(...argv: string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const exit = await main(argv, {
    root,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) } as never,
  });
  return { exit, stdout, stderr };
}

const PAGE = join(root, 'docs', 'benchmark-results-1.2.3.md');
const FOLDER = join(root, 'reports/recordings/1.2.3');

beforeAll(async () => {
  await mkdir(join(root, 'docs'));
  const made = await reproduce('1.2.3', '--from', await stored('run'));
  expect(made).toEqual({
    exit: 0,
    stdout: 'stored reports/recordings/1.2.3/sample-minimal-retrieval\nwrote docs/benchmark-results-1.2.3.md\n',
    stderr: '',
  });
});

describe('the results page of a version', () => {
  test('names what ran, what was measured, and what was not', async () => {
    const page = await readFile(PAGE, 'utf8');
    for (const expected of [
      '| agents that ask a language model | no endpoint of one was there when these recordings were made |',
      `| commit | \`${COMMIT}\` |`,
      '| runs | 5 of each of 2 scenarios, 10 in all |',
      '| seeds | 1 to 5 |',
      '| fixture | tiny, version 1, `sha256:00` |',
      `| methodology | ${METHODOLOGY} |`,
      '> a caveat \\| with a bar',
      '| retrieval | wlan-change | 8/10 |',
      '| retrieval | wlan-change/again | 2/5 | end-state: ',
    ]) {
      expect(page).toContain(expected);
    }
    expect(page).not.toMatch(/undefined|NaN|\bnull\b/);
  });

  test('is made again byte for byte, and so are the recordings', async () => {
    const before = await readFile(PAGE, 'utf8');
    const packed = await readFile(join(FOLDER, 'sample-minimal-retrieval.jsonl.zst'));
    await rm(PAGE);
    expect((await reproduce('1.2.3')).exit).toBe(0);
    expect(await readFile(PAGE, 'utf8')).toBe(before);
    await reproduce('1.2.3', '--from', join(root, 'run'));
    expect(await readFile(join(FOLDER, 'sample-minimal-retrieval.jsonl.zst'))).toEqual(packed);
    expect(await reproduce('1.2.3', '--check')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('byte for byte'),
    });
  });

  test('with manual edits is named with its line, exit 1, and not written', async () => {
    const before = await readFile(PAGE, 'utf8');
    await writeFile(PAGE, before.replace('| 8/10 |', '| 10/10 |'));
    const { exit, stdout } = await reproduce('1.2.3', '--check');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^docs\/benchmark-results-1\.2\.3\.md:\d+ should be .*8\/10.* got .*10\/10/);
    expect(await readFile(PAGE, 'utf8')).toContain('| 10/10 |');
    await writeFile(PAGE, before);
  });
});

describe('a published campaign as a run', () => {
  const COPY = join(root, 'copy');
  beforeAll(() => cp(FOLDER, COPY, { recursive: true }));

  test.each([
    ['its version', '1.2.3'],
    ['version and campaign', '1.2.3/sample-minimal-retrieval'],
    ['the path of a copy', COPY],
    ['a path and a campaign', join(COPY, 'sample-minimal-retrieval')],
  ])('is read by %s', async (_how, name) => {
    expect(await readRun(root, name)).toMatchObject({
      name: 'sample-minimal-retrieval',
      meta: { commit: COMMIT, runs: 5 },
      recordings: recordings.map(({ task: { id }, run }) => ({ run, task: { id } })),
    });
  });

  test('is graded again, and compared with the run that it was', async () => {
    expect((await command('regrade', '1.2.3', '--baseline', join(root, 'none.json'))).exit).toBe(4);
    expect(await command('diff', '1.2.3', join(root, 'run'))).toMatchObject({ exit: 0, stdout: 'no difference\n' });
  });

  test('must be named where its version has several, and be whole', async () => {
    await cp(join(COPY, 'sample-minimal-retrieval.jsonl.zst'), join(COPY, 'other.jsonl.zst'));
    expect((await readRun(root, COPY)).recordings).toHaveLength(10); // of no campaign: no run
    await cp(join(COPY, 'sample-minimal-retrieval.campaign.json'), join(COPY, 'other.campaign.json'));
    await expect(readRun(root, COPY)).rejects.toThrow(/should name one of its campaigns, got 2: other, sample-minimal/);
    await writeFile(join(COPY, 'other.jsonl.zst'), zstdCompressSync(`${JSON.stringify(recordings[0])}\n`));
    await expect(readRun(root, join(COPY, 'other'))).rejects.toThrow(/should have the digest/);
    await expect(readRun(root, '7.7.7')).rejects.toThrow(
      /should be a folder, or a run of reports\/runs, got none there/,
    );
  });
});

describe('what today is compared with', () => {
  const runOf = (id: string, seed: number) =>
    recordings.filter((one) => one.task.id === id && one.seed === seed) as [Recording];

  test('holds the runs of the same scenario, agent and seed, and the digests of all scenarios', async () => {
    const today = [...runOf('wlan-change/again', 2), ...runOf('wlan-change/again', 4)];
    const results = await publishedResults(root, { subject: 'sample', recordings: today });
    expect(results).toMatchObject({ version: '1.2.3', commit: COMMIT, seeds: [2, 4] });
    expect(results?.entries).toEqual({
      'retrieval/http/wlan-change/again': expect.objectContaining({ passed: [0, 1] }),
    });
    expect(Object.keys(results?.digests ?? {}).sort()).toEqual([...IDS].sort());
  });

  test('is all of it where a bless would give up what it does not hold', async () => {
    const [one] = runOf('wlan-change/again', 2);
    const control = { ...one, agent: 'oracle' };
    const results = await publishedResults(root, { subject: 'sample', recordings: [control], whole: true });
    expect(results?.seeds).toEqual([1, 2, 3, 4, 5]);
    expect(Object.keys(results?.entries ?? {}).sort()).toEqual(IDS.map((id) => `retrieval/http/${id}`).sort());
  });

  test('is empty for another seed, and nothing for another server or controls', async () => {
    const [one] = runOf('wlan-change/again', 2);
    const unseen = await publishedResults(root, { subject: 'sample', recordings: [{ ...one, seed: 99 }] });
    expect(unseen).toMatchObject({ seeds: [], entries: {} });
    expect(await publishedResults(root, { subject: 'other', recordings: [one] })).toBeUndefined();
    const control = { ...one, agent: 'oracle' };
    expect(await publishedResults(root, { subject: 'sample', recordings: [control] })).toBeUndefined();
  });
});

describe('what is refused', () => {
  test.each([
    ['fewer than five runs', { runs: 4 }, /should have 5 runs of each scenario, got 4/],
    ['a commit with changes', { commit: `${COMMIT}+changes` }, /should be of a commit without changes/],
    ['no commit', { commit: null }, /should be of a commit without changes/],
    ['a run that was stopped', { stopped: 'stopped at the first red: 3 of 10 runs' }, /should be whole, got stopped/],
    ['one shard', { shard: { index: 1, count: 2 } }, /should be whole, got shard 1 of 2/],
    ['a paraphrase', { wording: 1 }, /should ask the intents, got wording 1/],
    ['controls alone', { agents: ['oracle', 'noop'] }, /should have an agent that is no control, got oracle, noop/],
  ] as [string, Partial<typeof META>, RegExp][])('%s', async (_name, changed, message) => {
    const { exit, stderr } = await reproduce('9.9.9', '--from', await stored('refused', changed));
    expect(stderr).toMatch(/^PUBLICATION_REFUSED/);
    expect(stderr).toMatch(message);
    expect(exit).toBe(2);
    expect(await readdir(join(root, 'reports/recordings'))).toEqual(['1.2.3']);
  });

  test.each([
    ['no temperature', () => ({}), /got m at temperature not sent$/m],
    ['several', (at) => ({ temperature: at % 2 }), /got m at temperature 0, m at temperature 1$/m],
    ['several models', (at) => ({ model: `m${at % 2}`, temperature: 0 }), /got m0 at .* 0, m1 at .* 0$/m],
  ] as [string, (at: number) => object, RegExp][])('a model that was sent %s', async (_name, request, message) => {
    const { exit, stderr } = await reproduce('9.9.9', '--from', await storedOfModel('unfixed', request));
    expect(stderr).toMatch(/^PUBLICATION_REFUSED: .*one model with one temperature \(SVC_LLM_TEMPERATURE\)/);
    expect(stderr).toMatch(message);
    expect(exit).toBe(2);
    expect(await readdir(join(root, 'reports/recordings'))).toEqual(['1.2.3']);
  });

  test('nothing, where a model was sent one temperature, 0 included', async () => {
    expect(await reproduce('1.2.5', '--from', await storedOfModel('fixed', () => ({ temperature: 0 })))).toMatchObject({
      exit: 0,
      stderr: '',
    });
    expect(await readFile(join(root, 'docs/benchmark-results-1.2.5.md'), 'utf8')).toContain('| temperature | 0 |');
    await rm(join(root, 'reports/recordings/1.2.5'), { recursive: true });
  });

  test('nothing of another model, prompt or temperature of the same version', async () => {
    const of = (name: string, request: object) => storedOfModel(name, () => ({ temperature: 0, ...request }));
    for (const folder of [await of('first', {}), await of('second', { model: 'maker/m:2' }), await of('again', {})])
      expect((await reproduce('1.2.6', '--from', folder)).exit).toBe(0);
    await reproduce('1.2.6', '--from', await of('warm', { temperature: 0.5 }));
    const folder = join(root, 'reports/recordings/1.2.6');
    expect((await readdir(folder)).filter((name) => name.endsWith('.campaign.json')).sort()).toEqual(
      ['m-t0', 'm-t0.5', 'maker-m-2-t0'].map((model) => `sample-minimal-llm-${model}-neutral.campaign.json`),
    );
    await rm(folder, { recursive: true });
  });

  test('recordings that were touched, or judged by another methodology, and a version without any', async () => {
    await cp(FOLDER, join(root, 'reports/recordings/1.2.4'), { recursive: true });
    const file = join(root, 'reports/recordings/1.2.4/sample-minimal-retrieval');
    await writeFile(`${file}.jsonl.zst`, zstdCompressSync(`${JSON.stringify(recordings[0])}\n`));
    expect((await reproduce('1.2.4')).stderr).toMatch(/RECORDING_INVALID: .*should have the digest [0-9a-f]{64}, got/);
    const campaign = await readFile(`${file}.campaign.json`, 'utf8');
    await writeFile(`${file}.campaign.json`, campaign.replace(`"methodology": "${METHODOLOGY}"`, '"methodology": "0"'));
    expect((await reproduce('1.2.4')).stderr).toMatch(/PUBLICATION_REFUSED: .* got 0: check out commit a{40}/);
    await rm(join(root, 'reports/recordings/1.2.4'), { recursive: true });
    expect((await reproduce('1.0.0')).stderr).toMatch(/RECORDING_INVALID: .*should hold recordings, got none/);
    expect((await reproduce('../x')).stderr).toMatch(/version should be like 1\.2\.3/);
  });
});
