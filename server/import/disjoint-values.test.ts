import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { taking } from '../test/support/malformed-documents.ts';
import { joinDisjointValues } from './disjoint-values.ts';

const listing = (...values: unknown[]) => ({ type: 'string', enum: values });
const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test.each([
  ['parts', { allOf: [listing('host', 'subnet', 'domain'), listing('peer')] }, ['host', 'peer']],
  ['parts that are references', { allOf: [at('Place'), at('Peer')] }, ['host', 'peer']],
  ['parts of parts', { allOf: [at('Target'), listing('any')] }, ['host', 'peer', 'any']],
  ['a part and the whole', { ...listing('peer'), allOf: [at('Place')] }, ['host', 'peer']],
])('values of %s that have none in common are taken, and no others', async (_, kind, values) => {
  const schemas = {
    Place: listing('host', 'subnet'),
    Peer: listing('peer'),
    Target: { allOf: [at('Place'), at('Peer')] },
  };
  const body = { type: 'object', properties: { kind, place: at('Place') } };
  const api = await importedApi({ 'api.json': taking(body, { components: { schemas } }) });
  const refused = (value: object) => api.problems('createThing', { body: value });
  expect(values.flatMap((value) => refused({ kind: value }))).toEqual([]);
  expect(refused({ kind: 'other' })).not.toEqual([]);
  expect(refused({ place: 'peer' }), 'a part that is used elsewhere stays as it is').not.toEqual([]);
});

test.each([
  { allOf: [listing('a', 'b'), listing('b', 'c')] },
  { allOf: [listing('a'), { description: 'a kind' }] },
  { allOf: [listing('a'), { type: 'string' }], description: 'a kind' },
])('%j stays as it is', (schema) => {
  const content = { components: { schemas: { A: schema } } };
  const before = structuredClone(content);
  joinDisjointValues(content);
  expect(content).toEqual(before);
});

test('parts that list no values stay, and parts that refer to each other end', () => {
  const A = { allOf: [listing('a'), listing('b'), { description: 'a kind' }, at('B')] };
  const content = { components: { schemas: { A, B: { allOf: [at('A')] } } } };
  joinDisjointValues(content);
  expect(content.components.schemas.A).toEqual({ enum: ['a', 'b'], allOf: [{ description: 'a kind' }] });
});
