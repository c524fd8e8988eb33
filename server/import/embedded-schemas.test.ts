/** References of OpenAPI 3.1 that are no pointers from the root of the document. */
import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { taking } from '../test/support/malformed-documents.ts';

const whole = { type: 'integer' };

test.each<[string, object, object]>([
  ['an anchor', { $ref: '#port' }, { Port: { $anchor: 'port', ...whole } }],
  ['a dynamic anchor', { $ref: '#port' }, { Port: { $dynamicAnchor: 'port', ...whole } }],
  ['an identifier', { $ref: 'https://net.test/port' }, { Port: { $id: 'https://net.test/port', ...whole } }],
  [
    'a part behind an identifier',
    { $ref: 'https://net.test/port#/$defs/Speed' },
    { Port: { $id: 'https://net.test/port', $defs: { Speed: whole } } },
  ],
  ['definitions beside it', { $ref: '#/$defs/Speed', $defs: { Speed: whole } }, {}],
  ['definitions around it', { allOf: [{ $ref: '#/definitions/Speed' }], definitions: { Speed: whole } }, {}],
])('a reference to %s is followed', async (_, field, schemas) => {
  const body = { type: 'object', properties: { field } };
  const api = await importedApi({ 'api.json': taking(body, { openapi: '3.1.0', components: { schemas } }) });
  expect(api.findings).toEqual([]);
  expect(api.problems('createThing', { body: { field: 1 } })).toEqual([]);
  expect(api.problems('createThing', { body: { field: 'a' } })).toEqual(['/body/field should be integer']);
});

test('one that two schemas have, or none, is any value', async () => {
  const properties = { a: { $ref: '#port' }, b: { $ref: '#/$defs/None' }, c: { $ref: 'https://net.test/none' } };
  const schemas = { A: { $anchor: 'port', ...whole }, B: { $anchor: 'port', type: 'string' } };
  const body = { type: 'object', properties };
  const api = await importedApi({ 'api.json': taking(body, { openapi: '3.1.0', components: { schemas } }) });
  expect(api.findings).toHaveLength(3);
  expect(api.problems('createThing', { body: { a: [], b: [], c: [] } })).toEqual([]);
});
