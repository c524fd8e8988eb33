/** One principal reaches its own limits; another is served as if it were alone. Real HTTP on both sides. */
import { expect, test } from 'vitest';
import { timedRead, twoPrincipals } from '../test/support/two-principals.ts';

test('a principal has as many calls at a time as it may; more are rate_limited, and others are served', async () => {
  await using shared = await twoPrincipals({ heavy: { max_in_flight: 3 } });
  const { clientOf, bearers } = shared;
  const [heavy, light] = [await clientOf(bearers.heavy), await clientOf(bearers.light)];
  const flood = Array.from({ length: 12 }, () => timedRead(heavy));
  expect((await timedRead(light)).isError).toBe(false);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ isError }) => isError);
  expect(refused.length).toBeGreaterThan(0);
  for (const { text } of refused)
    expect(JSON.parse(text)).toMatchObject({
      code: 'rate_limited',
      retry_after_seconds: 1,
      message: expect.stringMatching(/heavy has 3 calls that run, at most 3/),
    });
  expect((await timedRead(heavy)).isError).toBe(false);
});

test('a principal has as many sessions as it may; others get theirs', async () => {
  await using shared = await twoPrincipals({ heavy: { max_sessions: 2 } });
  const { clientOf, bearers } = shared;
  await clientOf(bearers.heavy);
  await clientOf(bearers.heavy);
  await expect(clientOf(bearers.heavy)).rejects.toThrow(/503|Too many sessions/);
  expect((await timedRead(await clientOf(bearers.light))).isError).toBe(false);
});
