/** Ctrl-C at each stage of a try, sent to this command alone: the fake and the server go on as long as it lets them. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { PETS } from '../test/pets-document.ts';

const PROMPTLY_MS = 8_000;
const SERVER = `node ${join(import.meta.dirname, '..', 'test', 'plain-server.mjs')}`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(PETS));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function interruptedAt(stage: string, afterMs: number, ...options: string[]) {
  const interrupt = new AbortController();
  let at = 0;
  let stderr = '';
  const hear = (text: string) => {
    stderr += text;
    if (!text.startsWith(stage)) return;
    setTimeout(() => {
      at = performance.now();
      interrupt.abort();
    }, afterMs);
  };
  const files = ['--openapi', 'pets.json', '--out', 'a/out', '--junit', 'a/out/b/junit.xml'];
  const exit = await main(['try', ...files, ...options], {
    stdout: { write: () => true },
    stderr: { write: hear, isTTY: false } as never,
    env: { INIT_CWD: folder },
    signal: interrupt.signal,
  });
  const tookMs = performance.now() - at;
  return { exit, isPrompt: tookMs < PROMPTLY_MS, stderr, left: await readdir(folder) };
}

test.each<[string, string, number, ...string[]]>([
  ['a server that never answers', 'connecting', 300, 'node -e setInterval(()=>{},1000)'],
  [
    'a server that never answers at its address',
    'connecting',
    300,
    'node -e setInterval(()=>{},1000)',
    '--url',
    'http://127.0.0.1:9/mcp',
  ],
  ['the making of scenarios', 'making', 20, SERVER],
  ['the playing', 'playing', 500, SERVER],
])('%s ends at once, with exit 130 and nothing half written', async (_what, stage, afterMs, ...command) => {
  const { exit, isPrompt, stderr, left } = await interruptedAt(stage, afterMs, '--command', ...command);
  expect({ exit, isPrompt, left }, stderr).toEqual({ exit: 130, isPrompt: true, left: ['pets.json'] });
  if (stage === 'making') expect(stderr).not.toContain('playing');
});
