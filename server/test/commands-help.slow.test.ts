/** The help of every program: it fits a screen and a half, names what there is, and starts nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';
import { startProcess } from './support/running-process.ts';

const LINES = 60;
const { bin } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { bin: Record<string, string> };
const CHECKOUT = [
  'catalog.ts',
  'fake-api/main.ts',
  'harness/cli/harness.ts',
  'harness/cli/demo-router.ts',
  'harness/cli/call.ts',
];

const help = async (file: string, ...words: string[]) => {
  const { code, stdout, stderr } = await startProcess(process.execPath, [join(packageRoot, file), ...words, '--help'], {
    cwd: packageRoot,
  }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: /m);
  expect(stdout.split('\n').length, `${file} ${words.join(' ')}`).toBeLessThanOrEqual(LINES);
  return stdout;
};

/** The names under `Commands:`. */
const commandsOf = (text: string) =>
  [...(/^Commands:\n((?: .*\n|\n(?= ))+)/m.exec(text)?.[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(
    ([, name]) => (name === undefined || name === 'help' ? [] : [name]),
  );

test.each([...Object.values(bin), ...CHECKOUT])('%s and its commands', async (file) => {
  const commands = commandsOf(await help(file));
  if (file === 'server/cli/catalog.mjs') expect(commands).toContain('add');
  // Those of the harness are asked in its own test, without a process for each.
  if (!file.startsWith('harness/')) for (const name of commands) await help(file, name);
});

test('the catalog of the checkout names its commands, its own ones as well', async () => {
  const text = await help('catalog.ts');
  expect(commandsOf(text)).toContain('build');
  expect(text).toMatch(/npm run catalog -- lint/);
});
