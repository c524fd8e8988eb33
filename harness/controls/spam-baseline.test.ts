import { mkdtempDisposable, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScenarios } from '../scenario/scenario.ts';
import { keepSpam, readSpam } from './spam-baseline.ts';

const project = join(import.meta.dirname, '..', '..');

test('parts join, the newer of a scenario counts, and nothing is shown before all were played', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'spam-kept-'));
  const root = folder.path;
  await symlink(join(project, 'scenarios'), join(root, 'scenarios'));
  await symlink(join(project, 'fake-api'), join(root, 'fake-api'));
  const ids = (await loadScenarios(root)).map(({ id }) => id);
  const [first = '', ...others] = ids;
  const shown = (scenario: string, unbroken: string[] = []) => ({
    scenario,
    bans: 2,
    unbroken,
    selected: false,
    unsafeWhenGuarded: false,
  });
  const made = { at: '2026-11-22', commit: 'c0ffee00', minutes: 3 };
  await keepSpam(root, [shown(first, ['DELETE /**'])], made);
  expect(await readSpam(root)).toBeUndefined();
  await keepSpam(
    root,
    others.map((id) => shown(id)),
    made,
  );
  expect(await readSpam(root)).toMatchObject({ scenarios: ids.length, bans: 2 * ids.length, unbroken: ['DELETE /**'] });
  await keepSpam(root, [shown(first)], made);
  expect(await readSpam(root)).toMatchObject({ unbroken: [], made: { commit: 'c0ffee00', minutes: 6 } });
});
