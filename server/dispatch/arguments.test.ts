/** Arguments as callers send them: integers keep their digits, and no name has powers of its own. */
import { describe, expect, test } from 'vitest';
import { takeApart, takeOwn } from './arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    either: { type: ['integer', 'string'] },
    name: { type: 'string' },
    body: { type: 'object', properties: { port: { type: 'integer' } } },
  },
};
const LONG = '9007199254740993';

describe('an integer beyond what a number holds', () => {
  test('keeps its digits where a parameter gets them as text', () => {
    const taken = takeApart({ id: LONG, either: LONG }, SCHEMA);
    expect(taken).toEqual({ values: { id: Number(LONG), either: LONG }, controls: {}, digits: { id: LONG } });
    expect(takeApart({ id: '-12345678901234567890' }, SCHEMA)).toMatchObject({
      digits: { id: '-12345678901234567890' },
    });
    expect(takeApart({ id: '9007199254740991' }, SCHEMA)).toEqual({
      values: { id: Number.MAX_SAFE_INTEGER },
      controls: {},
    });
  });

  test.each([
    ['as a number', { id: Number(LONG) }, '/id'],
    ['as a number for a text', { name: Number(LONG) }, '/name'],
    ['in a body', { body: { rules: [{ port: 1e20 }] } }, '/body/rules/0/port'],
    ['in a body that is a text', { body: `{"a/b":${LONG}}` }, '/body/a~1b'],
  ])('is refused %s, because it may have been another one', (_, given, pointer) => {
    expect(takeApart(given, SCHEMA)).toMatchObject({ pointer, expected: expect.stringContaining('9007199254740991') });
  });

  test('is to be given as text only where a text would be taken', () => {
    const expectedOf = (given: Record<string, unknown>) => (takeApart(given, SCHEMA) as { expected: string }).expected;
    expect(expectedOf({ id: Number(LONG) })).toContain('its digits as text');
    expect(expectedOf({ body: { port: Number(LONG) } })).not.toContain('its digits as text');
  });

  test('is no reason to refuse a fraction, or digits that stay text', () => {
    const body = { ratio: 0.1, far: 1.5e300, id: LONG };
    expect(takeApart({ body }, SCHEMA)).toEqual({ values: { body }, controls: {} });
  });
});

test.each([
  ['as a parameter', '{"id":1e400}', '/id'],
  ['as a parameter that takes text', '{"name":-1e400}', '/name'],
  ['in a body', '{"body":{"rules":[{"size":1e400}]}}', '/body/rules/0/size'],
  ['in a body that is a text', '{"body":"{\\"size\\":1e400}"}', '/body/size'],
])('a number that is too large to arrive is refused %s: null would be sent', (_, json, pointer) => {
  expect(takeApart(JSON.parse(json), SCHEMA)).toEqual({
    pointer,
    expected: 'should be a number of at most 1.7976931348623157e+308: a larger one does not arrive',
    got: 'a larger one',
  });
});

test('an argument called __proto__ is one like any other: nothing is taken from it', () => {
  const taken = takeApart(JSON.parse('{"id":1,"__proto__":{"body":{"port":2}}}'), SCHEMA);
  const { values } = taken as { values: Record<string, unknown> };
  expect(values['body']).toBeUndefined();
  expect(Object.keys(values)).toEqual(['id', '__proto__']);
});

test("the router's own tools take arguments as those of the platforms are taken, and leave out what was not given", () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      arguments: { type: 'object' },
      cursor: { type: 'string' },
      top_k: { type: 'integer' },
    },
  };
  expect(takeOwn({ name: '', arguments: '{"id":"7"}', cursor: '', top_k: '3' }, schema)).toEqual({
    name: '',
    arguments: { id: '7' },
    top_k: 3,
  });
  expect(takeOwn({ name: 'a', arguments: null, cursor: null, top_k: null }, schema)).toEqual({ name: 'a' });
  expect(takeOwn({ name: 'a', arguments: 'id=7' }, schema)).toEqual({ name: 'a', arguments: 'id=7' });
});

test.each([
  ['a value', String.raw`{"alias":"\ud800x"}`],
  ['a name', String.raw`{"\ud800x":1}`],
])('a JSON text with half of a surrogate pair in %s stays text, which no body is', (_, body) => {
  expect(takeApart({ body }, SCHEMA)).toMatchObject({ values: { body } });
});
