import { expect, test } from 'vitest';
import { joinFiles } from './joined-files.ts';

test('a document that its references make larger without end is refused', async () => {
  const paths = { '/a': { $ref: '#/paths' }, '/b': { 'x-large': 'x'.repeat(2 ** 26) } };
  const joined = joinFiles({ paths }, import.meta.filename, JSON.parse, (root) => root['paths']);
  await expect(joined).rejects.toThrow('larger than 64 MiB');
});
