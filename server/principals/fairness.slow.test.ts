/** One principal floods a platform's budget; another is served nearly as if it were alone. Real HTTP on both sides. */
import { quantile } from 'simple-statistics';
import { expect, test } from 'vitest';
import { timedRead, twoPrincipals } from '../test/support/two-principals.ts';

/** So few that a busy machine's delays are small against the interval. */
const PER_SECOND = 4;
const INTERVAL_MS = 1000 / PER_SECOND;
const QUEUED = 400;
const SAMPLES = 20;
/** Requests of the flood that may go between a read's question and its own request. */
const MOST_BETWEEN = 2;

test('of 400 queued calls of another principal two requests at most go before a single read', async () => {
  await using shared = await twoPrincipals({ heavy: { max_in_flight: 1_000 }, perSecond: PER_SECOND });
  const { upstream, clientOf, bearers } = shared;
  const [heavy, light] = [await clientOf(bearers.heavy), await clientOf(bearers.light)];
  const idle: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    idle.push((await timedRead(light)).ms);
    // The next one finds a permit again.
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
  const before = upstream.reads.length;
  const enough = new AbortController();
  let answered = 0;
  const flood = Array.from({ length: QUEUED }, () =>
    timedRead(heavy, enough.signal).then(
      () => {
        answered += 1;
      },
      () => undefined,
    ),
  );
  // Until the budget is really contended.
  while (upstream.reads.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 5));
  const busy: { ms: number; between: number }[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    const sent = upstream.reads.length;
    const { ms, isError } = await timedRead(light);
    expect(isError).toBe(false);
    busy.push({ ms, between: upstream.reads.length - sent - 1 });
  }
  const p95 = (values: readonly number[]) => quantile(values as number[], 0.95);
  const [alone, beside] = [p95(idle), p95(busy.map(({ ms }) => ms))];
  const between = p95(busy.map((one) => one.between));
  process.stdout.write(
    `p95 of a read alone ${alone.toFixed(0)} ms, beside ${QUEUED} queued calls ${beside.toFixed(0)} ms, interval ${INTERVAL_MS} ms; p95 of the requests that went before it ${between}\n`,
  );
  // Counted by the platform. In the order of arrival it would be hundreds.
  expect(between).toBeLessThanOrEqual(MOST_BETWEEN);
  // The flood was there to the end, and was served as well.
  expect(answered).toBeLessThan(QUEUED - SAMPLES);
  expect(answered).toBeGreaterThan(0);
  enough.abort();
  await Promise.all(flood);
});
