/** The list of every tool that a server has when it lists them: counted in tokens, before a campaign. */
import { cp, mkdtempDisposable, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokensOf } from '../recording/token-count.ts';
import { loadSubject, type Subject } from '../subject/subject.ts';
import { measureDirectListing } from './direct-listing.ts';

const root = join(import.meta.dirname, '..', '..');

describe('--direct-listing', () => {
  /** Lists a word as often as its environment says: what is counted depends on how it was started. */
  const LISTING = `
    const reply = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize')
        reply(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } });
      const names = (process.env.DIRECT + process.env.GATES).split('');
      if (method === 'tools/list')
        reply(id, { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
    });`;

  test('counts the list of the server when it lists everything, with closed and with open gates', async () => {
    const subject = {
      ...(await loadSubject('router')),
      command: ['node', '-e', LISTING],
      env: { DIRECT: 'a' },
      gate_env: { closed: { GATES: '' }, open: { GATES: 'xyz' } },
      direct_listing: { DIRECT: 'abcde' },
    } as Subject;
    delete (subject as { prepare?: unknown }).prepare;
    const list = (names: string) => [...names].map((name) => ({ name, inputSchema: { type: 'object' } }));
    expect(await measureDirectListing({ root, subject, cwd: root, platforms: [] })).toEqual({
      closed: tokensOf(list('abcde')),
      open: tokensOf(list('abcdexyz')),
    });
  });

  test('makes the documents before the server is prepared, as in a fresh clone there are none', async () => {
    await using clone = await mkdtempDisposable(join(tmpdir(), 'fresh-clone-'));
    // One platform's models are enough, and quick.
    const wanted = (path: string) => !/fake-api\/platforms\/(?!shared|analytics)/.test(path);
    for (const part of ['expand', 'platforms', 'atomic-write.ts'])
      await cp(join(root, 'fake-api', part), join(clone.path, 'fake-api', part), { recursive: true, filter: wanted });
    await cp(join(root, 'package.json'), join(clone.path, 'package.json'));
    await symlink(join(root, 'node_modules'), join(clone.path, 'node_modules'));
    const subject = {
      ...(await loadSubject('router')),
      prepare: ['node', '-e', "fs.readFileSync('var/openapi/analytics/questions.json')"],
      command: ['node', '-e', LISTING],
      env: { DIRECT: 'a' },
      direct_listing: { DIRECT: 'abcde', GATES: '' },
    } as Subject;
    const listing = { root: clone.path, subject, cwd: clone.path, platforms: [] };
    expect(await measureDirectListing(listing)).toEqual({ closed: expect.any(Number), open: expect.any(Number) });
  });

  test('counts nothing for a server that has no such setting', async () => {
    const { direct_listing: _, ...subject } = await loadSubject('router');
    expect(await measureDirectListing({ root, subject, cwd: root, platforms: [] })).toBeUndefined();
  });
});
