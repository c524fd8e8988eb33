import { writeFileSync } from 'node:fs';
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
