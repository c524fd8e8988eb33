import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceAtomically, writeAtomically, writeOnce } from './atomic-write.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-files-'));
  path = join(folder, 'a.json');
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('an atomic write', () => {
  test.each([true, false])('replaces a file and leaves nothing beside it, durable: %s', (durable) => {
    writeFileSync(path, 'before');
    writeAtomically(path, 'after', { durable });
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['after', ['a.json']]);
  });

  test('writes to a pipe, which stays one', () => {
    execFileSync('mkfifo', [path]);
    // Opened for both, so that neither side waits for the other.
    const pipe = openSync(path, 'r+');
    try {
      writeAtomically(path, 'passed on');
      const read = Buffer.alloc(32);
      expect(read.toString('utf8', 0, readSync(pipe, read))).toBe('passed on');
      expect([statSync(path).isFIFO(), readdirSync(folder)]).toEqual([true, ['a.json']]);
    } finally {
      closeSync(pipe);
    }
  });

  test('gives the mode that is asked for whatever the umask and the file before, 0600 by default', () => {
    writeFileSync(path, 'before', { mode: 0o666 });
    const before = process.umask(0o077);
    try {
      writeAtomically(path, 'private');
      expect(modeOf(path)).toBe(0o600);
      writeAtomically(path, 'for all', { mode: 0o644 });
      expect(modeOf(path)).toBe(0o644);
    } finally {
      process.umask(before);
    }
  });

  test('replaces a link and writes nothing through it', () => {
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'untouched');
    symlinkSync(elsewhere, path);
    writeAtomically(path, 'after');
    expect([readFileSync(elsewhere, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['untouched', 'after']);
  });

  test('that fails leaves the file as it was and no draft', () => {
    writeFileSync(path, 'before');
    const fill = (draft: string) => {
      writeFileSync(draft, 'half');
      throw new Error('the disk is full');
    };
    expect(() => replaceAtomically(path, fill)).toThrow('the disk is full');
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['before', ['a.json']]);
  });

  test('into a folder that is not there throws what the system says', () => {
    expect(() => writeAtomically(join(folder, 'none', 'a'), '')).toThrow(/ENOENT/);
  });
});

test('a file that is written once keeps its first content', () => {
  const file = join(folder, 'keys', 'a');
  writeOnce(file, 'first');
  writeOnce(file, 'second');
  expect([readFileSync(file, 'utf8'), modeOf(file), modeOf(join(folder, 'keys'))]).toEqual(['first', 0o600, 0o700]);
  expect(readdirSync(join(folder, 'keys'))).toEqual(['a']);
});
