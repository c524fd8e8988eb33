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

test('a file is sent as a type with a parameter', async () => {
  const api = await importedApi(posting({ content: { 'application/octet-stream; charset=binary': {} } }));
  expect(api.tools[0]?.body).toMatchObject({ file: true });
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
