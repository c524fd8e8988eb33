/** What a principal may use is looked at again when the person has answered: over a connection that is kept, the call is the same one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { recordingUpstream } from '../test/support/recording-upstream.ts';
import { serving } from '../test/support/serving.ts';
import { hashOf } from './bearer-hash.ts';

const BEARER = 'a-bearer-of-thirty-two-characters';
const OPEN = { gates: ['SVC_MCP_MGMT_WRITES'], may_approve: true };
const CALL = { name: 'mgmt_update_auth_server', arguments: { name: 'radius-1', body: { 'auth-port': 1912 } } };

async function open(whileAsked: object) {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { name: 'radius-1' } });
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-narrowed-'));
  const path = join(folder, 'principals.yaml');
  const say = (fields: object) =>
    writeFileSync(path, JSON.stringify({ principals: [{ name: 'agent', bearers: [hashOf(BEARER)], ...fields }] }), {
      mode: 0o600,
    });
  say(OPEN);
  const router = await serving({
    SOURCE_BASE_URL: upstream.origin,
    SVC_MCP_PRINCIPALS_PATH: path,
    SVC_MCP_MGMT_WRITES: '1',
  });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    say(whileAsked);
    return { action: 'accept' as const, content: { confirm: true } };
  });
  const headers = { authorization: `Bearer ${BEARER}` };
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
