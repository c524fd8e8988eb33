/**
 * A whole run with a model, from the command line: three scenarios against the router, answers from the stub endpoint. Then
 * the same run from its recordings in both strengths, and against a router whose tool description changed.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Recording, readRecordings } from '../recording/recording.ts';
import { publishCampaign } from '../reporting/publication.ts';
import { readStoredRun } from '../reporting/stored-run.ts';
import { runProcess } from '../running-process.ts';
import { patchedCopy } from '../subject/mutant.ts';
import { playScripts } from './testing/script.ts';
import { SCRIPTS } from './testing/scripted-runs.ts';
import { STUB_KEY, type StubEndpoint, startStubEndpoint } from './testing/stub-endpoint.ts';

const root = join(import.meta.dirname, '..', '..');
const SCENARIOS = ['alerts/worst-now', 'wlan-change/hide-network', 'wlan-change/new-passphrase'];
const out = await mkdtemp(join(tmpdir(), 'harness-llm-'));
const scenarios = join(root, 'var', 'llm-scenarios-for-test');
let stub: StubEndpoint;

beforeAll(async () => {
  for (const id of SCENARIOS) {
    await mkdir(join(scenarios, id, '..'), { recursive: true });
    await cp(join(root, 'scenarios', `${id}.yaml`), join(scenarios, `${id}.yaml`));
  }
  // The second and the fifth request of the campaign are to be asked again.
  const faults = { 2: { status: 429, retryAfter: '0' }, 5: { status: 500 } };
  stub = await startStubEndpoint({ answer: playScripts(SCRIPTS), faults });
});

afterAll(async () => {
  await stub[Symbol.asyncDispose]();
  await rm(out, { recursive: true, force: true });
  await rm(scenarios, { recursive: true, force: true });
});

interface Ended {
  exit: number | null;
  stdout: string;
  stderr: string;
}

async function harness(argv: string[], env: Record<string, string>): Promise<Ended> {
  const command = [
    'run',
    '--yes',
    '--agent',
    'llm',
    '--transport',
    'http',
    '--scenarios',
    relative(root, scenarios),
    ...argv,
  ];
  const { code, stdout, stderr } = await runProcess(
    process.execPath,
    [join(root, 'harness/cli/harness.ts'), ...command],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    },
  );
  return { exit: code, stdout, stderr };
}

interface Report {
  grades: { scenario: string; status: string; metrics: Record<string, number | null> }[];
  meta: { caveats: string[] };
}

const NO_BASELINE = ['--baseline', join(out, 'none.json')];
const live = join(out, 'live');
const published = join(out, '9.9.9');
const read = async (folder: string): Promise<Report> =>
  JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
const verdicts = async (folder: string) =>
  (await read(folder)).grades
    .map(({ scenario, status, metrics: { latency_ms: _, ...counts } }) => ({
      scenario,
      status,
      counts,
    }))
    .sort((a, b) => (a.scenario < b.scenario ? -1 : 1));
const answersOf = (recordings: Recording[]) =>
  recordings.map(({ model }) => model?.exchanges.map(({ key, answer }) => ({ key, answer })));

describe('a run that asks a model', () => {
  beforeAll(async () => {
    const endpoint = {
      SVC_LLM_BASE_URL: stub.baseUrl,
      SVC_LLM_API_KEY: STUB_KEY,
      SVC_LLM_MODEL: 'scripted',
      SVC_LLM_TEMPERATURE: '0',
      SVC_LLM_HERMETIC: '1',
    };
    // One lane after the other, so that the same requests meet the planned faults every time.
    const { exit, stderr } = await harness([...NO_BASELINE, '--concurrency', '1', '--out', live], endpoint);
    expect(exit, stderr).toBe(4);
    const run = await readStoredRun(root, live);
    // As if it were of a release: five runs and a commit without changes are asked for there.
    await publishCampaign(published, { ...run, meta: { ...run.meta, runs: 5, commit: 'a'.repeat(40) } });
    expect((await readdir(published)).sort()).toEqual([
      'router-minimal-custom-llm-scripted-t0-neutral.campaign.json',
      'router-minimal-custom-llm-scripted-t0-neutral.jsonl.zst',
    ]);
  });

  test('is judged by what reached the platforms, and keeps every exchange without a secret', async () => {
    expect((await verdicts(live)).map(({ scenario, status }) => [scenario, status])).toEqual(
      SCENARIOS.map((id) => [id, 'passed']),
    );
    const recordings = await readRecordings(join(live, 'recordings.jsonl'));
    expect(recordings.map(({ model }) => model?.exchanges.length)).toEqual([3, 4, 4]);
    const writes = recordings.flatMap(({ ledger }) => ledger.filter((entry) => entry.capability === 'write'));
    expect(writes.map((entry) => entry.method)).toEqual(['PATCH', 'PATCH']);
    const stored = JSON.stringify(recordings.map(({ model }) => model));
    expect(stored).not.toContain(STUB_KEY);
    expect(stored).toContain('«secret:');
    expect(stored).not.toMatch(/"plan_token\\*":\\*"(?!«secret:drawn-1»)[^"\\]/);
    const [caveat] = (await read(live)).meta.caveats.filter((text) => text.startsWith('model '));
    expect(caveat).toMatch(/^model scripted, answered as scripted-2026-01-01, fingerprint fp_stub; .* 2 retries, /);
  });

  test.each([
    ['strict', 'as it was published', published],
    ['decisions', 'from its folder', live],
  ])('is played again by a %s replay %s, without an endpoint: same verdicts', async (strength, _where, stored) => {
    const folder = join(out, strength);
    const { exit, stderr } = await harness(
      [...NO_BASELINE, '--replay', stored, '--strength', strength, '--out', folder],
      { SVC_LLM_HERMETIC: '1' },
    );
    expect(exit, stderr).toBe(4);
    expect(await verdicts(folder)).toEqual(await verdicts(live));
    const [before, after] = await Promise.all(
      [live, folder].map((name) => readRecordings(join(name, 'recordings.jsonl'))),
    );
    expect(answersOf(after!)).toEqual(answersOf(before!));
    expect(after!.map(({ model }) => [model?.source, model?.divergences])).toEqual(
      SCENARIOS.map(() => [`replay-${strength}`, []]),
    );
  });

  test('does not go strictly against a changed tool description: exit 3 names the first difference; decisions still do', async () => {
    const changed = {
      name: 'description',
      about: 'a word of a tool description',
      gate: 'task_success' as const,
      edits: [
        {
          file: 'server/tools/public/find-tool.ts',
          search: 'Find the backend tools for a task on:',
          replace: 'Find backend tools for a job on:',
        },
      ],
    };
    await using copy = await patchedCopy(root, changed);
    const where = [...NO_BASELINE, '--replay', live, '--subject-root', copy.root, '--out'];
    const strict = await harness([...where, join(out, 'strict-changed')], {});
    expect(strict.stderr).toMatch(
      /REPLAY_MISS: llm\/http\/\S+ run 0 .*`tools\[find_tool\]\.function\.description` was "Find the backend/,
    );
    expect(strict.exit).toBe(3);
    const folder = join(out, 'decisions-changed');
    const { exit, stderr } = await harness([...where, folder, '--strength', 'decisions'], {});
    expect(exit, stderr).toBe(4);
    expect((await verdicts(folder)).map(({ status }) => status)).toEqual(SCENARIOS.map(() => 'passed'));
    const caveats = (await read(folder)).meta.caveats.filter((text) => text.includes('diverged'));
    expect(caveats).toHaveLength(SCENARIOS.length);
    expect(caveats[0]).toContain('`tools[find_tool].function.description`');
  });
});

test('an address off this machine is refused in hermetic mode, and nothing is started: exit 2', async () => {
  const { exit, stderr } = await harness(NO_BASELINE, {
    SVC_LLM_BASE_URL: 'https://192.0.2.1/v1',
    SVC_LLM_MODEL: 'm',
    SVC_LLM_HERMETIC: '1',
  });
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('should be on this machine') });
});
