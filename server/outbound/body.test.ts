import { expect, test } from 'vitest';
import { readBody, within } from './body.ts';

const json = (text: string) => readBody(text, 'application/json; charset=utf-8');

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['[-12345678901234567890,1]', ['-12345678901234567890', 1]],
  ['{"id":9007199254740991,"ratio":0.1234567890123456}', { id: 9007199254740991, ratio: 0.1234567890123456 }],
  ['{"far":1e400,"text":"9007199254740993"}', { far: Number.POSITIVE_INFINITY, text: '9007199254740993' }],
])('%s keeps every digit of an integer', (text, value) => {
  expect(json(text)).toEqual({ value });
});

test('what does not say it is JSON stays text, and nothing stays nothing', () => {
  expect(readBody('{"half":', 'text/plain')).toEqual({ value: '{"half":' });
  expect(readBody('{"whole":1}', 'text/plain')).toEqual({ value: { whole: 1 } });
  expect(readBody('up 3 days', 'text/plain')).toEqual({ value: 'up 3 days' });
  expect(readBody('<p>rendered</p>', 'text/html')).toEqual({ value: '<p>rendered</p>' });
  for (const nothing of ['', '\r\n']) expect(json(nothing)).toEqual({ value: undefined });
});

test('JSON that is none and a page for people are no answers', () => {
  expect(json('{"half":')).toEqual({ wrong: 'text that is no JSON' });
  expect(json('<html></html>')).toEqual({ wrong: 'text that is no JSON' });
  expect(readBody('\n<!DOCTYPE HTML><title>Log in', 'text/html')).toEqual({ wrong: 'a page of HTML' });
  expect(readBody('<html lang="en">', '')).toEqual({ wrong: 'a page of HTML' });
  expect(readBody('<html lang="en">', 'text/html', 'application/xml')).toEqual({ wrong: 'a page of HTML' });
});

test('a page is the answer of an operation that answers with nothing but HTML', () => {
  expect(readBody('<html lang="en">', 'text/html', 'text/html')).toEqual({ value: '<html lang="en">' });
});

test('work that a cancelled call no longer waits for may fail without ending the process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const refused = Promise.reject(new Error('the login was refused'));
  await expect(within(refused, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
