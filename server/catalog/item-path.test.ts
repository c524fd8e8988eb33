import { expect, test } from 'vitest';
import { collectionOf, isItemPath } from './item-path.ts';

test.each([
  ['/sites', false, '/sites'],
  ['/sites/', false, '/sites/'],
  ['/sites/{id}', true, '/sites'],
  ['/sites/{id}/', true, '/sites/'],
  ['/sites/{id}.json', true, '/sites.json'],
  ["/Sites('{id}')", true, "/Sites('{id}')"],
  ['/sites/{id}/reboot/', false, '/sites/{id}/reboot/'],
  ['/sites/{id}.{format}', true, '/sites/{id}.{format}'],
  ['/sites.{format}', false, '/sites.{format}'],
  ['/sites/pending{mediaTypeExtension}', false, '/sites/pending{mediaTypeExtension}'],
  ['/', false, '/'],
])('%s: one object %s, in %s', (path, isItem, collection) => {
  expect([isItemPath(path), collectionOf(path)]).toEqual([isItem, collection]);
});
