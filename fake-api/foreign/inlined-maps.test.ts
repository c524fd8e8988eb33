import { expect, test } from 'vitest';
import { inlineMaps } from './inlined-maps.ts';

test('a document that its references make larger without end is refused', () => {
  const paths = { '/a': { $ref: '#/paths' }, '/b': { 'x-large': 'x'.repeat(2 ** 26) } };
  expect(() => inlineMaps({ openapi: '3.1.0', paths })).toThrow('larger than 64 MiB');
});
