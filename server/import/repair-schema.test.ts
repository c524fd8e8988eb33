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

const text = { type: 'string' };

test.each([
  ['a description left empty', { ...text, description: null }],
  ['a number as its title', { ...text, title: 200 }],
  ['a format left empty', { ...text, format: null }],
  ['a mark in quotes', { ...text, deprecated: 'true', writeOnly: 'false' }],
  ['a mark left empty', { ...text, deprecated: null }],
  ['a type stated twice', { type: ['string', 'string'] }],
  ['a comment that is no text', { ...text, $comment: 5 }],
])('%s changes nothing of what a schema says', async (_, field) => {
  const api = await importedApi({ 'api.json': taking({ type: 'object', properties: { field } }) });
  expect([api.findings, api.setAside]).toEqual([[], []]);
  expect(api.problems('createThing', { body: { field: 'a' } })).toEqual([]);
  expect(api.problems('createThing', { body: { field: 5 } })).toHaveLength(1);
});

test.each([
  ['uniqueItems in quotes', { type: 'array', uniqueItems: 'true' }, ['a', 'a']],
  ['an excluded limit in quotes', { type: 'integer', minimum: 1, exclusiveMinimum: 'true' }, 1],
])('%s is checked as it is meant', async (_, field, wrong) => {
  const api = await importedApi({ 'api.json': taking({ type: 'object', properties: { field } }) });
  expect(api.findings).toEqual([]);
  expect(api.problems('createThing', { body: { field: wrong } })).toHaveLength(1);
});

test.each([
  ['minLength -1', { ...text, minLength: -1 }],
  ['maxItems 1.5', { ...text, maxItems: 1.5 }],
  ['multipleOf 0', { ...text, multipleOf: 0 }],
  ['format 5', { ...text, format: 5 }],
  ['description {}', { ...text, description: {} }],
  ['dependentRequired {"a":"b"}', { ...text, dependentRequired: { a: 'b' } }],
])('%s is left out with a finding, and the rest of the schema is checked', async (stated, field) => {
  const api = await importedApi({ 'api.json': taking({ type: 'object', properties: { field } }) });
  expect(api.findings).toEqual([expect.stringContaining(`/properties/field ${stated} should be`)]);
  expect(api.problems('createThing', { body: { field: '' } })).toEqual([]);
  expect(api.problems('createThing', { body: { field: 5 } })).toHaveLength(1);
});

test('a name that is required twice is required', async () => {
  const dependentRequired = { a: ['b', 'b'] };
  const body = { type: 'object', required: ['a', 'a'], dependentRequired };
  const api = await importedApi({ 'api.json': taking(body) });
  expect(api.problems('createThing', { body: { a: 1, b: 2 } })).toEqual([]);
  expect(api.problems('createThing', { body: { a: 1 } })).toHaveLength(1);
});

test('flags that YAML 1.1 writes as yes and no, and those in quotes, count', async () => {
  const api = await importedApi({
    'api.yaml': `openapi: 3.0.3
paths:
  /a:
    post:
      parameters:
        - {name: ids, in: query, required: yes, explode: no, schema: {type: array, items: {type: string}}}
      requestBody:
        required: "true"
        content:
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {id: {type: string, readOnly: Yes}, tags: {type: array, items: {type: string}}}}
            encoding: {tags: {explode: off}}
      responses: {200: {description: done}}
`,
  });
  expect(api.problems('POST /a', {})).toEqual(['/ids is required']);
  expect(api.tools[0]?.body?.required).toBe(true);
  expect(Object.keys(api.schemaOf('POST /a')['properties'] as object)).toEqual(['ids', 'body']);
  const { query, payload } = api.request('POST /a', { ids: ['a', 'b'], body: { tags: ['c', 'd'] } });
  expect([query, payload?.text]).toEqual(['ids=a,b', 'tags=c,d']);
  expect(JSON.stringify(api.schemaOf('POST /a'))).not.toContain('"id"');
});

test.each<[string, object]>([
  ['with parts', { type: 'object', nullable: true, allOf: [{ type: 'object', required: ['b'] }] }],
  ['of a choice', { type: 'object', nullable: true, oneOf: [{ type: 'object', required: ['b'] }] }],
  ['as Swagger 2.0 writes it', { type: 'object', 'x-nullable': true, required: ['b'] }],
])('a field that may be null, %s, takes null and what it asks for', async (_, a) => {
  const api = await importedApi({ 'api.json': taking({ type: 'object', properties: { a } }) });
  expect(api.problems('createThing', { body: { a: null } })).toEqual([]);
  expect(api.problems('createThing', { body: { a: { b: 1 } } })).toEqual([]);
  expect(api.problems('createThing', { body: { a: {} } })).not.toEqual([]);
});

test('the fields of a body that is one form or null are those of the form', async () => {
  const form = { type: 'object', required: ['a'], properties: { a: text, b: text } };
  const api = await importedApi({ 'api.json': taking({ anyOf: [form, { type: 'null' }] }, { openapi: '3.1.0' }) });
  expect(api.tools[0]?.params).toEqual(['body.a', 'body.b']);
});

test('a reference into what is left out is any value, and its operation stays', async () => {
  const field = { items: [{ type: 'string' }] };
  const other = { $ref: '#/components/schemas/A/properties/field/items/0' };
  const api = await importedApi({
    'api.json': taking(
      { type: 'object', properties: { other, further: { $ref: '#/components/schemas/A/properties/field' } } },
      { openapi: '3.1.0', components: { schemas: { A: { properties: { field } } } } },
    ),
  });
  expect(api.setAside).toEqual([]);
  expect(api.findings).toEqual([
    expect.stringMatching(/items .* should be one schema: left out/),
    expect.stringMatching(/properties\/other \$ref ".*items\/0" leads to what was left out: taken as any value/),
  ]);
  expect(api.problems('createThing', { body: { other: 5 } })).toEqual([]);
});
