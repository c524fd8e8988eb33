/** The harness's own connection to a subject: what it asks a server that lists its tools in pages. */
import { expect, test } from 'vitest';
import { type Looked, revisionNotes } from '../try/spoken-revisions.ts';
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

test('says in which revision the server answered', async () => {
  const answers = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;
  const upstream = await connectStdio({
    name: 'old',
    file: process.execPath,
    args: ['-e', answers],
    cwd: import.meta.dirname,
    env: {},
  });
  await upstream.close();
  expect(upstream.revision).toBe('2025-06-18');
  const looked = { revision: '2025-11-25', answered: upstream.revision } as Looked;
  expect(revisionNotes({ looked: [looked, { ...looked, answered: '2025-11-25' }], unspoken: [] })).toEqual([
    { measure: 'revision 2025-11-25', reason: 'the server answered with 2025-06-18, and was played in that' },
  ]);
});
