/** The same contract-checking proxy between the router and all the other platforms, each with its own way in. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ABSENT, type ProxiedTestbed, proxiedTestbed } from '../support/proxied-testbed.ts';

const files = readdirSync(join(import.meta.dirname, '..', '..', 'platforms')).filter((file) => file.endsWith('.yaml'));
const ids = files.map((file) => file.replace(/\.yaml$/, '')).filter((id) => id !== 'mgmt');
/** Writes whose object the installation at rest does not hold: their previews end with that, and nothing is sent. */
const NOTHING_TO_CHANGE: Record<string, readonly string[]> = { fabric: ['cancelTask'] };
let testbed: ProxiedTestbed;

beforeAll(async () => {
  testbed = await proxiedTestbed(ids);
});
afterAll(() => testbed.close());

test.each(ids)('nothing the router sends to %s and nothing it is answered breaks a document', async (id) => {
  const unsent = await testbed.play(id);
  const { violations, judged } = testbed.contractProxies.get(id)!;
  expect(violations).toEqual([]);
  const called = testbed.calls.get(id)!.calls.map(({ operationId }) => operationId);
  const absent = (NOTHING_TO_CHANGE[id] ?? []).filter((operation) => called.includes(operation));
  expect(unsent).toEqual(absent.map((operation) => `${operation}: ${ABSENT}`));
  expect(called.filter((operation) => !judged.has(operation))).toEqual(absent);
});
