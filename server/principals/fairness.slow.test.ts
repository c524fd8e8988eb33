/** One principal floods a platform's budget; another is served nearly as if it were alone. Real HTTP on both sides. */
import { quantile } from 'simple-statistics';
import { expect, test } from 'vitest';
import { PER_SECOND, timedRead, twoPrincipals } from '../test/support/two-principals.ts';

const INTERVAL_MS = 1000 / PER_SECOND;

test('a single read beside 400 that are queued waits two permit intervals more than alone, at most', async () => {
  await using shared = await twoPrincipals({ max_in_flight: 1_000 });
  const { upstream, clientOf, bearers } = shared;
  const [heavy, light] = [await clientOf(bearers.heavy), await clientOf(bearers.light)];
  const SAMPLES = 30;
  const idle: number[] = [];
  for (let n = 0; n < SAMPLES; n++) idle.push((await timedRead(light)).ms);
  const before = upstream.reads.length;
  const flood = Array.from({ length: 400 }, () => timedRead(heavy));
  // Until the budget is really contended.
  while (upstream.reads.length < before + 5) await new Promise((resolve) => setTimeout(resolve, 5));
  const busy: { ms: number; between: number }[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    const sent = upstream.reads.length;
    const { ms, isError } = await timedRead(light);
    expect(isError).toBe(false);
    busy.push({ ms, between: upstream.reads.length - sent });
  }
  // Counted by the platform: requests that arrived from the question to its answer. In the order of arrival it would be hundreds.
  expect(Math.max(...busy.map(({ between }) => between))).toBeLessThan(60);
  const p95 = (values: readonly number[]) => quantile(values as number[], 0.95);
  const [alone, beside] = [p95(idle), p95(busy.map(({ ms }) => ms))];
  process.stdout.write(
    `p95 of a read alone ${alone.toFixed(0)} ms, beside 400 queued calls ${beside.toFixed(0)} ms, interval ${INTERVAL_MS} ms\n`,
  );
  expect(upstream.reads.length - before).toBeLessThan(400);
  expect((await Promise.all(flood)).filter(({ isError }) => isError)).toEqual([]);
}, 60_000);
