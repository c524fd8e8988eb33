/** Documents of Swagger 2.0: what their conversion to OpenAPI 3 must not lose. */
import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { OK } from '../test/support/malformed-documents.ts';

const swagger2 = (paths: object, more: object = {}) => ({
  swagger: '2.0',
  info: { title: 'Old', version: '1' },
  host: 'old.test',
  schemes: ['https'],
  paths,
  ...more,
});

test.each(['100%', '100%25'])('a shared parameter is found by the reference %s', async (reference) => {
  const parameters = { '100%': { name: 'share', in: 'query', type: 'string' } };
  const get = { parameters: [{ $ref: `#/parameters/${reference}` }], responses: OK };
  const api = await importedApi({ 'api.json': swagger2({ '/a': { get } }, { parameters }) });
  expect(api.request('GET /a', { share: 'x' }).query).toBe('share=x');
});

test.each([
  ['m/v1', 'https://old.test/m/v1'],
  ['.evil.test/v1', 'https://old.test/.evil.test/v1'],
  ['/v1/', 'https://old.test/v1'],
  ['', 'https://old.test'],
  ['https://evil.test/v1', undefined],
])('a base path of %j stays below the host of the document', async (basePath, expected) => {
  const { baseUrl } = await importedApi({ 'api.json': swagger2({ '/a': { get: { responses: OK } } }, { basePath }) });
  expect(baseUrl).toBe(expected);
});

const thing = { name: 'thing', in: 'body', required: true, schema: { type: 'object', required: ['a'] } };
const field = { name: 'a', in: 'formData', type: 'string', required: true };
const FORM = 'application/x-www-form-urlencoded';

test.each([
  ['empty for the document', { consumes: [] }, {}],
  ['empty for the operation', { consumes: ['application/xml'] }, { consumes: [] }],
  ['a text', {}, { consumes: 'application/json' }],
  ['absent', {}, {}],
])('a required body is sent as JSON where the list of its media types is %s', async (_, more, operation) => {
  const post = { parameters: [thing], responses: OK, ...operation };
  const api = await importedApi({ 'api.json': swagger2({ '/a': { post } }, more) });
  expect(api.problems('POST /a', {})).toEqual(['/body is required']);
  expect(api.request('POST /a', { body: { a: 1 } }).payload).toEqual({
    contentType: 'application/json',
    text: '{"a":1}',
  });
});

test.each([
  [[FORM], FORM],
  [[`${FORM};charset=UTF-8`], FORM],
  [['Application/X-WWW-Form-URLEncoded'], FORM],
  [['multipart/form-data; boundary=x', 'application/json'], 'multipart/form-data'],
  [[], FORM],
  [['application/json'], FORM],
])('a form of the media types %j with a required field is required, and sent as %s', async (consumes, sent) => {
  const paths = { '/a': { post: { consumes, parameters: [field], responses: OK } } };
  const api = await importedApi({ 'api.json': swagger2(paths, { consumes: ['application/json'] }) });
  expect(api.problems('POST /a', {})).toEqual(['/body is required']);
  expect(api.problems('POST /a', { body: {} })).toEqual(['/body/a is required']);
  expect(api.tools[0]?.body?.contentType).toBe(sent);
});

test('a form without a required field may be left out', async () => {
  const paths = { '/a': { post: { consumes: [FORM], parameters: [{ ...field, required: false }], responses: OK } } };
  const api = await importedApi({ 'api.json': swagger2(paths) });
  expect(api.request('POST /a', {}).payload).toBeUndefined();
});

test('a form with a file, of which no type is stated, has parts', async () => {
  const file = { name: 'b', in: 'formData', type: 'file' };
  const paths = { '/a': { post: { parameters: [field, file], responses: OK } } };
  const api = await importedApi({ 'api.json': swagger2(paths, { consumes: ['application/json'] }) });
  expect(api.tools[0]?.body).toMatchObject({ contentType: 'multipart/form-data', files: ['b'] });
});

test.each<[string, object, object]>([
  ['a response', { get: { responses: { 204: null } } }, {}],
  ['the parameters of a path', { parameters: null, get: { responses: OK } }, {}],
  ['the parameters of an operation', { get: { parameters: {}, responses: OK } }, {}],
  ['a parameter', { get: { parameters: [null], responses: OK } }, {}],
  ['a place of a parameter', { get: { parameters: [{ name: 'a', type: 'string' }], responses: OK } }, {}],
  ['the responses', { get: { responses: null } }, {}],
  ['an operation', { post: null, get: { responses: OK } }, {}],
  ['an extension', { 'x-note': null, get: { responses: OK } }, {}],
  ['a security scheme', { get: { responses: OK } }, { securityDefinitions: { key: null } }],
  ['a shared parameter', { get: { responses: OK } }, { parameters: { a: { name: 'a', in: null } } }],
])('%s that was left empty refuses no document', async (_, item, more) => {
  const api = await importedApi({ 'api.json': swagger2({ '/a': item, '/b': { get: { responses: OK } } }, more) });
  expect([api.tools.map(({ path }) => path), api.setAside]).toEqual([['/a', '/b'], []]);
});

test('a required parameter without a place sets its operation aside, and an optional one is said', async () => {
  const named = (required: boolean) => ({
    parameters: [{ name: 'a', type: 'string', required }],
    responses: OK,
  });
  const api = await importedApi({ 'api.json': swagger2({ '/a': { get: named(false), put: named(true) } }) });
  expect(api.notes).toEqual([expect.stringContaining('GET /a (/paths/~1a/get): the parameter "a" is in ""')]);
  expect(api.setAside).toEqual(['PUT /a its required parameter "a" is in "", which this router does not send']);
});
