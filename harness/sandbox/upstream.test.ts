/** The harness's own connection to a subject: what it asks a server that lists its tools in pages. */
import { expect, test } from 'vitest';
import { connectStdio } from './upstream.ts';

/** A server over stdio with four tools on three pages. `last` is the cursor of the last page, which a sound server does not give. */
const paged = (last: string | undefined) => `
const pages = { start: [['a', 'b'], 'p2'], p2: [['c'], 'p3'], p3: [['d'], ${JSON.stringify(last)}] };
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const initialize = ({ protocolVersion }) =>
  ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'paged', version: '1' } });
const list = ({ cursor = 'start' }) => ({ tools: pages[cursor][0].map(tool), nextCursor: pages[cursor][1] });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? initialize(params) : list(params ?? {});
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

const connect = (last?: string) =>
  connectStdio({
    name: 'paged',
    file: process.execPath,
    args: ['-e', paged(last)],
    cwd: import.meta.dirname,
    env: {},
  });

test('the list of tools has those of every page', async () => {
  const upstream = await connect();
  const names = ((await upstream.listTools()) as { name: string }[]).map(({ name }) => name);
  await upstream.close();
  expect(names).toEqual(['a', 'b', 'c', 'd']);
});

test('a list that gives the same cursor again is refused as endless', async () => {
  const upstream = await connect('p3');
  await expect(upstream.listTools()).rejects.toMatchObject({ code: 'SERVER_LIST_ENDLESS' });
  await upstream.close();
});
