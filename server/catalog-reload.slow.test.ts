/** A router as a client starts it, over stdio in direct mode, beside the command that adds a platform. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { ROOT } from './test/support/child-process.ts';

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.test' }],
  paths: { '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'ok' } } } } },
};

test('over stdio, `catalog add` of another process reaches the client of a router that runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-reload-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    SVC_MCP_DOTENV: '0',
    SVC_MCP_ROUTER_MODE: 'direct',
    SVC_MCP_TOOLSETS: 'mgmt',
    SVC_MCP_CONFIG_DIR: join(folder, 'config'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    CREDS_PATH: join(folder, 'none.yaml'),
  };
  const cli = (name: string) => join(ROOT, 'server', 'cli', name);
  const client = new Client({ name: 'test', version: '1' });
  let told = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    told += 1;
  });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli('router.mjs')],
      env,
      cwd: folder,
      stderr: 'ignore',
    }),
  );
  try {
    const file = join(folder, 'shop.json');
    writeFileSync(file, JSON.stringify(SHOP));
    await promisify(execFile)(process.execPath, [cli('catalog.mjs'), 'add', file, '--platform', 'shop'], {
      env,
      cwd: folder,
    });
    await expect.poll(() => told).toBe(1);
    const names: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(names.filter((name) => name.startsWith('shop_'))).toEqual(['shop_get_orders']);
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
