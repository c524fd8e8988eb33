/** One principal reaches its own limits; another is served as if it were alone. Real HTTP on both sides. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('a principal has as many calls at a time as it may; more are rate_limited, and others are served', async () => {
  const { clientOf, bearers } = await shared({ max_in_flight: 3 });
  const [heavy, light] = [await clientOf(bearers.heavy), await clientOf(bearers.light)];
  const flood = Array.from({ length: 12 }, () => read(heavy));
  expect((await read(light)).isError).toBe(false);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ isError }) => isError);
  expect(refused.length).toBeGreaterThan(0);
  for (const { text } of refused)
    expect(JSON.parse(text)).toMatchObject({
      code: 'rate_limited',
      retry_after_seconds: 1,
      message: expect.stringMatching(/heavy has 3 calls that run, at most 3/),
    });
  expect((await read(heavy)).isError).toBe(false);
});

test('a principal has as many sessions as it may; others get theirs', async () => {
  const { clientOf, bearers } = await shared({ max_sessions: 2 });
  await clientOf(bearers.heavy);
  await clientOf(bearers.heavy);
  await expect(clientOf(bearers.heavy)).rejects.toThrow(/503|Too many sessions/);
  expect((await read(await clientOf(bearers.light))).isError).toBe(false);
});
