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
