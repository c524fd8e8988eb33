/** The questions about approvals at a real terminal: asked where something may be written, and the password is never shown. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { packageRoot } from '../config/config.ts';
import { answeredQuestions } from '../test/support/answered-questions.ts';
import { noTerminal, openTerminal } from '../test/support/pseudo-terminal.ts';

const absent = noTerminal();
const PASSWORD = 'correct-horse-battery';
const ANSWERS = {
  'Who approves a write': { down: 1 },
  'Port of the console': '8141',
  'Name of the first operator': 'ada',
  'Password of ada': PASSWORD,
  'The same password once more': PASSWORD,
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'approvals-terminal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function asked(...words: string[]) {
  using terminal = openTerminal(packageRoot, {
    HOME: folder,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    SVC_MCP_CONFIG_DIR: join(folder, 'own'),
  });
  const skipped = '--skip-install --skip-catalog --skip-doctor --skip-credentials';
  terminal.type(`node server/cli/setup.mjs --directory ${folder} ${skipped} ${words.join(' ')}`);
  terminal.press('Enter');
  const given = await answeredQuestions(terminal, ANSWERS);
  return { given, shown: terminal.history() };
}

describe.skipIf(absent !== undefined)('at a terminal', () => {
  test('where something may be written it is asked who approves, and the first operator can sign in', async () => {
    const { given, shown } = await asked('--access-profile', 'full-read-write');
    expect(given).toEqual(Object.keys(ANSWERS));
    expect(shown).not.toContain(PASSWORD);
    const env = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    expect([env['SVC_MCP_APPROVALS'], env['SVC_MCP_CONSOLE_PORT'], env['SVC_MCP_AUDIT_LOG']]).toEqual([
      'operator',
      '8141',
      '1',
    ]);
    const operators = new Operators(join(folder, 'own/operators.json'));
    expect(await operators.verify('ada', PASSWORD)).toMatchObject({ name: 'ada' });
  });

  test('where nothing may be written nobody is asked', async () => {
    expect((await asked('--access-profile', 'safe-read-only')).given).toEqual([]);
  });
});
