/** A mutant is a file, and its edits match once. The gates that it must turn red are played by `mutant.slow.test.ts`. */
import { describe, expect, test } from 'vitest';
import { parseMutant, patched } from './mutant.ts';

describe('a mutant file', () => {
  test('is named after its file', () => {
    expect(() =>
      parseMutant(
        'name: other\nabout: something wrong\ngate: oracle\nedits: [{file: server/a.ts, search: x, replace: y}]',
        'one',
      ),
    ).toThrow(/`name` should be "one"/);
  });

  test('whose search text matches never or twice is refused', () => {
    const edit = { file: 'server/a.ts', search: 'x', replace: 'y' };
    expect(patched('axb', edit, 'm')).toBe('ayb');
    expect(() => patched('ab', edit, 'm')).toThrow(/match once in server\/a.ts, got 0 matches/);
    expect(() => patched('xx', edit, 'm')).toThrow(/got 2 matches/);
  });
});
