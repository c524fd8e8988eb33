/** Errors as the system and SQLite make them, none of them made up. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { diskProblem, explainError } from '../errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

function failure(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('this should fail');
}

test('a full disk is said in one line, and what to do in another', () => {
  const full = failure(() => writeFileSync('/dev/full', 'x'));
  expect(explainError(full)).toBe(
    'RouterError DISK_UNUSABLE: a file of the catalog or of the state cannot be used (ENOSPC): the disk is full\n' +
      '  remedy: free space there, give this user the right to write there, or name another folder (SVC_MCP_CATALOG_DIR, SVC_MCP_STATE_DIR, TOKEN_CACHE_DIR)',
  );
});

test('so is a database that finds no room, and a folder that cannot be made', () => {
  using database = new DatabaseSync(join(folder, 'small.sqlite'));
  database.exec('PRAGMA max_page_count = 3; CREATE TABLE rows (text TEXT)');
  const full = failure(() => database.prepare('INSERT INTO rows VALUES (?)').run('x'.repeat(50_000)));
  expect(diskProblem(full)).toBe('a file of the catalog or of the state cannot be used (13): the disk is full');
  expect(diskProblem(failure(() => mkdirSync('/proc/none')))).toBe(
    '/proc/none cannot be used (ENOENT): the folder cannot be made',
  );
});

test('a file that is not there and an address that answers nothing are something else', async () => {
  expect(diskProblem(failure(() => readFileSync(join(folder, 'none'))))).toBeUndefined();
  const refused = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve));
  expect(diskProblem(refused)).toBeUndefined();
});
