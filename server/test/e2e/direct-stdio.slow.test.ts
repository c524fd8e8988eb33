/** Direct mode with everything that there is, over stdio, read by the official client with its own limits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { ROOT } from '../support/child-process.ts';

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
