import { expect, test } from 'vitest';
import { difficultyOf, isStrange, withinGoals } from './question-difficulty.ts';
import type { Query } from './question-set.ts';

const query = (text: string, gold: string[], style = 'short'): Query => ({
  id: 'q',
  text,
  gold: [gold],
  part: 'published',
  platform: 'mgmt',
  wording: 'fuzzy',
  style,
  capability: 'read',
});

test.each([
  ['what is on fire right now?', ['mgmt_list_alerts'], true],
  ['show me the alert of today', ['mgmt_list_alerts'], false],
  ['which phones are here', ['mgmt_list_clients', 'mgmt_search_phones'], false],
  ['kick it off the network', ['mgmt_disconnect_client'], true],
  ['disconnecting this phone', ['mgmt_disconnect_client'], false],
])('"%s" and %j have no word in common: %s', (text, gold, strange) => {
  expect(isStrange(query(text, gold))).toBe(strange);
});

test('shares are of all questions, and a short ticket is none', () => {
  const long = 'Since noon the tills in the shop at Mill Lane lose their connection every few minutes';
  const difficulty = difficultyOf(
    [
      query('what is on fire?', ['mgmt_list_alerts']),
      query('list alerts', ['mgmt_list_alerts']),
      query(long, ['mgmt_list_alerts'], 'ticket'),
      query('tills are down', ['mgmt_list_alerts'], 'ticket'),
    ],
    0.61,
  );
  expect(difficulty).toEqual({ strangeWords: 0.75, tickets: 0.25, plainR1: 0.61 });
  expect(withinGoals(difficulty)).toEqual({ strangeWords: true, tickets: true, plainR1: false });
});
