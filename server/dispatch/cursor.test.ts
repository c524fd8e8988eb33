import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cursors } from './cursor.ts';
import { fixedKeys, KeyFile } from './keys.ts';

const KEY = randomBytes(32);
const ARGUMENTS = { site: 'Ber lin', limit: 50 };

test('every bit of a cursor counts, and it is short', () => {
  const cursors = new Cursors(fixedKeys(KEY), 900);
  const cursor = cursors.issue('mgmt_list_sites', ARGUMENTS, 400);
  expect(cursor.length).toBeLessThanOrEqual(512);
  expect(cursors.read(cursor, 'mgmt_list_sites', { limit: 50, site: 'Ber lin' })).toEqual({ offset: 400 });
  const bytes = Buffer.from(cursor);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(cursors.read(flipped.toString('latin1'), 'mgmt_list_sites', ARGUMENTS), `bit ${bit}`).toHaveProperty(
      'reason',
    );
  }
});

test('a cursor belongs to its tool, its arguments and its time', () => {
  let now = 1_000_000;
  const cursors = new Cursors(fixedKeys(KEY), 900, () => now);
  const cursor = cursors.issue('mgmt_list_sites', ARGUMENTS, 400);
  expect(cursors.read(cursor, 'mgmt_list_aps', ARGUMENTS)).toHaveProperty('reason');
  expect(cursors.read(cursor, 'mgmt_list_sites', { ...ARGUMENTS, limit: 51 })).toHaveProperty('reason');
  now += 901_000;
  expect(cursors.read(cursor, 'mgmt_list_sites', ARGUMENTS)).toMatchObject({
    reason: expect.stringContaining('expired'),
  });
});

test('a cursor survives a restart, as its key does, and no other key opens it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-cursor-'));
  const opened = () => new Cursors(KeyFile.openOrCreate(join(folder, 'keys')), 900);
  const cursor = opened().issue('mgmt_list_sites', ARGUMENTS, 7);
  expect(opened().read(cursor, 'mgmt_list_sites', ARGUMENTS)).toEqual({ offset: 7 });
  expect(new Cursors(fixedKeys(KEY), 900).read(cursor, 'mgmt_list_sites', ARGUMENTS)).toHaveProperty('reason');
  rmSync(folder, { recursive: true });
});
