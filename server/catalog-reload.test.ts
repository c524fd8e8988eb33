/** A running router in direct mode serves the platforms that a user adds and removes, and tells its clients. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importDocument } from './import/import-document.ts';
import { definePlatform, removeUserPlatform, writeUserPlatform } from './import/user-platform.ts';
import { openCatalog } from './open-catalog.ts';
import { openRouter, type Router, type Served } from './router.ts';
import { createLogger } from './telemetry/logger.ts';
import { modernClient, modernMessage } from './test/support/modern-client.ts';
import { type SampleInstallation, sampleInstallation } from './test/support/sample-installation.ts';

const shop = (paths: string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.test' }],
  paths: Object.fromEntries(
    paths.map((path) => [path, { get: { summary: `Read ${path}`, responses: { 200: { description: 'ok' } } } }]),
  ),
});

let folder: string;
let installation: SampleInstallation;
let router: Router | undefined;
let served: Served | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-reload-'));
  installation = sampleInstallation();
});
afterEach(async () => {
  await served?.close();
  router?.close();
  router = undefined;
  served = undefined;
  installation[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const DIRECT = {
  SVC_MCP_ROUTER_MODE: 'direct',
  MCP_TRANSPORT: 'streamable-http',
  MCP_PORT: '0',
  SVC_MCP_SHOP_API_TOKEN: 'of-the-environment',
};
const config = () => installation.config(DIRECT);

async function add(paths: string[], build = true): Promise<void> {
  const file = join(folder, 'shop.json');
  writeFileSync(file, JSON.stringify(shop(paths)));
  const taken = await importDocument(file);
  writeUserPlatform(config().configDir, definePlatform({ name: 'shop' }, taken), taken);
  if (build) openCatalog(config()).catalog.close();
}

async function serve(): Promise<string> {
  router = await openRouter(config(), createLogger('silent'), { reread: config, lookEveryMs: 30 });
  served = await router.serveHttp();
  return served.url;
}

/** How often a client of the earlier revision was told, and the names that it then reads. */
async function sessionClient(url: string) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  let told = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    told += 1;
  });
  const shopTools = async () =>
    (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('shop_'));
  return { client, told: () => told, shopTools };
}

test('a platform that comes, changes and goes is listed without a restart, and a session is told each time', async () => {
  const { client, told, shopTools } = await sessionClient(await serve());
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
  expect(await shopTools()).toEqual([]);
  await add(['/orders']);
  await expect.poll(told).toBe(1);
  expect(await shopTools()).toEqual(['shop_get_orders']);
  await add(['/orders', '/customers']);
  await expect.poll(told).toBe(2);
  expect(await shopTools()).toEqual(['shop_get_customers', 'shop_get_orders']);
  removeUserPlatform(config().configDir, 'shop');
  openCatalog(config()).catalog.close();
  await expect.poll(told).toBe(3);
  expect(await shopTools()).toEqual([]);
  const gone = await client.callTool({ name: 'shop_get_orders', arguments: {} }).catch((error: Error) => error.message);
  expect(gone).toContain('Unknown tool: shop_get_orders');
  await client.close();
});

test('a client of 2026-07-28 that listens is told, and finds and calls the new tools', async () => {
  const url = await serve();
  const stream = await fetch(url, {
    method: 'POST',
    ...modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  });
  const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const listening = (async () => {
    while (!heard.includes('tools/list_changed')) heard += (await reader.read()).value ?? '';
  })();
  await expect.poll(() => heard).toContain('notifications/subscriptions/acknowledged');
  await add(['/orders']);
  await listening;
  await reader.cancel();
  const client = modernClient(url);
  const found = await client.call('find_tool', { query: 'shop_get_orders' });
  expect(found.texts[0]).toContain('shop_get_orders');
  // The account is that of the environment, and nothing answers at the address of the document.
  const { texts } = await client.call('shop_get_orders', {});
  expect(texts[0]).toMatch(/credentials_missing|upstream/);
});

test('files that no catalog was built of change nothing, and neither do settings that cannot be read', async () => {
  let broken = false;
  const reread = () => {
    if (broken) throw new Error('unreadable');
    return config();
  };
  router = await openRouter(config(), createLogger('silent'), { reread, lookEveryMs: 30 });
  const { digest } = router.catalog;
  await add(['/orders'], false);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(router.catalog.digest).toBe(digest);
  broken = true;
  openCatalog(config()).catalog.close();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(router.catalog.digest).toBe(digest);
  broken = false;
  await add(['/orders', '/customers']);
  await expect.poll(() => router?.catalog.digest).not.toBe(digest);
  expect(router.tools.map(({ definition }) => definition.name)).toContain('shop_get_customers');
});

test('the list of the other modes cannot change, so they announce nothing and find the new tools all the same', async () => {
  const minimal = () => installation.config({ ...DIRECT, SVC_MCP_ROUTER_MODE: 'minimal' });
  router = await openRouter(minimal(), createLogger('silent'), { reread: minimal, lookEveryMs: 30 });
  expect(router.listed.canChange).toBe(false);
  await add(['/orders']);
  await expect
    .poll(() => router?.finder.find({ query: 'shop_get_orders', topK: 1 }).hits[0]?.tool.name)
    .toBe('shop_get_orders');
});
