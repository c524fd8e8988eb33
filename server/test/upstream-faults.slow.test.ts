/** The short core of the matrix of upstream faults; `upstream-faults.slow.test.ts` plays all of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playMatrix, TROUBLES, violationsOf } from './support/fault-matrix.ts';
import { type InstallationTestbed, installationTestbed } from './support/installation-testbed.ts';

const SECONDS = 0.8;
const CORE = new Set([
  '503, all done',
  '503, nothing done',
  '421, all done',
  'a login that was forgotten',
  'a reset, nothing done',
  'a reset, all done',
  'no answer, all done',
  'cut within the body',
  'broken JSON',
  'nobody listens',
]);
const options = {
  platform: 'sensors',
  timeoutMs: SECONDS * 1000,
  troubles: TROUBLES.filter(({ name }) => CORE.has(name)),
};

let testbed: InstallationTestbed;
beforeAll(async () => {
  testbed = await installationTestbed({
    platforms: ['sensors'],
    variables: { SVC_MCP_CALL_TIMEOUT_SECONDS: String(SECONDS) },
  });
});
afterAll(() => testbed?.[Symbol.asyncDispose]());

test('each fault ends in one true outcome, and no write arrives twice', async () => {
  const cells = await playMatrix(testbed, options);
  expect(cells.length).toBeGreaterThanOrEqual(30);
  expect(violationsOf(cells)).toEqual([]);
});

test('a router that sends a failed write again does not pass', async () => {
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    // Without the dispatcher that lets one request through.
    const { dispatcher: _, ...bare } = (init ?? {}) as Record<string, unknown>;
    const send = () => plain(input, bare as RequestInit);
    const again = (init?.method ?? 'GET') !== 'GET' && String(input).includes('/sensors/');
    const first = await send().catch((error: unknown) => error as Error);
    if (!again) return first instanceof Error ? Promise.reject(first) : first;
    return first instanceof Error || first.status >= 500 ? send() : first;
  };
  try {
    const cells = await playMatrix(testbed, { ...options, capabilities: ['write', 'destructive'] });
    expect(violationsOf(cells).filter((line) => line.includes('should be sent once'))).not.toEqual([]);
  } finally {
    globalThis.fetch = plain;
  }
});
