import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('makes the folders above it, for this user alone, and leaves one that exists', () => {
  const path = join(folder, 'a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test('a file in its place or above it is an error of the system', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR');
});

test.skipIf(!existsSync('/proc/self'))('where no folder can be made, it ends', () => {
  expect(() => makeFolder('/proc/none/below')).toThrow(/ENOENT|EACCES|EPERM/);
});

test('no file of the router makes folders above another one by itself', () => {
  const root = join(import.meta.dirname, '..');
  const own = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/(^|\/)test\/|\.(test|bench)\.ts$/.test(name),
  );
  expect(own.length).toBeGreaterThan(100);
  const makes = own.filter((name) => /mkdirSync\([^;]*recursive/.test(readFileSync(join(root, name), 'utf8')));
  expect(makes).toEqual([]);
});
