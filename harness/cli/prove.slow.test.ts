/** Small campaigns in one piece, in shards, and killed and resumed; `npm run harness -- prove identity` is the full size. */
import { expect, test } from 'vitest';
import { main } from './harness.ts';

test('1, 2 and 4 shards and a killed and resumed campaign are the same bytes', async () => {
  let stdout = '';
  const words = ['--suite', 'alerts,firmware', '--tag', 'mgmt,read', '--agent', 'oracle,noop', '--transport', 'http'];
  const exit = await main(['prove', 'identity', '--json', '--', ...words], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: () => true },
  });
  const { differing, runs, killedAfter } = JSON.parse(stdout) as {
    differing: Record<string, number>;
    runs: number;
    killedAfter: number;
  };
  expect(differing).toEqual({ '2 shards': 0, '4 shards': 0, 'killed and resumed': 0 });
  expect(runs).toBeGreaterThanOrEqual(8);
  expect(killedAfter).toBeGreaterThanOrEqual(1);
  expect(exit).toBe(0);
});
