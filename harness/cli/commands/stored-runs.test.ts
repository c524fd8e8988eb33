/** Commands over stored runs: show one, compare two, and view one beside another. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradeRecordings, judgeRecordings, writeReports } from '../../execution/judgement.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Report } from '../../reporting/run-report.ts';
import { META } from '../../test/sample-report.ts';
import { scenarioRecording, writeScenario } from '../../test/sample-scenario.ts';
import { main } from '../harness.ts';
import type { CommandContext } from './context.ts';
import { changesBetween } from './diff.ts';

const root = await mkdtemp(join(tmpdir(), 'stored-runs-'));
afterAll(() => rm(root, { recursive: true, force: true }));

interface Called {
  exit: number;
  stdout: string;
  stderr: string;
}

async function called(argv: string[], outer: Partial<CommandContext> = {}): Promise<Called> {
  let [stdout, stderr] = ['', ''];
  const exit = await main(argv, {
    root,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) } as never,
    color: false,
    env: {},
    ...outer,
  });
  return { exit, stdout, stderr };
}

const IDS = ['wlan-change/a', 'wlan-change/b', 'wlan-change/c'];
const scenarios = Object.fromEntries(
  await Promise.all(IDS.map(async (id) => [id, (await writeScenario(root, id)).digest] as const)),
);

async function stored(name: string, recordings: Recording[], changed: Partial<typeof META> = {}): Promise<void> {
  const meta = {
    ...META,
    ...changed,
    scenarios: { ...scenarios, ...changed.scenarios },
    agents: ['retrieval'],
    transports: ['http' as const],
    selected: IDS,
  };
  await writeReports(
    join(root, 'reports/runs', name),
    await judgeRecordings({ recordings, baseline: undefined, meta }),
    recordings,
  );
}

const [OLD, NEW] = ['2026-03-01-120000', '2026-03-02-120000'];
const path = (name: string) => join('reports/runs', name);

/** In the new run `a` answers wrongly with a call more, `b` is as it was, and `c` was not played. */
beforeAll(async () => {
  await stored(OLD, await Promise.all(IDS.map((id) => scenarioRecording(id))));
  const worse = await scenarioRecording(IDS[0]!, (r) => {
    r.final = { ssid: 'staff' };
    r.ledger.push({ ...r.ledger[0]!, seq: 2 });
    r.timings.latencyMs = 9_999;
  });
  await stored(NEW, [worse, await scenarioRecording(IDS[1]!)]);
});

describe('diff', () => {
  const changes = [
    { key: 'retrieval/http/wlan-change/a#0', field: 'status', before: 'passed', after: 'failed' },
    { key: 'retrieval/http/wlan-change/a#0', field: 'api_call_count', before: 1, after: 2 },
    { key: 'retrieval/http/wlan-change/a#0', field: 'task_success', before: 1, after: 0 },
    { key: 'retrieval/http/wlan-change/c#0', field: 'presence', before: 'present', after: 'absent' },
  ];

  test('names the changes, and a run that only one side has; never a time', async () => {
    const { exit, stdout } = await called(['diff', path(OLD), path(NEW), '--json']);
    const found = JSON.parse(stdout) as {
      changes: typeof changes;
      tests: { metric: string; suite: string; signs: object }[];
    };
    expect(exit).toBe(0);
    expect(found.changes).toEqual(changes);
    // Only what both sides ran is tested.
    const solved = found.tests.find(({ metric, suite }) => metric === 'solved' && suite === 'all');
    expect(solved).toMatchObject({ signs: { better: 0, worse: 1, same: 1 } });
  });

  test('reads the other way round from the other side', async () => {
    const { stdout } = await called(['diff', path(NEW), path(OLD), '--json']);
    const turned = changes.map(({ before, after, ...rest }) => ({ ...rest, before: after, after: before }));
    expect((JSON.parse(stdout) as { changes: object[] }).changes).toEqual(turned);
  });

  test('prints the changes as text, with a table of the changed metrics', async () => {
    const { stdout } = await called(['diff', path(OLD), path(NEW)]);
    expect(stdout).toContain('retrieval/http/wlan-change/a#0  status: passed → failed\n');
    expect(stdout).toContain('retrieval/http/wlan-change/c#0  presence: present → absent\n');
    expect(stdout).toMatch(/^retrieval +all +api_call_count +1\.00 +1\.50 +0 +1 +1\.000$/m);
    expect((await called(['diff', path(OLD), path(OLD)])).stdout).toBe('no difference\n');
  });
});

describe('diff of runs that were planned otherwise', () => {
  const OTHER = '2026-02-01-120000';
  beforeAll(async () => {
    const recordings = await Promise.all(
      [2, 3].map((seed, run) => scenarioRecording(IDS[0]!, () => {}, { seed, run })),
    );
    const changed = { seed: 2, runs: 2, methodology: '0', scenarios: { [IDS[1]!]: 'sha256:0' } };
    await stored(OTHER, recordings, changed);
  });

  test('begins with what differs in their plans', async () => {
    const { stdout } = await called(['diff', path(OLD), path(OTHER)]);
    expect(stdout).toMatch(
      /^other seeds: 1 → 2, 3\nother methodology: \S+ → 0\nother scenarios: 1 \(wlan-change\/b\)\n\n\S/,
    );
    expect((await called(['diff', path(OTHER), path(OTHER)])).stdout).toBe('no difference\n');
    const { plan } = JSON.parse((await called(['diff', path(OLD), path(OTHER), '--json'])).stdout);
    expect(plan[0]).toEqual({ field: 'seeds', before: [1], after: [2, 3] });
  });

  test('compares the runs of one seed, wherever they stand', async () => {
    const seeds = async (all: number[]) =>
      gradeRecordings(await Promise.all(all.map((seed, run) => scenarioRecording(IDS[0]!, () => {}, { seed, run }))));
    const changes = changesBetween(await seeds([1, 2, 3]), await seeds([2, 3]));
    expect(changes.map(({ key, field }) => [key, field])).toEqual([['retrieval/http/wlan-change/a#0', 'presence']]);
  });
});

test('regrade compares with no baseline where none is asked for', async () => {
  const ended = async (...argv: string[]) => (await called(['regrade', path(NEW), ...argv, '--json'])).exit;
  const { stdout } = await called(['regrade', path(NEW), '--baseline', 'none', '--json']);
  expect((JSON.parse(stdout) as Report).verdict.status).not.toBe('no-baseline');
  expect([await ended('--baseline', 'none'), await ended('--baseline', 'none.json')]).toEqual([0, 4]);
});

test('merge compares with no baseline where none is asked for', async () => {
  const merged = async (baseline: string) =>
    (await called(['merge', path(OLD), '--baseline', baseline, '--out', join(root, 'merged'), '--json'])).exit;
  expect([await merged('none'), await merged('none.json')]).toEqual([0, 4]);
});

describe('--against', () => {
  test('puts another run beside this one, scenario by scenario', async () => {
    const { stdout } = await called(['regrade', path(NEW), '--against', path(OLD), '--json']);
    const { comparisons } = JSON.parse(stdout) as Report;
    expect(comparisons.map(({ name }) => name)).toEqual([OLD]);
    const cell = comparisons[0]!.cells.find(({ metric, suite }) => metric === 'solved' && suite === 'all');
    expect(cell).toMatchObject({ agent: 'retrieval', before: 1, after: 0.5, signs: { better: 0, worse: 1, same: 1 } });
  });

  test('takes several, in their order, and leaves them out where none is named', async () => {
    const columns = async (...argv: string[]) =>
      (JSON.parse((await called(['regrade', path(NEW), ...argv, '--json'])).stdout) as Report).comparisons.map(
        ({ name }) => name,
      );
    expect(await columns('--against', `${path(NEW)},${path(OLD)}`)).toEqual([NEW, OLD]);
    expect(await columns()).toEqual([]);
  });

  test('is refused for a run that is none: exit 2', async () => {
    const { exit, stderr } = await called(['regrade', path(NEW), '--against', 'reports/runs/nothing']);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('RECORDING_INVALID') });
  });
});

describe('view', () => {
  /** Asks for the page while the command serves it, then ends the command as Ctrl-C does. */
  async function viewed(...argv: string[]): Promise<Called & { page: string; type: string | null }> {
    const interrupt = new AbortController();
    let said = '';
    let tell = (_url: string): void => {};
    const served = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const ended = called(['view', ...argv], {
      signal: interrupt.signal,
      stdout: {
        write: (text) => {
          said += text;
          const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0];
          if (url !== undefined) tell(url);
        },
      },
    });
    const url = await Promise.race([served, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
    const answer = await fetch(url);
    const page = await answer.text();
    interrupt.abort();
    const { exit, stderr } = await ended;
    await expect(fetch(url)).rejects.toThrow(); // nobody listens any more
    return { exit, stderr, stdout: said, page, type: answer.headers.get('content-type') };
  }

  test('serves the page of the latest run until Ctrl-C', async () => {
    const { exit, stdout, page, type } = await viewed();
    expect(exit).toBe(0);
    expect(stdout).toContain(`${join(root, path(NEW), 'report.html')}\n`);
    expect(stdout).toContain('(Ctrl-C ends)');
    expect(type).toBe('text/html; charset=utf-8');
    expect(page).toContain('retrieval solved 1 of 2');
  });

  test('serves the page of the run that was named', async () => {
    expect((await viewed(path(OLD))).page).toContain('retrieval solved 3 of 3');
  });

  test('with --json prints the address, and ends', async () => {
    const { exit, stdout } = await called(['view', path(OLD), '--json']);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      file: join(root, path(OLD), 'report.html'),
    });
  });

  test('of a run without a page is refused: exit 2', async () => {
    const bare = join(root, 'bare');
    await mkdir(bare);
    for (const [name, what] of [
      [bare, 'should be a report page, got none'],
      ['reports/runs/nothing', 'should be a folder, or a run of reports/runs, got none there'],
    ] as const) {
      const { exit, stderr } = await called(['view', name]);
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(what) });
    }
  });
});
