/** Writes whose question nobody answers, over real connections of both revisions: the log says that they were asked for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import {
  type ModernMore,
  type ModernResult,
  messageIn,
  modernClient,
  modernRequest,
} from '../test/support/modern-client.ts';
import { recordingUpstream } from '../test/support/recording-upstream.ts';
import { serving } from '../test/support/serving.ts';

const PATCH = { name: 'radius-1', body: { 'auth-port': 1912 } };
const AUDIT = { SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl', SVC_MCP_MGMT_WRITES: '1' };
const TOOL = 'mgmt_update_auth_server';

async function open(more: Record<string, string> = {}) {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { name: 'radius-1' } });
  const router = await serving({ ...AUDIT, SOURCE_BASE_URL: `${upstream.origin}/base`, ...more });
  return {
    url: router.url,
    writes: upstream.writes,
    lines: () =>
      readFileSync(join(router.installation.root, AUDIT.SVC_MCP_AUDIT_LOG), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: async () => {
      await router[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const applied = (text: string | undefined) => ({
  ...PATCH,
  dry_run: false,
  confirm: true,
  plan_token: JSON.parse(text ?? '').plan_token,
});

test('a client of 2026-07-28 that never comes back with the answer leaves the question in the log, and nothing is sent', async () => {
  await using b = await open();
  const call = async (args: object) => {
    const response = await fetch(b.url, {
      method: 'POST',
      ...modernRequest('invoke_tool', { name: TOOL, arguments: args }),
    });
    return messageIn(await response.text()).result as {
      content?: { text: string }[];
      inputRequests?: { confirm: { params: { message: string } } };
    };
  };
  const preview = await call(PATCH);
  const { inputRequests } = await call(applied(preview.content?.[0]?.text));
  const [, digest] = /^Digest: (.*)$/m.exec(inputRequests?.confirm.params.message ?? '') ?? [];
  expect(digest).toEqual(expect.any(String));
  const lines = b.lines();
  expect(lines).toMatchObject([
    { kind: 'call', tool: TOOL },
    { kind: 'asked', tool: TOOL, capability: 'write', principal: 'anonymous', digest },
  ]);
  expect(lines[1].argument_keys).toContain('body.auth-port');
  expect(b.writes).toEqual([]);
});

test('a client of 2025-11-25 that hangs up while its person thinks leaves it as well', async () => {
  await using b = await open();
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const asked = Promise.withResolvers<void>();
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked.resolve();
    return new Promise<never>(() => {});
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(b.url)) as Parameters<Client['connect']>[0]);
  const call = (args: object) => client.callTool({ name: 'invoke_tool', arguments: { name: TOOL, arguments: args } });
  const preview = (await call(PATCH)) as { content: { text: string }[] };
  const hangs = call(applied(preview.content[0]?.text)).catch(() => 'gone');
  await asked.promise;
  await client.close();
  expect(await hangs).toBe('gone');
  expect(b.lines().map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['call', 'success'],
    ['asked', undefined],
  ]);
  expect(b.writes).toEqual([]);
});

test('of two questions that differ in a secret alone, the log says which one the person declined', async () => {
  await using b = await open();
  const client = modernClient(b.url);
  const of = (secret: string) => ({ name: 'radius-1', body: { 'shared-secret': secret } });
  const ends = [];
  for (const [secret, answer] of [
    ['first-secret', 'hang'],
    ['second-secret', 'decline'],
  ] as const) {
    const preview = await client.call('invoke_tool', { name: TOOL, arguments: of(secret) });
    const args = { ...applied(preview.texts[0]), ...of(secret) };
    if (answer === 'decline') ends.push(await client.call('invoke_tool', { name: TOOL, arguments: args }, answer));
    else await fetch(b.url, { method: 'POST', ...modernRequest('invoke_tool', { name: TOOL, arguments: args }) });
  }
  const [, first, , second, end] = b.lines();
  expect([first.kind, second.kind, end]).toEqual(['asked', 'asked', expect.objectContaining({ outcome: 'declined' })]);
  expect(second.argument_digest).toBe(first.argument_digest);
  expect(end.digest).toBe(second.digest);
  expect(end.digest).not.toBe(first.digest);
});

test('an answer that came too late to count is on record as one', async () => {
  await using b = await open({ SVC_MCP_WRITES_PER_HOUR: '1' });
  const call = async (args: object, more: ModernMore = {}) => {
    const response = await fetch(b.url, {
      method: 'POST',
      ...modernRequest('invoke_tool', args as Record<string, unknown>, more),
    });
    return messageIn(await response.text()).result as ModernResult;
  };
  const asked = async (port: number) => {
    const args = { name: TOOL, arguments: { name: 'radius-1', body: { 'auth-port': port } } };
    const preview = await call(args);
    const whole = { ...args, arguments: { ...applied(preview.content?.[0]?.text), ...args.arguments } };
    const { requestState = '' } = await call(whole);
    return { whole, requestState };
  };
  const questions = [await asked(1911), await asked(1912)];
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
  for (const { whole, requestState } of questions) await call(whole, { inputResponses, requestState });
  expect(b.writes).toHaveLength(1);
  const lines = b.lines();
  const digests = lines.filter(({ kind }) => kind === 'asked').map(({ digest }) => digest);
  const ends = lines.filter(({ kind, argument_keys: keys }) => kind === 'call' && keys.includes('confirm'));
  expect(ends.map(({ digest, code }) => [digest, code])).toEqual([
    [digests[0], undefined],
    [digests[1], 'write_quota_used_up'],
  ]);
});

test('a yes to a batch answers no question about one of its writes', async () => {
  await using b = await open();
  const client = modernClient(b.url);
  const write = async (port: number) => {
    const args = { name: 'radius-1', body: { 'auth-port': port } };
    const preview = await client.call('invoke_tool', { name: TOOL, arguments: args });
    return { name: TOOL, arguments: { ...applied(preview.texts[0]), ...args } };
  };
  const calls = [await write(1911), await write(1912)];
  await client.call('invoke_tool', { name: 'invoke_tools_batch', arguments: { calls } }, 'accept');
  expect(b.writes).toHaveLength(2);
  const digests = b.lines().map(({ kind, tool, digest }) => [kind, tool, typeof digest]);
  expect(digests.filter(([kind]) => kind !== 'intent').slice(2)).toEqual([
    ['asked', 'invoke_tools_batch', 'string'],
    ['call', TOOL, 'undefined'],
    ['call', TOOL, 'undefined'],
    ['call', 'invoke_tools_batch', 'string'],
  ]);
});
