/** What a question without a known verb wants, by the groups of operations that it is likely about. */
import { expect, test } from 'vitest';
import { withLikelyIntent } from './group-scores.ts';
import { readQuestion } from './search-question.ts';

const wantedOf = (text: string, changes: number | undefined) => withLikelyIntent(readQuestion(text, {}), changes);

test('a phrase on no known verb is an order where nearly all that it may be about changes something', () => {
  expect(wantedOf('hide SSID broadcast of a WLAN', 0.95)).toMatchObject({ intent: 'write', question: false });
  expect(wantedOf('hide SSID broadcast of a WLAN', 0.6)).toMatchObject({ intent: undefined, question: false });
  expect(wantedOf('hide SSID broadcast of a WLAN', 0.4).intent).toBe('read');
});

test('a bare plural names things, whatever is known about them', () => {
  expect(wantedOf('offline access points', 0.95).intent).toBe('read');
});

test('a statement that may want anything wants what most of the groups do', () => {
  expect(wantedOf('the scanner must not be punished any longer', 0.6).intent).toBe('write');
  expect(wantedOf('the scanner must not be punished any longer', 0.4).intent).toBe('read');
});

test('a known verb, and a question no group is known for, stay as they are', () => {
  for (const [text, changes] of [
    ['list the access points', 0.95],
    ['delete the site', 0.05],
    ['hide SSID broadcast of a WLAN', undefined],
  ] as const)
    expect(wantedOf(text, changes)).toEqual(readQuestion(text, {}));
});
