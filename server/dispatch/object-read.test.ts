import { expect, test } from 'vitest';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { callOf } from './object-read.ts';

const inQuery = (name: string, required: boolean) => ({
  argument: name,
  name,
  in: 'query' as const,
  required,
  style: 'form',
  explode: true,
});
const list = toolOf({
  name: 'mgmt_list_assignments',
  path: '/assignments',
  parameters: [inQuery('scope', true), inQuery('role', false)],
}).tool;

test.each([
  ['an argument of the call', { scope: 'hq' }, { scope: 'hq' }],
  ['a field of the body, and no filter that nobody asked for', { body: { scope: 'hq', role: 'x' } }, { scope: 'hq' }],
  ['a field on which all entries agree', { body: [{ scope: 'hq', role: 'a' }, { scope: 'hq' }] }, { scope: 'hq' }],
])('the call that reads back has %s', (_, values, args) => {
  expect(callOf(list, values)).toEqual({ tool: 'mgmt_list_assignments', arguments: args });
});

test.each([
  ['nothing says', {}],
  ['the entries differ', { body: [{ scope: 'hq' }, { scope: 'depot' }] }],
  ['the field is no plain value', { body: { scope: { id: 1 } } }],
])('no call is named that lacks a required argument: %s', (_, values) => {
  expect(callOf(list, values)).toBeUndefined();
});

test('no secret of a body becomes an argument', () => {
  const { tool } = toolOf({ name: 'mgmt_list_keys', path: '/keys', parameters: [inQuery('password', true)] });
  expect(callOf(tool, { body: { password: 'n0t-to-be-seen' } })).toBeUndefined();
});
