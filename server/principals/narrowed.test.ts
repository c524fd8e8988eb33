/** What a principal may use is looked at again when the person has answered: over a connection that is kept, the call is the same one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordingUpstream } from '../test/support/recording-upstream.ts';
import { serving } from '../test/support/serving.ts';
import { RESOURCE, startTokenIssuer } from '../test/support/token-issuer.ts';
import { hashOf } from './bearer-hash.ts';

const BEARER = 'a-bearer-of-thirty-two-characters';
const ROTATED = 'another-bearer-of-thirty-two-or-more';
const OPEN = { gates: ['SVC_MCP_MGMT_WRITES'], may_approve: true };
const CALL = { name: 'mgmt_update_auth_server', arguments: { name: 'radius-1', body: { 'auth-port': 1912 } } };

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => vi.useRealTimers());

/** How the principal proves itself, and what its entry says of that. */
interface Proof {
  bearer: string;
  entry: object;
}
const byBearer = (bearer: string): Proof => ({ bearer, entry: { bearers: [hashOf(bearer)] } });

interface Opened {
  before?: Proof;
  /** How it proves itself once the person was asked. */
  after?: Proof;
  env?: Record<string, string>;
  thinks?: () => void;
}

async function open(whileAsked: object, { before = byBearer(BEARER), after = before, env = {}, thinks }: Opened = {}) {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { name: 'radius-1' } });
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-narrowed-'));
  const path = join(folder, 'principals.yaml');
  const headers = { authorization: '' };
  const say = (fields: object, { bearer, entry }: Proof) => {
    headers.authorization = `Bearer ${bearer}`;
    writeFileSync(path, JSON.stringify({ principals: [{ name: 'agent', ...entry, ...fields }] }), { mode: 0o600 });
  };
  say(OPEN, before);
  const router = await serving({
    SOURCE_BASE_URL: upstream.origin,
    SVC_MCP_PRINCIPALS_PATH: path,
    SVC_MCP_MGMT_WRITES: '1',
    ...env,
  });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    say(whileAsked, after);
    thinks?.();
    return { action: 'accept' as const, content: { confirm: true } };
  });
  const transport = new StreamableHTTPClientTransport(new URL(router.url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const call = async (args: object) => {
    const answer = await client.callTool({ name: 'invoke_tool', arguments: { ...CALL, arguments: args } });
    return JSON.parse((answer.content as { text: string }[])[0]?.text ?? '{}');
  };
  return {
    upstream,
    apply: async () => {
      const { plan_token } = await call(CALL.arguments);
      return call({ ...CALL.arguments, dry_run: false, confirm: true, plan_token });
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await router[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

test('a write of a principal that is as before is sent', async () => {
  await using b = await open(OPEN);
  expect((await b.apply()).code).toBeUndefined();
  expect(b.upstream.writes).toHaveLength(1);
});

test.each([
  ['its profile', { profile: 'safe-read-only' }],
  ['its gates', { gates: [] }],
  ['its capabilities', { capabilities: ['read'] }],
  ['who answers for it', { ...OPEN, may_approve: false }],
])('what was narrowed while the person thought holds for the write: %s', async (_, fields) => {
  await using b = await open(fields);
  expect(await b.apply()).toMatchObject({ ok: false });
  expect(b.upstream.writes).toEqual([]);
});

test('a write whose bearer was rotated while the person thought is sent', async () => {
  await using b = await open(OPEN, { after: byBearer(ROTATED) });
  expect((await b.apply()).code).toBeUndefined();
  expect(b.upstream.writes).toHaveLength(1);
});

test('a principal that is narrowed as its bearer is rotated is narrowed', async () => {
  await using b = await open({ ...OPEN, gates: [] }, { after: byBearer(ROTATED) });
  expect(await b.apply()).toMatchObject({ ok: false });
  expect(b.upstream.writes).toEqual([]);
});

test.each([
  ['as before', OPEN, 1],
  ['narrowed', { ...OPEN, gates: [] }, 0],
])('a principal whose access token ran out while its person thought is %s', async (_, fields, writes) => {
  await using issuer = await startTokenIssuer();
  const claims = { scope: 'mcp:read mgmt:write' };
  const now = Date.now();
  const entry = { oauth: { claim: 'sub', value: 'ada' } };
  const proof = async (more: object) => ({ entry, bearer: await issuer.token({ ...claims, ...more }) });
  const seconds = Math.floor(now / 1000);
  await using b = await open(fields, {
    before: await proof({ exp: seconds + 100 }),
    after: await proof({ exp: seconds + 600 }),
    env: { SVC_MCP_OAUTH_ISSUER: issuer.issuer, SVC_MCP_OAUTH_RESOURCE: RESOURCE },
    thinks: () => vi.setSystemTime(now + 200_000),
  });
  await b.apply();
  expect(b.upstream.writes).toHaveLength(writes);
});
