import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeError } from './harness-errors.ts';

test('a full disk is said in one line, and what to do in another', () => {
  let full: unknown;
  try {
    writeFileSync('/dev/full', 'x');
  } catch (error) {
    full = error;
  }
  expect(describeError(full)).toEqual({
    exit: 3,
    text: 'DISK_UNUSABLE: a file cannot be used (ENOSPC): the disk is full\n  remedy: free space there, give this user the right to write there, or name another folder with --out',
  });
});

test.each([
  [
    'a file in the place of a folder',
    () => mkdirSync(import.meta.filename, { recursive: true }),
    'a file is where a folder has to be',
  ],
  ['a folder in the place of a file', () => writeFileSync(import.meta.dirname, 'x'), 'it is a folder'],
])('%s is said without a stack', (_, write, why) => {
  let error: unknown;
  try {
    write();
  } catch (thrown) {
    error = thrown;
  }
  expect(describeError(error)).toEqual({
    exit: 3,
    text: expect.stringMatching(`^DISK_UNUSABLE: .*: ${why}\n  remedy: `),
  });
});
