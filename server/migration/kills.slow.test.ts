/**
 * A router that is killed, or whose disk is full, in the middle of an apply. Every place where power can fail is
 * tried in `apply.test.ts` without processes, and by `npm run bench:migration-kills` with them.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNode } from '../test/support/running-process.ts';

const FILE = join(import.meta.dirname, 'kills.bench.ts');

async function kills(...words: string[]) {
  const { stdout, stderr } = await runNode([FILE, '--json', '--untimed', ...words]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { passed: boolean; failures: string[]; figures: Record<string, number> };
}

test('nothing acknowledged is lost, nothing is written twice, and the next router ends where nothing had happened', async () => {
  const { failures, figures } = await kills('--points', '4', '--full', '4');
  expect(failures).toEqual([]);
  expect(figures).toMatchObject({ kills: 4, disk_errors: 4 });
  expect(figures['places_of_an_apply']).toBeGreaterThanOrEqual(60);
});
