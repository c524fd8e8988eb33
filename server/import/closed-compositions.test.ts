import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { document, OK, oddFolder, taking } from '../test/support/malformed-documents.ts';
import { openClosedParts } from './closed-parts.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

/** `additionalProperties: false` beside `allOf` refuses every field of the parts (JSON Schema 2020-12, 10.3.2.3): no call could be made. */
test('a composition that is closed beside its parts takes the fields of its parts and no others', async () => {
  using folder = oddFolder();
  const link = {
    allOf: [{ type: 'object', properties: { href: { type: 'string' } } }],
    required: ['href'],
    additionalProperties: false,
  };
  const post = { requestBody: { content: { 'application/json': { schema: link } } }, responses: OK };
  const taken = await importDocument(folder.write('api.json', document({ '/links': { post } })));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const [tool] = trialBuild(definePlatform({ name: 'acme' }, taken), documents).tools;
  const takes = new Ajv2020({ strict: false }).compile(tool?.schema ?? {});
  expect([{ href: 'x' }, { href: 'x', other: 'y' }, {}].map((body) => takes({ body }))).toEqual([true, false, false]);
});

test('a composition of closed parts takes the fields of all its parts and no others, also where one is such a composition itself', async () => {
  using folder = oddFolder();
  const closed = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    additionalProperties: false,
  });
  const schemas = {
    Address: closed('street'),
    Dated: { allOf: [closed('at'), { type: 'object', properties: { by: { type: 'string' } } }] },
    Parcel: { allOf: [{ $ref: '#/components/schemas/Address' }, { $ref: '#/components/schemas/Dated' }], ...closed('weight'), required: ['street'] },
    Label: { properties: { to: { $ref: '#/components/schemas/Address' } }, allOf: [{ $ref: '#/components/schemas/Address' }] },
  }; // biome-ignore format: a schema a line
  const post = (name: string) => ({
    post: {
      requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
      responses: OK,
    },
  });
  const paths = { '/parcels': post('Parcel'), '/labels': post('Label'), '/addresses': post('Address') };
  const taken = await importDocument(folder.write('api.json', { ...document(paths), components: { schemas } }));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  const takes = (path: string, body: object): boolean => {
    const schema = tools.find(({ tool }) => tool.path === path)?.schema ?? {};
    return new Ajv2020({ strict: false }).validate(schema, { body });
  };
  expect(takes('/parcels', { street: 'a', at: 'b', by: 'c', weight: 'd' })).toBe(true);
  expect(takes('/parcels', { street: 'a', other: 'b' })).toBe(false);
  expect(takes('/parcels', { at: 'b' })).toBe(false);
  expect(takes('/labels', { street: 'a', to: { street: 'b' } })).toBe(true);
  expect(takes('/labels', { street: 'a', to: { street: 'b', at: 'c' } }), 'elsewhere it stays closed').toBe(false);
  expect(takes('/addresses', { street: 'a', at: 'b' })).toBe(false);
});

test('closed parts of a property that is called value are opened', async () => {
  const closed = (name: string) => ({ type: 'object', properties: { [name]: {} }, additionalProperties: false });
  const value = { allOf: [closed('a'), closed('b')] };
  const api = await importedApi({ 'api.json': taking({ type: 'object', properties: { value } }) });
  expect(api.problems('createThing', { body: { value: { a: 1, b: 2 } } })).toEqual([]);
});

test('closed parts are opened where the references to them are written with percent signs', async () => {
  const closed = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    additionalProperties: false,
  });
  const body = {
    allOf: ['A«x»', 'B«x»'].map((name) => ({ $ref: `#/components/schemas/${encodeURIComponent(name)}` })),
  };
  const schemas = { 'A«x»': closed('a'), 'B«x»': closed('b') };
  const api = await importedApi({ 'api.json': taking(body, { components: { schemas } }) });
  expect(api.problems('createThing', { body: { a: '1', b: '2' } })).toEqual([]);
  expect(api.problems('createThing', { body: { a: '1', c: '2' } })).toHaveLength(1);
});

test('a document of schemas that take each other in five times grows by one schema for each', () => {
  const ref = (at: number) => ({ $ref: `#/components/schemas/S${at}` });
  const schemas: Record<string, object> = {
    S20: { properties: { z: { type: 'string' } }, additionalProperties: false },
  };
  for (let at = 0; at < 20; at += 1) schemas[`S${at}`] = { allOf: Array.from({ length: 5 }, () => ref(at + 1)) };
  openClosedParts({ components: { schemas } });
  expect(Object.keys(schemas)).toHaveLength(21 + 20);
  expect(schemas['S0']).toMatchObject({ unevaluatedProperties: false });
});

test('what stands beside a reference to a closed part still counts', async () => {
  const closed = (name: string) => ({ type: 'object', properties: { [name]: {} }, additionalProperties: false });
  const body = { allOf: [{ $ref: '#/components/schemas/A', required: ['a'] }, closed('b')] };
  const more = { openapi: '3.1.0', components: { schemas: { A: closed('a') } } };
  const api = await importedApi({ 'api.json': taking(body, more) });
  expect(api.problems('createThing', { body: { a: 1, b: 2 } })).toEqual([]);
  expect(api.problems('createThing', { body: { b: 2 } })).toEqual([expect.stringContaining('/body')]);
});

test('a body that is called a file by its format is sent from the upload folder', async () => {
  using folder = oddFolder();
  const schema = { type: 'object', format: 'file' };
  const post = { requestBody: { required: true, content: { 'application/octet-stream': { schema } } }, responses: OK };
  const taken = await importDocument(folder.write('api.json', document({ '/scans': { post } })));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  expect(quarantined).toEqual([]);
  expect(tools[0]?.tool.body).toMatchObject({ contentType: 'application/octet-stream', file: true });
});
