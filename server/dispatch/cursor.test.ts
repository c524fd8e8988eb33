import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CursorOf, Cursors } from './cursor.ts';
import type { Refused } from './envelope.ts';
import { fixedKeys, KeyFile } from './keyring.ts';
import { startOf } from './read-start.ts';

const KEY = randomBytes(32);
const ARGUMENTS = { site: 'Ber lin', limit: 50 };
const SITES: CursorOf = { tool: 'mgmt_list_sites', arguments: ARGUMENTS, principal: 'local' };

test('every bit of a cursor counts, and it is short', () => {
  const cursors = new Cursors(fixedKeys(KEY), 900);
  const cursor = cursors.issue(SITES, 400);
  expect(cursor.length).toBeLessThanOrEqual(512);
  expect(cursors.read(cursor, { ...SITES, arguments: { limit: 50, site: 'Ber lin' } })).toEqual({ offset: 400 });
  const bytes = Buffer.from(cursor);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(cursors.read(flipped.toString('latin1'), SITES), `bit ${bit}`).toHaveProperty('reason');
  }
});

test('a cursor belongs to its tool, its arguments, who asked and its time', () => {
  let now = 1_000_000;
  const cursors = new Cursors(fixedKeys(KEY), 900, () => now);
  const cursor = cursors.issue(SITES, 400);
  expect(cursors.read(cursor, { ...SITES, tool: 'mgmt_list_aps' })).toHaveProperty('reason');
  expect(cursors.read(cursor, { ...SITES, arguments: { ...ARGUMENTS, limit: 51 } })).toHaveProperty('reason');
  expect(cursors.read(cursor, { ...SITES, principal: 'somebody-else' })).toHaveProperty('reason');
  now += 901_000;
  expect(cursors.read(cursor, SITES)).toMatchObject({
    reason: expect.stringContaining('expired'),
  });
});

test('a cursor survives a restart, as its key does, and no other key opens it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-cursor-'));
  const opened = () => new Cursors(KeyFile.openOrCreate(join(folder, 'keys')), 900);
  const cursor = opened().issue(SITES, 7);
  expect(opened().read(cursor, SITES)).toEqual({ offset: 7 });
  expect(new Cursors(fixedKeys(KEY), 900).read(cursor, SITES)).toHaveProperty('reason');
  rmSync(folder, { recursive: true });
});

test('a cursor of the platform in the place of one of the router is told where it goes', () => {
  const cursors = new Cursors(fixedKeys(randomBytes(32)), 60);
  const hintFor = (cursor: string, argument: string) => {
    const tool = { name: 'acme_list', platform: 'acme', list: { property: null }, parameters: [{ argument }] };
    const read = { call: { cursor, principal: 'local' }, tool, values: {} } as unknown as Parameters<typeof startOf>[0];
    return (startOf(read, cursors) as Refused).refusal.hint;
  };
  expect(hintFor('page-2', 'next')).toBe(
    'call again without a cursor; a cursor of the platform goes into arguments, as `next`',
  );
  expect(hintFor('page-2', 'offset')).toBe('call again without a cursor');
  const other = cursors.issue({ tool: 'acme_other', arguments: {}, principal: 'local' }, 1);
  expect(hintFor(other, 'next')).toBe('call again without a cursor');
});
