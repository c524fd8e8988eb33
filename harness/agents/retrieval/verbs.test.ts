/** What a sentence asks to do, and what a tool does. */
import { expect, test } from 'vitest';
import { operationVerbs, verbFit } from './verbs.ts';

test('what a run is of says what it does', () => {
  expect(verbFit('push the catalogue to the branch again', 'library_start_branch_resync', 'Start a resync.')).toBe(1);
  expect(verbFit('push the catalogue to the branch again', 'library_delete_branch', 'Delete a branch.')).toBe(-1);
});

test('"no longer" asks for nothing to be made longer', () => {
  expect(operationVerbs('readers should no longer wait')).not.toContain('extend');
});
