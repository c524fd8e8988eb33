/** Runs of the harness as a shell sees them: exit codes, streams, and no processes left. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../reporting/run-report.ts';
import { connectHttp } from '../sandbox/upstream.ts';
import { called, harness, root, start } from '../test/harness-command.ts';

const out = await mkdtemp(join(tmpdir(), 'harness-main-'));
/** One story of one platform, so that the fake has no others to load. */
const SMALL = `var/small-scenarios-for-test-${process.pid}`;
const SCENARIO = 'nac/access-device-on-file';
beforeAll(async () => {
  await mkdir(join(root, SMALL, 'nac'), { recursive: true });
  await copyFile(join(root, 'scenarios', `${SCENARIO}.yaml`), join(root, SMALL, `${SCENARIO}.yaml`));
});
afterAll(async () => {
  await rm(out, { recursive: true, force: true });
  await rm(join(root, SMALL), { recursive: true, force: true });
});

/** Processes started from this checkout whose command line contains the text. */
async function running(text: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [] as string[])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => [Number(pid), await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const),
  );
  return lines.filter(([, line]) => line.includes(text)).map(([pid]) => pid);
}
describe('exit codes of runs', () => {
  test.each([
    ['cannot be prepared', false, /`node server\/cli\/catalog\.mjs build .*` before subject router should end with 0/],
    ['does not start', true, /router \(http, gates closed\).*its last lines:/],
  ])('3 for a subject that %s, with its last words, and nothing written', async (_how, prepared, said) => {
    const empty = await mkdtemp(join(out, 'empty-'));
    if (prepared) {
      await mkdir(join(empty, 'server', 'cli'), { recursive: true });
      await writeFile(join(empty, 'server', 'cli', 'catalog.mjs'), '');
    }
    const target = join(out, 'not-started');
    const where = ['--transport', 'http', '--scenarios', SMALL, '--subject-root', empty, '--out', target];
    const { exit, stderr } = await called('run', '--agent', 'noop', ...where);
    expect(exit).toBe(3);
    expect(stderr).toMatch(/^PROCESS_START_FAILED: /m);
    expect(stderr).toMatch(said);
    expect(stderr).toContain('MODULE_NOT_FOUND');
    await expect(readdir(target)).rejects.toThrow();
  });

  test('4 without a baseline, and regrading the stored run agrees', async () => {
    const target = join(out, 'no-baseline');
    const argv = [
      '--agent',
      'oracle,noop',
      '--transport',
      'stdio',
      '--scenarios',
      SMALL,
      '--baseline',
      join(out, 'none.json'),
    ];
    const ran = await harness('run', ...argv, '--out', target);
    expect(ran.stdout).toContain('none: there is no baseline');
    expect(ran.stdout).toContain('report.html');
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('\u001b');
    expect(ran.exit).toBe(4);
    expect((await readdir(target)).sort()).toEqual([
      'junit.xml',
      'recordings.jsonl',
      'recordings.sha256',
      'report.html',
      'report.json',
      'report.md',
      'report.txt',
    ]);
    const again = await called('regrade', target, '--baseline', join(out, 'none.json'), '--json');
    expect(again.exit).toBe(4);
    const stored = JSON.parse(await readFile(join(target, 'report.json'), 'utf8')) as { grades: unknown };
    expect((JSON.parse(again.stdout) as { grades: unknown }).grades).toEqual(stored.grades);
    const regraded = join(out, 'regraded');
    await called('regrade', target, '--baseline', join(out, 'none.json'), '--out', regraded);
    for (const name of ['report.json', 'recordings.jsonl', 'junit.xml', 'report.md'])
      expect(await readFile(join(regraded, name), 'utf8')).toBe(await readFile(join(target, name), 'utf8'));
    const compared = await called('diff', target, target, '--json');
    expect(JSON.parse(compared.stdout)).toMatchObject({ changes: [] });
    const merged = await called('merge', target, target);
    expect(merged).toMatchObject({ exit: 2, stdout: '' });
    expect(merged.stderr).toMatch(/^MERGE_REFUSED: each of 2 runs should be there once, got 2 there more than once/);
  });

  test('a run whose agent crashed is made again with --retry-errors, and the others are not', async () => {
    const file = join(out, 'no-baseline', 'recordings.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const [kept, crashed] = lines.map(
      (line) => JSON.parse(line) as { outcome: string; timings: { startedAt: string } },
    );
    await writeFile(file, `${JSON.stringify(kept)}\n${JSON.stringify({ ...crashed, outcome: 'crashed' })}\n`);
    const { stderr } = await called(
      'run',
      '--scenarios',
      SMALL,
      '--retry-errors',
      join(out, 'no-baseline'),
      '--baseline',
      join(out, 'none.json'),
    );
    expect(stderr).toContain('2 runs, 1 of them there already');
    const after = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as typeof kept);
    expect(after.map((recording) => recording!.outcome)).toEqual(['finished', 'finished']);
    expect(after[0]).toEqual(kept);
    expect(after[1]!.timings.startedAt).not.toBe(crashed!.timings.startedAt);
  });

  test('1 at the first run worse than the baseline with --fail-fast, and the measurements are stored', async () => {
    const stored = JSON.parse(await readFile(join(out, 'no-baseline', 'report.json'), 'utf8')) as Report;
    const { meta, grades } = stored;
    const [key] = grades.filter((grade) => grade.agent === 'oracle').map((grade) => grade.key);
    const nothing = { passed: 1, task_success: 1, token_usage: 1e6, api_call_count: 0, tool_selection_accuracy: 1 };
    const baseline = {
      version: 2,
      blessed: { at: '2026-03-01T00:00:00Z', reason: 'no call at all was needed', commit: null },
      subject: meta.subject,
      settings: meta.settings,
      seeds: Array.from({ length: 40 }, (_, i) => i + 1),
      methodology: meta.methodology,
      fixtures: Object.fromEntries(meta.fixtures.map(({ bundle, digest }) => [bundle, digest])),
      scenarios: meta.scenarios,
      entries: {
        [key!]: Object.fromEntries(
          Object.entries(nothing).map(([field, value]) => [field, Array.from({ length: 40 }, () => value)]),
        ),
      },
    };
    await writeFile(join(out, 'greedy.json'), JSON.stringify(baseline));
    const target = join(out, 'failed-fast');
    const argv = ['--agent', 'oracle', '--transport', 'stdio', '--scenarios', SMALL, '--runs', '40', '--fail-fast'];
    const { exit, stdout } = await called('run', ...argv, '--baseline', join(out, 'greedy.json'), '--out', target);
    expect(stdout).toContain('stopped at the first red: 1 of 40 runs');
    expect(stdout).toMatch(/^fail: 1 finding, 0 unsafe$/m);
    expect(exit).toBe(1);
    expect((await readFile(join(target, 'recordings.jsonl'), 'utf8')).trimEnd().split('\n')).toHaveLength(1);
  });
});

test.each(['http', 'stdio'])(
  '3 when the subject dies in the middle of a run over %s, and nothing is written',
  async (transport) => {
    const target = join(out, `died-${transport}`);
    const argv = [
      'run',
      '--agent',
      'noop',
      '--transport',
      transport,
      '--scenarios',
      SMALL,
      '--runs',
      '200',
      '--out',
      target,
    ];
    const run = start('cli/harness.ts', argv);
    await run.until(/gates closed: ready/);
    const stats = await Promise.all(
      (await running('server/cli/router.mjs')).map(
        async (pid) => [pid, await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')] as const,
      ),
    );
    const ours = stats.filter(([, stat]) => stat.split(' ')[3] === String(run.child.pid)).map(([pid]) => pid);
    expect(ours).toHaveLength(1);
    process.kill(ours[0]!, 'SIGKILL');
    const { exit, stderr } = await run.ended;
    expect(stderr).toMatch(/PROCESS_DIED: router/);
    expect(exit).toBe(3);
    await expect(readdir(target)).rejects.toThrow();
  },
);

test('Ctrl-C ends everything that was started, exit 130', async () => {
  const before = new Set(await running('fake-api/main.ts'));
  const run = start('cli/harness.ts', [
    'run',
    '--agent',
    'noop',
    '--transport',
    'http',
    '--scenarios',
    SMALL,
    '--runs',
    '50',
    '--out',
    join(out, 'interrupted'),
  ]);
  await run.until(/gates closed: ready|gates open: ready/);
  run.child.kill('SIGINT');
  const { exit, stderr } = await run.ended;
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: expect.stringContaining('interrupted') });
  const left = (await running('fake-api/main.ts')).filter((pid) => !before.has(pid));
  // Other suites start fakes of their own; ours are children of the process that is gone.
  const parents = await Promise.all(left.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  expect(parents.filter((stat) => stat.split(' ')[3] === String(run.child.pid) || stat.split(' ')[3] === '1')).toEqual(
    [],
  );
});

test('--watch runs again when a file changes, until Ctrl-C', async () => {
  const watching = start('cli/harness.ts', ['run', '--watch', '--list', '--scenarios', SMALL]);
  await watching.until(/exit 0; waiting for a change/);
  const file = join(root, 'harness', 'test', 'stub-subject.ts');
  await utimes(file, new Date(), new Date()); // its content stays, so nobody else minds
  await watching.until(/changed: [^\n]*\n(.|\n)*exit 0; waiting/);
  watching.child.kill('SIGINT');
  const { exit, stdout } = await watching.ended;
  expect(exit).toBe(130);
  expect(stdout.match(/^6 runs$/gm)?.length).toBeGreaterThanOrEqual(2);
});

describe('npm run router', () => {
  test('serves, prints how to connect, and ends on Ctrl-C', async () => {
    const served = start('cli/demo-router.ts', ['--port', '0', '--fake-port', '0', '--control-port', '0']);
    await served.until(/Ctrl-C ends both/);
    served.child.kill('SIGINT');
    const { exit, stdout } = await served.ended;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/HTTP +http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(stdout).toContain('"mcpServers"');
    expect(stdout).toContain('"MCP_TRANSPORT": "stdio"');
  });

  test('answers an MCP client over the address it prints', async () => {
    const served = start('cli/demo-router.ts', ['--port', '0', '--fake-port', '0', '--control-port', '0', '--json']);
    await served.until(/"ready":true.*\n/);
    const ready = JSON.parse(served.output()) as { url: string };
    const upstream = await connectHttp(ready.url, 'unused');
    expect((await upstream.listTools()).map((tool) => (tool as { name: string }).name)).toEqual([
      'find_tool',
      'invoke_read_tool',
      'invoke_tool',
    ]);
    await upstream.close();
    served.child.kill('SIGTERM');
    expect((await served.ended).exit).toBe(0);
  });

  test('names the port that is in use, exit 3, before it starts anything', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    const { exit, stdout, stderr } = await start('cli/demo-router.ts', [
      '--port',
      String(port),
      '--fake-port',
      '0',
      '--control-port',
      '0',
    ]).ended;
    holder.close();
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' });
    expect(stderr).toContain(`PORT_IN_USE: 127.0.0.1:${port} should be free, got EADDRINUSE`);
  });
});
