/**
 * The tools that a client of each mode sees. A tool called by its own name has the same guards as one called through a
 * dispatcher.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startFakeApi } from '#fake-api';
import { loadConfig } from '../config/config.ts';
import { ALWAYS_ON } from '../config/variables.ts';
import { openCatalog } from '../open-catalog.ts';
import { openRouter } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { findTool } from '../tools/public/find-tool.ts';
import { invokeReadTool } from '../tools/public/invoke-read-tool.ts';
import { invokeTool } from '../tools/public/invoke-tool.ts';
import { PUBLIC_NAMES, WRAPPER_NAMES } from '../tools/public/public-names.ts';
import { instructionsFor } from '../tools/public/surface.ts';
import { demoAccount } from './support/child-process.ts';
import { modernClient } from './support/modern-client.ts';
import { shippedCatalog } from './support/shipped-catalog.ts';

let fake: Awaited<ReturnType<typeof startFakeApi>>;
let folder: string;
beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'] });
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-modes-'));
});
afterAll(async () => {
  await fake?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function served(mode: string, variables: Record<string, string> = {}) {
  const config = loadConfig({
    env: {
      SVC_MCP_DOTENV: '0',
      MCP_TRANSPORT: 'streamable-http',
      MCP_PORT: '0',
      SVC_MCP_ROUTER_MODE: mode,
      SVC_MCP_TOOLSETS: 'mgmt,rag',
      ...demoAccount(`${fake.platforms['mgmt']}`),
      SOURCE_GLP_WORKSPACE: 'demo',
      CREDS_PATH: join(folder, 'none.yaml'),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      SVC_MCP_CATALOG_DIR: shippedCatalog(),
      SVC_MCP_CONFIG_DIR: join(folder, 'user'),
      SVC_MCP_RATE_PER_SECOND: '0',
      ...variables,
    },
    cwd: folder,
  });
  const router = await openRouter(config, createLogger('silent'));
  const { url, close } = await router.serveHttp();
  return {
    router,
    client: modernClient(url),
    [Symbol.asyncDispose]: async () => {
      await close();
      router.close();
    },
  };
}

interface Listed {
  name: string;
  annotations: Record<string, boolean>;
  inputSchema: { properties?: Record<string, unknown> };
}
const THREE = ['find_tool', 'invoke_read_tool', 'invoke_tool'];
const ROUTERS = ['invoke_read_tool_batch', 'invoke_tools_batch', 'plan_tool_workflow'];
const HINTS = ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint'];
const value = (texts: string[]) => JSON.parse(texts[0] ?? 'null');
async function writesSent(): Promise<string[]> {
  const { entries } = (await (await fetch(`${fake.control}/namespaces/default/ledger`)).json()) as {
    entries: { method: string; path: string; capability: string }[];
  };
  return entries
    .filter(({ capability }) => capability === 'write' || capability === 'destructive')
    .map(({ method, path }) => `${method} ${path}`);
}

describe('minimal', () => {
  test('with every platform on, list and instructions stay under 3,000 and 3,800 bytes', () => {
    const { platforms } = loadConfig({
      env: { SVC_MCP_DOTENV: '0', SVC_MCP_PRODUCTS: 'all', SVC_MCP_TOOLSETS: 'all' },
      cwd: folder,
    });
    expect(platforms).toHaveLength(10);
    // It searches and calls nothing: the list depends on the platforms alone.
    const none = undefined as never;
    const three = [findTool(none, platforms), invokeReadTool(none), invokeTool(none)];
    const bytes = Buffer.byteLength(JSON.stringify({ tools: three.map(({ definition }) => definition) }));
    expect(bytes).toBeLessThanOrEqual(3_000);
    const longest = loadConfig({ env: { SVC_MCP_DOTENV: '0', SVC_MCP_READONLY: '1' }, cwd: folder });
    expect(bytes + Buffer.byteLength(instructionsFor(longest))).toBeLessThanOrEqual(3_800);
  });

  test('three tools; batch and planning are found and run through them', async () => {
    await using minimal = await served('minimal');
    expect(((await minimal.client.list()) as unknown as Listed[]).map(({ name }) => name)).toEqual(THREE);
    for (const name of ROUTERS) {
      const found = value((await minimal.client.call('find_tool', { query: name, top_k: 1 })).texts);
      expect(found).toMatchObject([{ name, server: 'router' }]);
    }
    const read = { name: 'mgmt_list_sites', arguments: { limit: 1 } };
    const batch = await minimal.client.call('invoke_read_tool', {
      name: 'invoke_read_tool_batch',
      arguments: { calls: [read, read] },
    });
    expect(value(batch.texts)).toMatchObject({ ok: true, counts: { total: 2, succeeded: 2, failed: 0 } });
    const plan = await minimal.client.call('invoke_read_tool', {
      name: 'plan_tool_workflow',
      arguments: {
        steps: [
          { id: 'b', hint: 'delete a site', depends_on: ['a'] },
          { id: 'a', tool: 'mgmt_list_sites' },
        ],
      },
    });
    expect(value(plan.texts)).toMatchObject({
      ok: true,
      order: ['a', 'b'],
      steps: [{ tool: 'mgmt_list_sites' }, { tool: 'mgmt_delete_site', gate: 'closed' }],
    });
  });
});

test('an empty answer over a default build names the products whose write tools it left out', async () => {
  const variables = { SVC_MCP_PRODUCTS: 'sensors,nac', SVC_MCP_CATALOG_DIR: join(folder, 'default-build') };
  const env = { ...variables, SVC_MCP_CONFIG_DIR: join(folder, 'user') };
  openCatalog(loadConfig({ env, cwd: folder }), { products: ['nac', 'sensors'], complete: false }).catalog.close();
  await using router = await served('minimal', variables);
  const ask = async (args: object) => {
    const { texts } = await router.client.call('find_tool', args);
    return { hits: value(texts).length as number, notes: texts.slice(1).join('\n') };
  };
  const left = (ids: string) =>
    `Note: this catalog was built without the write tools of ${ids}; an operator adds them with svc-mcp-catalog build --complete-catalog.`;
  const create = { query: 'create a sensor', capability: 'write', platform: 'sensors' };
  expect(await ask(create)).toEqual({ hits: 0, notes: expect.stringContaining(left('sensors')) });
  const named = await ask({ schema_for: 'nac_create_an_endpoint' });
  expect(named).toEqual({ hits: 0, notes: expect.stringContaining(left('nac, sensors')) });
  const read = await ask({ query: 'list sensors', capability: 'read', platform: 'mgmt' });
  const none = await ask({ query: 'zzqqj', capability: 'read', platform: 'nac' });
  for (const { notes } of [read, none]) expect(notes).not.toContain('was built without');
  expect(none.hits).toBe(0);
  await using whole = await served('minimal', { SVC_MCP_PRODUCTS: 'sensors,nac' });
  const complete = await whole.client.call('find_tool', { ...create, query: 'zzqqj' });
  expect(complete.texts.join('\n')).not.toContain('was built without');
});

describe('default', () => {
  test('the three, batches, planning and ten reads, each with all four hints, sorted', async () => {
    await using standard = await served('default');
    const listed = (await standard.client.list()) as unknown as Listed[];
    expect(listed.map(({ name }) => name)).toEqual([...THREE, ...ROUTERS, ...WRAPPER_NAMES].sort());
    expect(WRAPPER_NAMES).toHaveLength(10);
    for (const { name, annotations } of listed) {
      expect(Object.keys(annotations).sort(), name).toEqual(HINTS);
      expect(annotations['readOnlyHint'], name).toBe(name !== 'invoke_tool' && name !== 'invoke_tools_batch');
      expect(annotations['destructiveHint'], name).toBe(name === 'invoke_tool' || name === 'invoke_tools_batch');
    }
  });

  test('every wrapper answers what its tool answers', async () => {
    await using standard = await served('default');
    const call = async (name: string, args: object = {}) => {
      const { isError, texts } = await standard.client.call(name, args);
      expect(isError, `${name}: ${texts[0]}`).toBe(false);
      return value(texts);
    };
    const sites = await call('list_sites', { limit: 2 });
    expect(sites.items).toHaveLength(2);
    const site = sites.items[0];
    const scope = site.scopeId ?? site['scope-id'] ?? site.id;
    expect(await call('get_site', { 'scope-id': `${scope}` })).toMatchObject(site.name ? { name: site.name } : {});
    const [device] = (await call('list_devices', { limit: 1 })).items;
    expect((await call('find_device', { text: device.serialNumber })).items).toEqual(
      expect.arrayContaining([expect.objectContaining({ serialNumber: device.serialNumber })]),
    );
    const [client] = (await call('list_clients', { limit: 1 })).items;
    expect((await call('find_client', { text: client.macAddress })).items).toEqual(
      expect.arrayContaining([expect.objectContaining({ macAddress: client.macAddress })]),
    );
    for (const name of ['list_alerts', 'list_wlans']) expect(await call(name)).toHaveProperty('items');
    const top = await call('list_scopes');
    const topId = top.scopeId ?? top['scope-id'] ?? top.id;
    expect(await call('list_scopes', { scope_id: `${topId}` })).toBeTypeOf('object');
    expect((await call('lookup_api', { query: 'GET /network-config/v1alpha1/sites' })).items[0].kind).toBe('endpoint');
    const wrong = await standard.client.call('find_device', { txt: 'a' });
    expect([wrong.isError, value(wrong.texts).code]).toEqual([true, 'invalid_arguments']);
  });
});

describe('a public name is the router’s', () => {
  const IMITATORS = {
    find: ['tool', 'client'],
    invoke: ['tool', 'read_tool', 'read_tool_batch'],
    list: ['sites'],
  };

  /** Platform files as somebody writes them by hand: `add` refuses these names. */
  function imitators(configDir: string, base: string): void {
    for (const [id, operations] of Object.entries(IMITATORS)) {
      mkdirSync(join(configDir, 'platforms', id), { recursive: true });
      const paths = Object.fromEntries(
        operations.map((operationId) => [`/${id}/${operationId}`, { get: { operationId, responses: {} } }]),
      );
      const text = JSON.stringify({ openapi: '3.0.3', info: { title: id, version: '1' }, paths });
      writeFileSync(join(configDir, 'platforms', id, 'api.json'), text);
      writeFileSync(
        join(configDir, 'platforms', `${id}.yaml`),
        stringify({
          id,
          title: id,
          kind: 'user',
          words: [id],
          documents: id,
          backends: {},
          base_url: base,
          auth: { strategy: 'none', section: id },
          gate: null,
          rate: { burst: 2 },
          overrides: {},
        }),
      );
    }
  }

  test.each(['minimal', 'default', 'direct'])('in %s mode, whatever a platform is called', async (mode) => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const configDir = mkdtempSync(join(folder, 'imitators-'));
    imitators(configDir, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const variables = { SVC_MCP_CONFIG_DIR: configDir, SVC_MCP_CATALOG_DIR: join(configDir, 'catalog') };
    {
      await using router = await served(mode, variables);
      const listed = (await router.client.list()) as unknown as Listed[];
      expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
      for (const name of listed.map(({ name }) => name).filter((name) => PUBLIC_NAMES.includes(name)))
        await router.client.call(name, { query: 'list sites', name: 'mgmt_list_sites' });
      for (const [id, operations] of Object.entries(IMITATORS))
        for (const operation of operations)
          expect(router.router.catalog.tool(`${id}_${operation}`)?.platform, operation).not.toBe(id);
      expect(seen).toEqual([]);
      // They are there, under names of their own.
      const { notes } = router.router.catalog.summary;
      expect(notes.filter((note) => note.includes('its name ends in a digest'))).toHaveLength(6);
      const [imitator] = router.router.catalog.wrapping('GET /find/tool');
      expect(imitator?.name).toMatch(/^find_tool_[0-9a-f]{8}$/);
      const answer = await router.client.call('invoke_read_tool', { name: imitator?.name, arguments: {} });
      expect([answer.isError, seen]).toEqual([false, ['GET /find/tool']]);
    }
    server.close();
  });

  test('every public tool of every mode has its name from the one list', async () => {
    for (const mode of ['minimal', 'default']) {
      await using router = await served(mode);
      const names = router.router.tools.map(({ definition }) => definition.name);
      expect(names.filter((name) => !PUBLIC_NAMES.includes(name) && !ROUTERS.includes(name))).toEqual([]);
    }
  });
});

describe('direct', () => {
  test('every enabled tool and no gated write; a write called by name is told why', async () => {
    await using direct = await served('direct');
    const listed = (await direct.client.list()) as unknown as Listed[];
    const names = new Set(listed.map(({ name }) => name));
    const { catalog } = direct.router;
    const expected = [...catalog.all()].filter(
      ({ tool }) =>
        (['mgmt', 'rag', ...ALWAYS_ON].includes(tool.platform) &&
          (tool.capability === 'read' || tool.capability === 'diagnostic')) ||
        tool.name === 'invoke_tools_batch',
    );
    expect(listed).toHaveLength(expected.length + THREE.length);
    expect(expected.filter(({ tool }) => !names.has(tool.name))).toEqual([]);
    for (const { name, annotations } of listed) expect(Object.keys(annotations).sort(), name).toEqual(HINTS);
    const refused = await direct.client.call('mgmt_delete_site', { 'scope-id': '1' });
    expect([refused.isError, value(refused.texts).code]).toEqual([true, 'blocked']);
    await expect(direct.client.call('mgmt_no_such_tool', {})).rejects.toThrow(/Unknown tool/);
    expect((await direct.client.call('mgmt_list_sites', { limit: 1 })).isError).toBe(false);
  });

  test('with the gate open writes are listed with their controls, and still need preview, token and approver', async () => {
    await using direct = await served('direct', { SVC_MCP_MGMT_WRITES: '1' });
    const listed = (await direct.client.list()) as unknown as Listed[];
    const remove = listed.find(({ name }) => name === 'mgmt_delete_site_collection') as Listed;
    expect(remove.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    });
    expect(Object.keys(remove.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(['dry_run', 'confirm', 'plan_token']),
    );
    const [item] = value((await direct.client.call('mgmt_list_site_collections', { limit: 1 })).texts).items;
    const args = { 'scope-id': `${item['scope-id'] ?? item.scopeId ?? item.id}` };
    const preview = value((await direct.client.call(remove.name, args)).texts);
    expect(preview).toMatchObject({ status: 'dry_run', contract: { capability: 'destructive' } });
    const apply = { ...args, dry_run: false, confirm: true, plan_token: preview.plan_token };
    const before = (await writesSent()).length;
    expect(value((await direct.client.call(remove.name, apply, 'decline')).texts).code).toBe('declined');
    expect((await writesSent()).length).toBe(before);
    const applied = await direct.client.call(remove.name, apply, 'accept');
    expect(applied.asked[0]).toContain('operation: DELETE');
    expect((await writesSent()).length).toBe(before + 1);
  });

  test('a long list goes on by page_cursor', async () => {
    await using direct = await served('direct', { SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: '1' });
    const first = value((await direct.client.call('mgmt_list_sites', {})).texts);
    const second = value((await direct.client.call('mgmt_list_sites', { page_cursor: first.next_cursor })).texts);
    expect(second._pagination.offset).toBe(1);
    expect(second.items).not.toEqual(first.items);
  });
});
