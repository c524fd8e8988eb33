/** A tool that is in the catalog can be called: a validator is made of its schema, and answers. */
import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { taking } from '../test/support/malformed-documents.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

function apiTaking(schema: object, schemas: object = {}) {
  return importedApi({ 'api.json': taking(schema, { openapi: '3.1.0', components: { schemas } }) });
}

test.each([
  ['id', { id: 'Pet' }],
  ['$id', { $id: 'https://odd.test/pet' }],
  ['$async', { $async: true }],
  ['$anchor', { $anchor: 'pet' }],
  ['$dynamicAnchor', { $dynamicAnchor: 'pet' }],
  ['$recursiveAnchor', { $recursiveAnchor: true }],
  ['$recursiveRef', { properties: { a: { $recursiveRef: '#' } } }],
  ['$vocabulary', { $vocabulary: { 'https://odd.test/v': true } }],
  ['definitions', { definitions: { Part: { $id: '#part', $ref: '#/nowhere' } } }],
  ['a limit of a format', { properties: { a: { formatMinimum: 5, format: 'date' } } }],
])('a schema with %s checks what else it says', async (_, keywords) => {
  const Pet = { type: 'object', properties: { name: text }, ...keywords };
  const api = await apiTaking({ properties: { first: ref('Pet'), second: ref('Pet') } }, { Pet });
  expect(api.problems('createThing', { body: { first: { name: 'a', a: '2026-11-27' }, second: {} } })).toEqual([]);
  if ('properties' in keywords) return;
  expect(api.problems('createThing', { body: { second: { name: 1 } } })).toEqual([
    '/body/second/name should be string',
  ]);
});

test('a dynamic reference is followed where one schema has its anchor, and left to the platform where two have', async () => {
  const tree = { $dynamicAnchor: 'node', properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } } } };
  const Tree = { type: 'object', ...tree, required: ['kids'] };
  const one = await apiTaking(ref('Tree'), { Tree });
  expect(one.findings).toEqual([]);
  expect(one.problems('createThing', { body: { kids: [{ kids: [] }] } })).toEqual([]);
  expect(one.problems('createThing', { body: { kids: [{}] } })).toHaveLength(1);
  const two = await apiTaking(ref('Tree'), { Tree, Other: { $dynamicAnchor: 'node' } });
  expect(two.findings).toEqual([
    '/components/schemas/Tree/properties/kids/items $dynamicRef "#node" does not name one schema of the document: taken as any value',
  ]);
  expect(two.problems('createThing', { body: { kids: [{}] } })).toEqual([]);
});

test('dependencies of a field are checked, whether they are names or a schema behind a reference', async () => {
  const dependencies = { a: ref('WithB'), c: ['d'] };
  const api = await apiTaking({ type: 'object', dependencies }, { WithB: { required: ['b'] } });
  expect(api.problems('createThing', { body: { a: 1, b: 2, c: 3, d: 4 } })).toEqual([]);
  expect(api.problems('createThing', { body: { a: 1 } })).toHaveLength(1);
  expect(api.problems('createThing', { body: { c: 1 } })).toHaveLength(1);
});
