import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScenarios, SCENARIOS } from '../../scenario/scenario.ts';
import { knownNames } from './known-names.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('a scenario of somebody’s own names an operation that a platform has, or the file, line and nearest one are said', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'own-scenarios-'));
  const copy = join(folder, 'site-device-health', 'silent-leaf.yaml');
  await cp(join(root, SCENARIOS, 'site-device-health', 'silent-leaf.yaml'), copy);
  const load = async () => loadScenarios(root, folder, await knownNames(root, folder));
  expect(await load()).toHaveLength(1);
  await writeFile(copy, (await readFile(copy, 'utf8')).replace('call: GET /api/systems\n', 'call: GET /api/systemz\n'));
  await expect(load()).rejects.toThrow(
    /silent-leaf\.yaml:46: `steps\.0\.any_of\.1\.call` should be .* did you mean "GET \/api\/systems"\?/,
  );
  await rm(folder, { recursive: true });
});

test('those of the checkout name no wrong one, and are not looked up at each run', async () => {
  const { operations } = await knownNames(root, 'mine');
  expect(operations?.length).toBeGreaterThan(8_000);
  expect(await loadScenarios(root, SCENARIOS, { operations: operations ?? [] })).not.toEqual([]);
  expect(await knownNames(root)).not.toHaveProperty('operations');
});
