import { describe, expect, test } from 'vitest';
import { redact } from '../recording/redact-recording.ts';
import { answerElicitation } from '../sandbox/scenario-approver.ts';
import { isCallOf, isExactly, isForbiddenBy } from './path-pattern.ts';

const entry = (method: string, path: string, template: string | null = null) => ({ method, path, template });

describe('calls and patterns', () => {
  test.each([
    ['DELETE /**', 'DELETE', '/a', true],
    ['DELETE /**', 'GET', '/a', false],
    ['* /a/*', 'PUT', '/a/b', true],
    ['* /a/*', 'PUT', '/a/b/c', false],
    ['* /a/*', 'PUT', '/a', false],
    ['* /a/**', 'PUT', '/a/b/c', true],
    ['* /a/**', 'PUT', '/a', false],
    ['POST /a/{id}/reboot', 'POST', '/a/7/reboot', true],
    ['POST /a/x%20y', 'POST', '/a/x y', true],
  ])('%s against %s %s is %s', (pattern, method, path, expected) => {
    expect(isForbiddenBy(entry(method, path), pattern)).toBe(expected);
  });

  test('an expected call matches by template whatever its parameters are called', () => {
    expect(isCallOf(entry('GET', '/a/7', '/a/{id}'), 'GET /a/{name}')).toBe(true);
    expect(isCallOf(entry('GET', '/a/7', '/a/{id}'), 'GET /a/7')).toBe(true);
    expect(isCallOf(entry('GET', '/a/8', '/a/{id}'), 'GET /a/7')).toBe(false);
    expect(isCallOf(entry('PUT', '/a/7', '/a/{id}'), 'GET /a/{id}')).toBe(false);
    expect(isExactly(entry('GET', '/a/x%20y'), 'GET /a/x y')).toBe(true);
  });
});

describe('the person', () => {
  const ask = (object: string) =>
    `Replace the guest password?\nIt cuts 40 clients off.\nobject: ${object}\noperation: PATCH /wlans/{ssid}`;

  test('accepts exactly what the scenario approves', () => {
    expect(answerElicitation(ask('PATCH /wlans/guest'), ['PATCH /wlans/guest'])).toEqual({
      action: 'accept',
      content: { confirm: true },
    });
  });

  test.each([
    ['another object', ask('PATCH /wlans/staff')],
    ['another operation', ask('DELETE /wlans/guest')],
    ['a question that names no object', 'Is it fine to go on? PATCH /wlans/guest'],
    ['an object hidden inside a line', 'hello object: PATCH /wlans/guest'],
  ])('declines %s', (_name, message) => {
    expect(answerElicitation(message, ['PATCH /wlans/guest'])).toEqual({ action: 'decline' });
  });
});

test('secrets leave a marker behind, in text and keys, in every depth', () => {
  const secrets = { psk: 'harrier-1234', short: 'abc' };
  expect(redact({ a: ['x harrier-1234 y'], 'harrier-1234': { n: 1, short: 'abc' } }, secrets)).toEqual({
    a: ['x «secret:psk» y'],
    '«secret:psk»': { n: 1, short: 'abc' },
  });
});
