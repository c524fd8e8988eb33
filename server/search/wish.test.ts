/** What a sentence wants done. */
import { describe, expect, test } from 'vitest';
import { wishOf } from './wish.ts';

describe('who wants to know something asks', () => {
  test.each([
    'Change managers want to know which switches are due for new firmware',
    'update meeting, the boss asked whether the tunnel holds',
    'Open space office wonders why calls drop',
  ])('%s', (sentence) => {
    expect(wishOf(sentence)).toMatchObject({ wish: 'read', question: true });
  });

  test('but not in an order', () => {
    expect(wishOf('Change the name of the site, the auditor asked why it is so long').wish).toBe('update');
    expect(wishOf('please delete that account, nobody asked who it belongs to').wish).toBe('delete');
  });
});
