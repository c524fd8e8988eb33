/** Media types of a body as documents write them: what is sent, and what is set aside because half of it would be. */
import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { document, OK } from '../test/support/malformed-documents.ts';

const posting = (requestBody: object, more: object = {}) => ({
  'api.json': document({ '/a': { post: { requestBody: { required: true, ...requestBody }, responses: OK } } }, more),
});
const schema = { type: 'object', properties: { a: { type: 'string' } } };

test.each([
  ['application/x-www-form-urlencoded; charset=utf-8', 'a=b+c'],
  ['Application/X-WWW-Form-URLEncoded', 'a=b+c'],
  ['application/json;charset=utf-8', '{"a":"b c"}'],
])('a body of %s is written as that type is', async (type, text) => {
  const api = await importedApi(posting({ content: { [type]: { schema } } }));
  expect(api.request('POST /a', { body: { a: 'b c' } }).payload).toEqual({ contentType: type, text });
});

test.each([
  ['of the components', '#/components/mediaTypes/Json'],
  ['of another file', './parts.json#/Json'],
])('a media type %s is the one that it refers to, with its schema and its encoding', async (_, $ref) => {
  const list = { type: 'array', items: { type: 'string' } };
  const media = {
    schema: { type: 'object', required: ['a'], properties: { a: list } },
    encoding: { a: { explode: false } },
  };
  const mediaTypes = { Json: { $ref: '#/components/mediaTypes/Own' }, Own: media };
  const content = { 'application/x-www-form-urlencoded': { $ref } };
  const api = await importedApi({
    ...posting({ content }, { openapi: '3.2.0', components: { mediaTypes } }),
    'parts.json': { Json: media },
  });
  expect(api.problems('POST /a', { body: {} })).toEqual(['/body/a is required']);
  expect(api.request('POST /a', { body: { a: ['b', 'c'] } }).payload?.text).toBe('a=b,c');
});

test('a parameter and an answer have the media types that they refer to', async () => {
  const mediaTypes = {
    Filter: { schema: { type: 'object', required: ['a'] } },
    List: { schema: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
  };
  const json = (name: string) => ({ 'application/json': { $ref: `#/components/mediaTypes/${name}` } });
  const get = {
    parameters: [{ name: 'q', in: 'query', content: json('Filter') }],
    responses: { 200: { description: 'all', content: json('List') } },
  };
  const stated = document({ '/a': { get } }, { openapi: '3.2.0', components: { mediaTypes } });
  const api = await importedApi({ 'api.json': stated });
  expect(api.problems('GET /a', { q: {} })).toEqual(['/q/a is required']);
  expect(api.tools[0]?.list).toBeDefined();
});

test('a caller gives the token against forged requests where no session of the router has one, and never a credential', async () => {
  const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
  const parameters = ['X-CSRF-Token', 'User-Agent', 'Accept'].map(header);
  const paths = { '/a': { get: { parameters, responses: { 200: { description: 'ok' } } } } };
  const api = await importedApi({ 'api.json': document(paths) });
  expect(api.tools[0]?.parameters.map(({ name }) => name)).toEqual(['X-CSRF-Token']);
  expect(api.request('GET /a', { 'X-CSRF-Token': 'a' }).headers).toEqual({ 'x-csrf-token': 'a' });
});

test('a file is sent as a type with a parameter', async () => {
  const api = await importedApi(posting({ content: { 'application/octet-stream; charset=binary': {} } }));
  expect(api.tools[0]?.body).toMatchObject({ file: true });
});

test.each([
  { description: 'the image', example: 'a.bin' },
  { title: 'Image', nullable: true, default: '', 'x-kind': 'image' },
])('bytes with the schema %j are a file', async (stated) => {
  const api = await importedApi(posting({ content: { 'application/octet-stream': { schema: stated } } }));
  expect(api.tools[0]?.body).toMatchObject({ file: true });
});

test.each(['*/*', ''])('bytes of any type, written %j, are a file of octets and no JSON', async (type) => {
  const stated = { type: 'string', format: 'binary' };
  const api = await importedApi(posting({ content: { [type]: { schema: stated } } }));
  expect(api.tools[0]?.body).toMatchObject({ file: true, contentType: 'application/octet-stream' });
});

test.each([
  ['application/*+json', { a: 'b' }, 'application/json', '{"a":"b"}'],
  ['text/*', 'b', 'text/plain', 'b'],
  ['text/*; charset=utf-8', 'b', 'text/plain; charset=utf-8', 'b'],
])('a body of any type %s has a type of that kind', async (offered, body, contentType, text) => {
  const stated = typeof body === 'string' ? { type: 'string' } : schema;
  const api = await importedApi(posting({ content: { [offered]: { schema: stated } } }));
  expect(api.request('POST /a', { body }).payload).toEqual({ contentType, text });
});

test.each([{ content: {} }, {}])(
  'an operation whose required body has no media type is set aside: %j',
  async (body) => {
    const api = await importedApi(posting(body));
    expect([api.tools, api.setAside]).toEqual([[], ['POST /a its required body has no media type']]);
  },
);

test('a body that is not required and has no media type is not sent', async () => {
  const api = await importedApi(posting({ required: false, content: {} }));
  expect(api.tools.map(({ body }) => body)).toEqual([null]);
});

const binary = { type: 'string', format: 'binary' };
const maybe = (given: object) => ({ anyOf: [given, { type: 'null' }] });

test.each([
  ['optional', false, binary],
  ['required', true, binary],
  ['that is a reference', false, { $ref: '#/components/schemas/File' }],
  ['of a media type', false, { type: 'string', contentMediaType: 'application/octet-stream' }],
])('a file or null in a form is the path of a file, in a body %s', async (_, required, file) => {
  const form = {
    type: 'object',
    properties: { file: maybe(file), more: maybe({ type: 'array', items: maybe(file) }) },
  };
  const content = { 'multipart/form-data': { schema: form } };
  const api = await importedApi(posting({ required, content }, { components: { schemas: { File: binary } } }));
  expect(api.tools.map(({ body }) => body)).toEqual([expect.objectContaining({ files: ['file', 'more'] })]);
  expect(api.problems('POST /a', { body: { file: 'a.png', more: ['b.png'] } })).toEqual([]);
  expect(api.problems('POST /a', { body: { file: 1 } })).not.toEqual([]);
});

test.each([
  ['a file inside an object', 'multipart/form-data', { properties: { a: { properties: { file: binary } } } }],
  ['alternatives with files', 'multipart/form-data', { oneOf: [{ properties: { file: binary } }, schema] }],
  ['a text in place of parts', 'multipart/form-data', { type: 'string' }],
  ['a file in place of parts', 'multipart/form-data', maybe(binary)],
  ['a list in place of parts', 'multipart/form-data', { type: ['array', 'null'], items: binary }],
  ['a file in a form of pairs', 'application/x-www-form-urlencoded', { properties: { file: binary } }],
  ['a part that is a file', 'multipart/mixed', { properties: { file: binary } }],
  ['bytes with a structure', 'application/octet-stream', schema],
])('an optional body with %s sets its operation aside: a call without it is another call', async (_, type, stated) => {
  const api = await importedApi(posting({ required: false, content: { [type]: { schema: stated } } }));
  expect([api.tools, api.setAside.length]).toEqual([[], 1]);
});

test.each<[string[], string | undefined]>([
  [['application/vnd.api+json'], 'application/vnd.api+json'],
  [
    ['application/xml', 'application/hal+json', 'application/vnd.a.v2+json'],
    'application/hal+json, application/vnd.a.v2+json',
  ],
  [['application/x-ndjson'], 'application/x-ndjson'],
  [['application/json; charset=utf-8', 'application/vnd.api+json'], undefined],
  [['application/*+json'], undefined],
  [['application/*'], undefined],
])('an answer of %j is asked for as %s', async (types, accept) => {
  const content = Object.fromEntries(types.map((type) => [type, {}]));
  const get = { responses: { 200: { description: 'all', content } } };
  const api = await importedApi({ 'api.json': document({ '/a': { get } }) });
  expect(api.tools[0]?.accept).toBe(accept);
});

const TEXT = { type: 'string' };
test.each([
  ['application/x-yaml', TEXT],
  ['application/x-ndjson', TEXT],
  ['application/jsonl', { type: 'array', items: { type: 'object' } }],
])('a body of %s is a text', async (type, stated) => {
  const api = await importedApi(posting({ content: { [type]: { schema: stated } } }));
  expect(api.request('POST /a', { body: 'a: 1' }).payload).toEqual({ contentType: type, text: 'a: 1' });
});

const PATCHES = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
test.each([
  ['the merge patch where the schema is that of an object', schema, PATCHES, { a: 'b' }, PATCHES[1]],
  ['the list of steps where its schema takes one', { type: 'array' }, PATCHES, [], PATCHES[0]],
  ['the list of steps where nothing is said of it', {}, PATCHES, [], PATCHES[0]],
  ['what alone is offered', schema, PATCHES.slice(0, 1), { a: 'b' }, PATCHES[0]],
])('of several patches %s is sent', async (_, stated, types, body, contentType) => {
  const content = Object.fromEntries(types.map((type) => [type, { schema: stated }]));
  const api = await importedApi(posting({ content }));
  expect(api.request('POST /a', { body }).payload).toEqual({ contentType, text: JSON.stringify(body) });
});

test('a field of a form whose encoding is a type of bytes is a file, and one whose encoding is text is none', async () => {
  const encoding = {
    icon: { contentType: 'image/png, image/jpeg' },
    pages: { contentType: 'application/pdf' },
    note: { contentType: 'application/xml' },
    meta: { contentType: 'image/png' },
  };
  const properties = { icon: {}, pages: { type: 'array', items: TEXT }, note: TEXT, meta: { type: 'object' } };
  const content = { 'multipart/form-data': { schema: { type: 'object', properties }, encoding } };
  const api = await importedApi(posting({ content }, { openapi: '3.1.0' }));
  expect(api.tools[0]?.body?.files).toEqual(['icon', 'pages']);
});

test('a form of alternatives without files asks for the fields of one of them', async () => {
  const one = (name: string) => ({ type: 'object', properties: { [name]: TEXT }, required: [name] });
  const content = { 'multipart/form-data': { schema: { oneOf: [one('url'), one('text')] } } };
  const api = await importedApi(posting({ content }));
  expect(api.problems('POST /a', { body: { url: 'a' } })).toEqual([]);
  expect(api.problems('POST /a', { body: { other: 'a' } })).not.toEqual([]);
  expect(api.problems('POST /a', { body: 'a' })).not.toEqual([]);
});

test('a reference to a schema in place of a media type is the schema of the body and of the answer', async () => {
  const content = { 'application/json': { $ref: '#/components/schemas/Ports' } };
  const Ports = { type: 'array', items: { type: 'object', required: ['id'], properties: { id: TEXT } } };
  const post = { requestBody: { content }, responses: OK };
  const get = { responses: { 200: { description: 'all', content } } };
  const api = await importedApi({
    'api.json': document({ '/a': { get, post } }, { components: { schemas: { Ports } } }),
  });
  expect(api.problems('POST /a', { body: [{}] })).toEqual(['/body/0/id is required']);
  expect(api.tools.find(({ method }) => method === 'GET')?.list).toEqual({ property: null });
});
