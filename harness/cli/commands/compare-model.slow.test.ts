/** A comparison with a language model: which rows are of it, and what is left to be asked. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../harness.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const ENDPOINT = { SVC_LLM_BASE_URL: 'http://127.0.0.1:9/v1', SVC_LLM_MODEL: 'a-model-of-this-test' };
const ASKED = ['compare', '--subjects', 'router', '--sizes', 'one', '--filter', 'alerts/worst-now', '--runs', '2'];

async function said(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
  let text = '';
  const stream = { write: (more: string) => (text += more) } as never;
  await main([...ASKED, ...argv], { root, env: { ...ENDPOINT, ...env }, stdout: stream, stderr: stream });
  return text;
}

/** Where its rows are, which it says while there are none. */
const folderFor = async (env: Record<string, string> = {}): Promise<string> =>
  /in (var\/compare\/\w+), got nothing/.exec(await said(['--merge'], env))?.[1] ?? '';

test('all that is sent with each request makes another comparison', async () => {
  const settings = [{}, { SVC_LLM_SEED: '7' }, { SVC_LLM_EXTRA_BODY: '{"reasoning_effort":"high"}' }];
  const folders = [];
  for (const env of settings) folders.push(await folderFor(env));
  expect(folders).not.toContain('');
  expect(new Set(folders).size).toBe(settings.length);
});

test('one that is continued asks for what is left alone', async () => {
  const folder = join(root, await folderFor());
  const file = await readFile(join(root, 'harness/subjects/router.yaml'), 'utf8');
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 8);
  const row = { scenario: 'alerts/worst-now', agent: 'llm', seed: 1 };
  await mkdir(folder, { recursive: true });
  try {
    expect(await said([])).toMatch(/^2 runs will ask a-model-of-this-test:/);
    await writeFile(join(folder, `one.router-${digest}.jsonl`), `${JSON.stringify(row)}\n`);
    expect(await said([])).toMatch(/^1 runs will ask a-model-of-this-test:/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
