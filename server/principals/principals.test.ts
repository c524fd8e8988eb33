/** Principals over real HTTP: what each sees, what it may call, and what of one principal is refused to another. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeApi } from '#fake-api';
import { loadConfig } from '../config/config.ts';
import { openRouter } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { demoAccount } from '../test/support/child-process.ts';
import { messageIn, modernClient, modernMessage, modernRequest } from '../test/support/modern-client.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';
import { hashOf } from './bearer-hash.ts';
import { PrincipalsEditor } from './principals-editor.ts';
import { readPrincipals } from './principals-file.ts';

let fake: Awaited<ReturnType<typeof startFakeApi>>;
let folder: string;
let path: string;
beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt', 'nac'] });
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-principals-'));
  path = join(folder, 'principals.yaml');
});
afterAll(async () => {
  await fake?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const variables = () => ({
  MCP_TRANSPORT: 'streamable-http',
  MCP_PORT: '0',
  SVC_MCP_TOOLSETS: 'mgmt',
  SVC_MCP_MGMT_WRITES: '1',
  SVC_MCP_METRICS: '1',
  SVC_MCP_METRICS_HTTP: '1',
  SVC_MCP_ROUTER_MODE: 'default',
  ...demoAccount(`${fake.platforms['mgmt']}`),
  SOURCE_GLP_WORKSPACE: 'demo',
  CREDS_PATH: join(folder, 'none.yaml'),
  TOKEN_CACHE_DIR: join(folder, 'tokens'),
  SVC_MCP_STATE_DIR: join(folder, 'state'),
  SVC_MCP_CATALOG_DIR: shippedCatalog(),
  SVC_MCP_CONFIG_DIR: join(folder, 'user'),
  SVC_MCP_RATE_PER_SECOND: '0',
  SVC_MCP_PRINCIPALS_PATH: path,
});
const configOf = (more: Record<string, string> = {}) => loadConfig({ env: { ...variables(), ...more }, cwd: folder });

async function served(more: Record<string, string> = {}) {
  const router = await openRouter(configOf(more), createLogger('silent'));
  const { url, close } = await router.serveHttp();
  const post = async (message: { headers: Record<string, string>; body: string }) => {
    const response = await fetch(url, { method: 'POST', ...message });
    const text = await response.text();
    return { status: response.status, result: response.ok ? messageIn(text).result : undefined, text };
  };
  const call = async (bearer: string | undefined, name: string, args: Record<string, unknown>) => {
    const { status, result } = await post(modernRequest(name, args, bearer === undefined ? {} : { bearer }));
    const [first] = (result?.['content'] ?? []) as { text: string }[];
    return { status, body: first === undefined ? undefined : JSON.parse(first.text) };
  };
  return {
    url,
    call,
    post,
    [Symbol.asyncDispose]: async () => {
      await close();
      router.close();
    },
  };
}

/** Some write and some read of this platform, as find_tool names them to somebody who may use all. */
const writes = { query: 'create site', capability: 'write', top_k: 3 };

describe('over HTTP', () => {
  test('each principal finds and calls what it may, and nothing of another is taken', async () => {
    rmSync(path, { force: true });
    const editor = new PrincipalsEditor(path, configOf());
    const [ada, bob, reader, cut] = [
      editor.add('ada', {}),
      editor.add('bob', { metrics: true }),
      editor.add('reader', { capabilities: ['read'] }),
      editor.add('cut', { platforms: [], gates: [] }),
    ];
    await using router = await served();
    expect((await router.call(undefined, 'find_tool', writes)).status).toBe(401);
    expect((await router.call('x'.repeat(43), 'find_tool', writes)).status).toBe(401);

    const [write] = (await router.call(ada, 'find_tool', writes)).body;
    const [read] = (await router.call(ada, 'find_tool', { query: 'list sites', capability: 'read' })).body;
    expect(write.capability).toBe('write');
    expect((await router.call(reader, 'find_tool', writes)).body).toEqual([]);
    expect(
      (await router.call(cut, 'find_tool', { query: 'list sites', capability: 'read', platform: 'mgmt' })).body,
    ).toEqual([]);
    expect((await router.call(reader, 'invoke_tool', { name: write.name, arguments: {} })).body.code).toBe('forbidden');
    expect((await router.call(cut, 'invoke_read_tool', { name: read.name })).body.code).toBe('forbidden');
    expect((await router.call(ada, 'invoke_read_tool', { name: read.name })).body.code).toBeUndefined();

    const batch = { calls: [{ name: read.name }] };
    const refused = await router.call(cut, 'invoke_read_tool_batch', batch);
    expect(refused.body.results[0].refusal.code).toBe('forbidden');
    expect((await router.call(ada, 'invoke_read_tool_batch', batch)).body.ok).toBe(true);

    const tools = async (bearer: string) => {
      const { result } = await router.post(modernMessage('tools/list', {}, { bearer }));
      return (result?.['tools'] as { name: string }[] | undefined)?.map(({ name }) => name);
    };
    expect(await tools(ada)).toContain('invoke_tools_batch');
    expect(await tools(reader)).not.toContain('invoke_tools_batch');

    const metrics = (bearer: string) =>
      fetch(router.url.replace('/mcp', '/metrics'), { headers: { authorization: `Bearer ${bearer}` } });
    expect((await metrics(ada)).status).toBe(403);
    const text = await (await metrics(bob)).text();
    expect(text).toMatch(/svc_mcp_principal_calls_total\{principal="cut",outcome="forbidden"\} 2/);
  });

  test('a plan token and a cursor serve the principal that got them, whatever its bearer, and nobody else', async () => {
    rmSync(path, { force: true });
    const asks = { SVC_MCP_CONFIRMATION: 'token', SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: '1' };
    const editor = new PrincipalsEditor(path, configOf(asks));
    const [ada, bob, ungated] = [editor.add('ada', {}), editor.add('bob', {}), editor.add('ungated', { gates: [] })];
    await using router = await served(asks);
    const write = { name: 'radius-1', body: { 'auth-port': 1912 } };
    const update = async (bearer: string, more: object = {}) =>
      (await router.call(bearer, 'invoke_tool', { name: 'mgmt_update_auth_server', arguments: { ...write, ...more } }))
        .body;
    const { plan_token } = await update(ada);
    expect(plan_token).toEqual(expect.any(String));
    const apply = { dry_run: false, confirm: true, plan_token };
    expect((await update(ungated)).code).toBe('blocked');
    expect((await update(bob, apply)).code).toBe('plan_stale');
    expect((await update(ungated, apply)).code).toBe('blocked');
    const rotated = editor.rotate('ada', false);
    expect(await update(rotated, apply)).toMatchObject({ object: { 'auth-port': 1912 } });

    const list = async (bearer: string, more: object = {}) =>
      (await router.call(bearer, 'invoke_read_tool', { name: 'mgmt_list_auth_servers', ...more })).body;
    const { next_cursor: cursor } = await list(rotated);
    expect(cursor).toEqual(expect.any(String));
    expect((await list(bob, { cursor })).code).toBe('invalid_cursor');
    expect((await list(rotated, { cursor })).code).toBeUndefined();
  });

  test('without the right to approve the person at the client is not asked, and its yes does not count', async () => {
    rmSync(path, { force: true });
    const editor = new PrincipalsEditor(path, configOf());
    const [ada, mute] = [editor.add('ada', {}), editor.add('mute', { may_approve: false })];
    await using router = await served();
    const update = { name: 'mgmt_update_auth_server', arguments: { name: 'radius-1', body: { 'auth-port': 1913 } } };
    const applied = async (bearer: string) => {
      const client = modernClient(router.url, bearer);
      const { plan_token } = JSON.parse((await client.call('invoke_tool', update)).texts[0] ?? '{}');
      const args = { ...update.arguments, dry_run: false, confirm: true, plan_token };
      const { asked, texts } = await client.call('invoke_tool', { ...update, arguments: args }, 'accept');
      const { code, object } = JSON.parse(texts[0] ?? '{}');
      return { asked: asked.length, code, port: object?.['auth-port'] };
    };
    expect(await applied(mute)).toEqual({ asked: 0, code: 'confirmation_unavailable', port: undefined });
    expect(await applied(ada)).toEqual({ asked: 1, code: undefined, port: 1913 });
  });

  test('resolve_identifier asks the platforms of the principal alone', async () => {
    rmSync(path, { force: true });
    const editor = new PrincipalsEditor(path, configOf());
    const [ada, cut] = [editor.add('ada', {}), editor.add('cut', { platforms: [] })];
    await using router = await served();
    const [device] = (await router.call(ada, 'invoke_read_tool', { name: 'mgmt_list_devices' })).body.items;
    const resolve = async (bearer: string) => {
      const args = { identifier: device.serialNumber };
      const { body } = await router.call(bearer, 'invoke_read_tool', { name: 'resolve_identifier', arguments: args });
      return body;
    };
    const whole = await resolve(ada);
    expect(whole.matches.map(({ platform }: { platform: string }) => platform)).toContain('mgmt');
    const narrowed = await resolve(cut);
    expect(narrowed).toMatchObject({ matches: [], asked: [], api_calls_made: 0 });
  });

  test('a session of one principal does not exist for another', async () => {
    rmSync(path, { force: true });
    const editor = new PrincipalsEditor(path, configOf());
    const [ada, bob] = [editor.add('ada', {}), editor.add('bob', {})];
    await using router = await served();
    const send = (bearer: string, body: object, session?: string) =>
      fetch(router.url, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${bearer}`,
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const opened = await send(ada, { method: 'initialize', params });
    const session = opened.headers.get('mcp-session-id') as string;
    await opened.text();
    expect((await send(bob, { method: 'tools/list' }, session)).status).toBe(404);
    const rotated = editor.rotate('ada', false);
    expect((await send(ada, { method: 'tools/list' }, session)).status).toBe(401);
    expect((await send(rotated, { method: 'tools/list' }, session)).status).toBe(200);
  });

  test('a rotation, a removal and a broken file need no restart; the last good file stays and readyz says so', async () => {
    rmSync(path, { force: true });
    const editor = new PrincipalsEditor(path, configOf());
    const first = editor.add('ada', {});
    await using router = await served();
    const status = async (bearer: string) => (await router.call(bearer, 'find_tool', { query: 'list sites' })).status;
    const second = editor.rotate('ada', true);
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    const third = editor.rotate('ada', false);
    expect([await status(first), await status(second), await status(third)]).toEqual([401, 401, 200]);
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, 'principals:\n  - name: ada\n    colour: red\n');
    expect(await status(third)).toBe(200);
    const ready = async () =>
      ((await (await fetch(router.url.replace('/mcp', '/readyz'))).json()) as { detail: { principals_error?: string } })
        .detail;
    expect((await ready()).principals_error).toMatch(/principals\.yaml:\d+: `\/principals\/0\//);
    writeFileSync(path, good);
    expect((await ready()).principals_error).toBeUndefined();
    editor.remove('ada');
    expect(await status(third)).toBe(401);
  });
});

describe('a file is refused, with line and field', () => {
  const hash = hashOf('a'.repeat(43));
  const entry = (more: string, name = 'ada', hashed = hash) =>
    `  - name: ${name}\n    bearers: [${hashed}]\n    ${more}\n`;
  test.each([
    ['a profile wider than the server', entry('profile: full-read-write'), /:4: `\/principals\/0\/profile`/],
    ['a platform that is not served', entry('platforms: [mgmt, sse]'), /:4: `\/principals\/0\/platforms\/1`/],
    ['a gate that is closed', entry('gates: [SVC_MCP_NAC_WRITES]'), /:4: `\/principals\/0\/gates\/0`.*closed/],
    ['two with one hash', entry('') + entry('', 'bob'), /`\/principals\/1\/bearers\/0` should be the only one/],
    ['two of one name', entry('') + entry('', 'ada', hashOf('b'.repeat(43))), /`\/principals\/1\/name`/],
    ['more writes than an hour has', entry('max_writes_per_hour: 6'), /:4: `\/principals\/0\/max_writes_per_hour`.*=5/],
    ['an unknown field', entry('rights: all'), /`\/principals\/0\/rights` is not known/],
    ['a bearer that is no hash', entry('', 'ada', 'secret-bearer'), /`\/principals\/0\/bearers\/0`/],
    ['a name of the router', entry('', 'local'), /`\/principals\/0\/name`/],
    ['no YAML', '  - [', /should be YAML/],
  ])('%s', async (_, text, message) => {
    writeFileSync(path, `principals:\n${text}`, { mode: 0o600 });
    chmodSync(path, 0o600);
    const config = configOf({ SVC_MCP_WRITES_PER_HOUR: '5' });
    expect(() => readPrincipals(path, config)).toThrow(message);
    expect(() => readPrincipals(path, config)).not.toThrow(/secret-bearer/);
    await expect(openRouter(config, createLogger('silent'))).rejects.toThrow(message);
  });

  test('writes of a principal on a read-only server, a file that others may read, a router on stdio', () => {
    writeFileSync(path, `principals:\n${entry('capabilities: [read, write]')}`);
    chmodSync(path, 0o600);
    const readOnly = configOf({ SVC_MCP_READONLY: '1' });
    expect(() => readPrincipals(path, readOnly)).toThrow(/`\/principals\/0\/capabilities\/1`/);
    expect(readPrincipals(path, configOf())).toHaveLength(1);
    chmodSync(path, 0o644);
    expect(() => readPrincipals(path, configOf())).toThrow(/0600/);
    expect(() => configOf({ MCP_TRANSPORT: 'stdio' })).toThrow(/SVC_MCP_PRINCIPALS_PATH is set/);
  });
});
