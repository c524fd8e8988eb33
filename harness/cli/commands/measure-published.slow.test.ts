/** What `measure-published` leaves behind. It starts no server, and writes into a root of its own; the campaign is replaced, so it has a process of its own. */
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runCampaign } from '../../execution/campaign.ts';
import { EXIT } from '../../exit-codes.ts';
import { changedRecording } from '../../test/sample-recording.ts';
import { main } from '../harness.ts';

vi.mock(import('../../execution/campaign.ts'), { spy: true });

const checkout = join(import.meta.dirname, '..', '..', '..');
const root = await mkdtemp(join(tmpdir(), 'measure-published-'));
let interrupt = new AbortController();

beforeAll(async () => {
  await mkdir(join(root, 'reports'));
  const others = (await readdir(checkout)).filter((name) => name !== 'reports');
  for (const name of [...others, join('reports', 'recordings')]) await symlink(join(checkout, name), join(root, name));
});
beforeEach(() => {
  interrupt = new AbortController();
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The campaign makes one run, and then ends as it is told. */
async function measured(end: () => void): Promise<{ exit: number; stderr: string; left: string[] }> {
  vi.mocked(runCampaign).mockImplementation(async ({ lanes, onRecording }) => {
    const { scenario, agent, transport, gates, run, seed } = lanes[0]!.runs[0]!;
    const recording = changedRecording((r) => {
      Object.assign(r, { agent: agent.id, transport, gates, run, seed });
      Object.assign(r.task, { id: scenario.id, suite: scenario.suite, file: scenario.file, digest: scenario.digest });
    });
    onRecording?.(recording);
    end();
    return [recording];
  });
  let stderr = '';
  const exit = await main(['measure-published', '--subject-root', '.', '--filter', 'alerts/worst-now', '--runs', '1'], {
    root,
    stdout: { write: () => true },
    stderr: { write: (text: string) => (stderr += text) } as never,
    color: false,
    signal: interrupt.signal,
  });
  const runs = await readdir(join(root, 'reports', 'runs')).catch(() => []);
  const others = (await readdir(join(root, 'reports'))).filter((name) => name !== 'runs' && name !== 'recordings');
  return { exit, stderr, left: [...runs, ...others] };
}

const GONE = (): void => {
  throw new Error('the fake is gone');
};

test.each<[string, number, () => void, string[]]>([
  ['that is interrupted', EXIT.interrupted, () => interrupt.abort(), []],
  ['that fails', EXIT.infrastructure, GONE, []],
  ['that is whole', EXIT.pass, () => undefined, ['published.json']],
])('a measurement %s leaves no run of another version behind', async (_how, exit, end, left) => {
  const said = await measured(end);
  expect(said, said.stderr).toMatchObject({ exit, left });
});
