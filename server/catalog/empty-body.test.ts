import { expect, test } from 'vitest';
import { bodyMayBeEmpty } from './empty-body.ts';

const DEFINITIONS = {
  Loose: { type: 'object', properties: { a: { type: 'string' } } },
  Strict: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
};

test.each([
  ['an object whose members are all optional', { type: 'object', properties: { a: {} } }, true],
  ['a reference to one', { $ref: '#/$defs/Loose' }, true],
  ['parts that are all such objects', { allOf: [{ $ref: '#/$defs/Loose' }, { type: 'object' }] }, true],
  ['an alternative that is one', { oneOf: [{ $ref: '#/$defs/Strict' }, { $ref: '#/$defs/Loose' }] }, true],
  ['an object with a required member', { $ref: '#/$defs/Strict' }, false],
  ['a part with a required member', { allOf: [{ $ref: '#/$defs/Loose' }, { $ref: '#/$defs/Strict' }] }, false],
  ['an object that needs one member of any name', { type: 'object', minProperties: 1 }, false],
  ['a list', { type: 'array', items: {} }, false],
  ['a text', { type: 'string' }, false],
  ['a schema that says nothing', {}, false],
])('%s: may the call leave the body out? %s', (_, body, expected) => {
  expect(bodyMayBeEmpty('POST', body, DEFINITIONS)).toBe(expected);
});

test.each(['PATCH', 'PUT'])('%s keeps its body: without one the caller forgot what to change', (method) => {
  expect(bodyMayBeEmpty(method, { type: 'object' }, {})).toBe(false);
});
