/** A module with a mistake is named with its file before anything runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { discoverModules } from './module-folder.ts';

const SHAPE = { promise: 'string', kind: ['task', 'safety'], examine: 'function' } as const;

function folderWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'mine.ts'), `export default ${text};`);
  return folder;
}

const whole = "id: 'mine', promise: 'a sentence', kind: 'task', examine: () => ({ status: 'pass' })";

test('a whole module is loaded', async () => {
  expect(await discoverModules(folderWith(`{ ${whole} }`), SHAPE)).toMatchObject([{ id: 'mine', kind: 'task' }]);
});

test.each([
  [`{ ${whole}, id: 'other' }`, /mine\.ts: default export's id should be "mine", got "other"/],
  [`{ ${whole}, kind: 'safty' }`, /mine\.ts: default export's kind should be one of task, safety, got "safty"/],
  [`{ ${whole}, promise: undefined }`, /mine\.ts: default export's promise should be a string, got/],
  [`{ ${whole}, examine: 'pass' }`, /mine\.ts: default export's examine should be a function, got "pass"/],
])('%s is refused', async (text, why) => {
  await expect(discoverModules(folderWith(text), SHAPE)).rejects.toThrow(why);
});
