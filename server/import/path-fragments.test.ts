import { expect, test } from 'vitest';
import { cutFragments } from './path-fragments.ts';

const key = { name: 'tagKeys', in: 'query', required: true };

test('an operation behind a fragment is that of the path where nothing else is', () => {
  const content = {
    paths: {
      '/tags/{id}': { get: { operationId: 'list' } },
      '/tags/{id}#tagKeys': { parameters: [key], delete: { operationId: 'untag', parameters: [{ name: 'x' }] } },
      '/new#a': { post: {} },
    },
  };
  cutFragments(content);
  expect(content.paths).toEqual({
    '/tags/{id}': { get: { operationId: 'list' }, delete: { operationId: 'untag', parameters: [key, { name: 'x' }] } },
    '/new': { post: {} },
  });
});

test('operations that share a path stay behind their fragments, for the catalog to decide', () => {
  const paths = {
    '/#Target=A': { post: {} },
    '/#Target=B': { post: {} },
    '/a': { get: {} },
    '/a#b': { get: {} },
    '#c': { get: {} },
    '/n#': null,
  };
  const content = { paths: structuredClone(paths) };
  cutFragments(content);
  expect(content.paths).toEqual(paths);
});
