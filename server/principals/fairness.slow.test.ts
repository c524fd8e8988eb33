/** One principal floods a platform's budget and its own limits; another is served as if it were alone. Real HTTP on both sides. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from 'simple-statistics';
import { afterEach, expect, test } from 'vitest';

import { recordingUpstream } from '../test/support/recording-upstream.ts';
import { serving } from '../test/support/serving.ts';
import { sessionClient } from '../test/support/session-client.ts';
import { hashOf } from './bearer-hash.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const PER_SECOND = 40;
const INTERVAL_MS = 1000 / PER_SECOND;

/** A router for two principals over an upstream that answers at once. */
async function shared(heavy: object) {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { items: [] } });
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-fair-'));
  const path = join(folder, 'principals.yaml');
  const bearers = { heavy: randomBytes(24).toString('base64url'), light: randomBytes(24).toString('base64url') };
  const principals = [
    { name: 'heavy', bearers: [hashOf(bearers.heavy)], ...heavy },
    { name: 'light', bearers: [hashOf(bearers.light)] },
  ];
  writeFileSync(path, JSON.stringify({ principals }), { mode: 0o600 });
  const router = await serving({
    SOURCE_BASE_URL: upstream.origin,
    SVC_MCP_PRINCIPALS_PATH: path,
    SVC_MCP_RATE_PER_SECOND: String(PER_SECOND),
    SVC_MCP_CALL_TIMEOUT_SECONDS: '60',
  });
  open.push(
    () => upstream[Symbol.asyncDispose](),
    () => rmSync(folder, { recursive: true }),
    () => router[Symbol.asyncDispose](),
  );
  const clientOf = async (bearer: string) => {
    const connected = await sessionClient(router.url, { headers: { authorization: `Bearer ${bearer}` } });
    open.push(() => connected[Symbol.asyncDispose]());
    return connected.client;
  };
  return { upstream, clientOf, bearers };
}

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof shared>>['clientOf']>>;
const LIST = { name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers', arguments: {} } };
const read = async (client: Client) => {
  const started = performance.now();
  const answer = await client.callTool(LIST, undefined, { timeout: 120_000 });
  const text = (answer.content as { text: string }[])[0]?.text ?? '';
  return { ms: performance.now() - started, isError: answer.isError === true, text };
};

test('a single read beside 400 that are queued waits two permit intervals more than alone, at most', async () => {
  const { upstream, clientOf, bearers } = await shared({ max_in_flight: 1_000 });
  const [heavy, light] = [await clientOf(bearers.heavy), await clientOf(bearers.light)];
  const SAMPLES = 30;
  const idle: number[] = [];
  for (let n = 0; n < SAMPLES; n++) idle.push((await read(light)).ms);
  const before = upstream.reads.length;
  const flood = Array.from({ length: 400 }, () => read(heavy));
  // Until the budget is really contended.
  while (upstream.reads.length < before + 5) await new Promise((resolve) => setTimeout(resolve, 5));
  const busy: { ms: number; between: number }[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    const sent = upstream.reads.length;
    const { ms, isError } = await read(light);
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
