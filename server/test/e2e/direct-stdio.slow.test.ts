/** The router over stdio, read by the official client with its own limits: long lists, and answers that wait. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { ROOT } from '../support/child-process.ts';
import { shippedCatalog } from '../support/shipped-catalog.ts';

/** `STDIO_DEFAULT_MAX_BUFFER_SIZE` of the client: a longer message closes the connection. */
const CLIENT_BUFFER = 10 * 1024 * 1024;

test('every tool with its gate open comes in pages that the buffer of the client holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'direct-stdio-'));
  const client = new Client({ name: 'direct', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(ROOT, 'server/cli/router.mjs')],
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        SVC_MCP_ROUTER_MODE: 'direct',
        SVC_MCP_TOOLSETS: 'all',
        SVC_MCP_PRODUCTS: 'all',
        SVC_MCP_ACCESS_PROFILE: 'full-read-write',
      },
      stderr: 'ignore',
    }),
    { timeout: 120_000 },
  );
  const names: string[] = [];
  const bytes: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: 120_000 });
    names.push(...page.tools.map(({ name }) => name));
    bytes.push(Buffer.byteLength(JSON.stringify(page)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(8_000);
  expect(
    bytes.reduce((sum, each) => sum + each, 0),
    'one page would not do',
  ).toBeGreaterThan(CLIENT_BUFFER);
  expect(Math.max(...bytes)).toBeLessThan(CLIENT_BUFFER / 2);
  await expect(client.listTools({ cursor: 'odd' })).rejects.toThrow(/nextCursor of an earlier tools\/list/);
  expect((await client.callTool({ name: 'find_tool', arguments: { query: 'list sites' } })).isError).not.toBe(true);
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

test('answers that wait for a client leave nothing but the banner on stderr, which hosts show as trouble', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'direct-stdio-'));
  const router = spawn(process.execPath, [join(ROOT, 'server/cli/router.mjs')], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, SVC_MCP_CATALOG_DIR: shippedCatalog() },
  });
  let written = '';
  router.stderr.on('data', (chunk) => {
    written += chunk;
  });
  const send = (id: number, method: string, params: object) =>
    router.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'busy', version: '1' };
  send(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const questions = { query: 'list the wireless networks', top_k: 10, include_schema: true };
  for (let id = 1; id <= 60; id++) send(id, 'tools/call', { name: 'find_tool', arguments: questions });
  // Nobody reads yet: what does not fit into the pipe waits in the router.
  await expect.poll(() => written, { timeout: 60_000 }).toContain('on stdio');
  await setTimeout(5_000);
  const ids = new Set<number>();
  createInterface({ input: router.stdout }).on('line', (line) => ids.add(JSON.parse(line).id));
  await expect.poll(() => ids.size, { timeout: 60_000 }).toBe(61);
  expect(written.trim().split('\n')).toEqual([expect.stringContaining('on stdio')]);
  router.stdin.end();
  await once(router, 'exit');
  rmSync(folder, { recursive: true, force: true });
});
