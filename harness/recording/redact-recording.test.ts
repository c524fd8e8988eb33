/** A marker replaces a secret in any spelling, and the check for leaks finds the marker. */
import { expect, test } from 'vitest';
import { MARKER, redact } from './redact-recording.ts';

const SECRET = 'gX7/+kQ2"pé9-zT4';
const bytes = Buffer.from(SECRET);
const hex = bytes.toString('hex');

test.each([
  ['as it is', SECRET],
  ['as JSON escapes it', JSON.stringify(SECRET).slice(1, -1)],
  ['as an address escapes it', encodeURIComponent(SECRET)],
  ['base64', bytes.toString('base64')],
  ['base64 behind a name', Buffer.concat([Buffer.from('ab:'), bytes]).toString('base64')],
  ['base64 behind a longer name', Buffer.concat([Buffer.from('abcd:'), bytes]).toString('base64')],
  ['base64url', bytes.toString('base64url')],
  ['hexadecimal digits', hex],
  ['large hexadecimal digits', hex.toUpperCase()],
  ['each byte for an address', hex.replace(/../g, '%$&')],
  [
    'each letter for JSON',
    SECRET.replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
])('%s', (_, spelled) => {
  const { text, ...rest } = redact({ text: `before ${spelled} after`, [spelled]: 1 }, { token: SECRET });
  expect(text).toMatch(MARKER);
  expect(text.startsWith('before ') && text.endsWith(' after')).toBe(true);
  expect(text.length, 'no more of it is left than its neighbours share').toBeLessThan(
    'before «secret:token» after'.length + 12,
  );
  expect(Object.keys(rest).join()).toMatch(MARKER);
});

test('text that is no secret, or too short to be one, stays', () => {
  const value = { text: 'c2VjcmV0 736563726574', list: [1, null, 'abc'] };
  expect(redact(value, { token: SECRET, short: 'abc' })).toEqual(value);
});
