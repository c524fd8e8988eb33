/** Schemas as people write them: what is repaired, and what a call may hold afterwards. */
import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { taking } from '../test/support/malformed-documents.ts';

test.each([
  ['open', {}],
  ['closed', { additionalProperties: false }],
  ['closed with its parts', { unevaluatedProperties: false }],
  ['with a schema for all others', { additionalProperties: { type: 'integer' } }],
])(
  'names of a pattern that cannot be run are left to the platform, and the other fields are checked: %s',
  async (_, more) => {
    const patternProperties = { '^x-(?!internal)': { type: 'object' }, '^y-': { type: 'boolean' } };
    const body = { type: 'object', properties: { name: { type: 'string' } }, patternProperties, ...more };
    const api = await importedApi({ 'api.json': taking(body, { openapi: '3.1.0' }) });
    expect(api.findings).toEqual([
      expect.stringMatching(/schema the names "\^x-\(\?!internal\)" are left to the platform/),
    ]);
    expect(api.notes).toEqual([]);
    expect(api.problems('createThing', { body: { name: 'a', 'y-b': true, 'x-c': {} } })).toEqual([]);
    expect(api.problems('createThing', { body: { name: 1, 'y-b': 2 } })).toHaveLength(2);
  },
);
