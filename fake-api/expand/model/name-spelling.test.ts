import { expect, it } from 'vitest';
import { pluralOf, singularOf } from './name-spelling.ts';

it.each([
  ['aliases', 'alias'],
  ['port-aliases', 'port-alias'],
  ['statuses', 'status'],
  ['addresses', 'address'],
  ['switches', 'switch'],
  ['boxes', 'box'],
  ['caches', 'cache'],
  ['releases', 'release'],
  ['cases', 'case'],
  ['policies', 'policy'],
  ['sites', 'site'],
  ['bus', 'bus'],
])('one of %s is %s', (many, one) => {
  expect(singularOf(many)).toBe(one);
});

it.each([
  ['alias', 'aliases'],
  ['policy', 'policies'],
  ['switch', 'switches'],
  ['site', 'sites'],
])('many of %s are %s', (one, many) => {
  expect(pluralOf(one)).toBe(many);
});
