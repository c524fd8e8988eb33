import { expect, test } from 'vitest';
import { parseBody } from './body.ts';

const json = (text: string) => parseBody(text, 'application/json');

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['[-12345678901234567890,1]', ['-12345678901234567890', 1]],
  ['{"id":9007199254740991,"ratio":0.1234567890123456}', { id: 9007199254740991, ratio: 0.1234567890123456 }],
  ['{"far":1e400,"text":"9007199254740993"}', { far: Number.POSITIVE_INFINITY, text: '9007199254740993' }],
])('%s keeps every digit of an integer', (text, value) => {
  expect(json(text)).toEqual(value);
});

test('what is not JSON stays text, and nothing stays nothing', () => {
  expect(json('{"half":')).toBe('{"half":');
  expect(parseBody('up 3 days', 'text/plain')).toBe('up 3 days');
  expect(json('')).toBeUndefined();
});
