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
