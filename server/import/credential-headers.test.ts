import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

const header = (name: string, required = true) => ({ name, in: 'header', required, schema: { type: 'string' } });

test('a required header that is a credential, without a scheme, becomes a scheme of that header', async () => {
  using folder = oddFolder();
  const paths = {
    '/a': { parameters: [header('X-Auth-Token')], get: { responses: OK } },
    '/b': { get: { parameters: [{ $ref: '#/components/parameters/auth' }], responses: OK } },
    '/c': { get: { parameters: [header('Authorization', false)], responses: OK } },
    '/d': { get: { security: [{ key: [] }], parameters: [header('authorization')], responses: OK } },
    '/e': { get: { parameters: [header('x-trace')], responses: OK } },
  };
  const file = folder.write('api.json', {
    ...document(paths),
    components: {
      parameters: { auth: header('Authorization') },
      securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } },
    },
  });
  const taken = await importDocument(file);
  const platform = definePlatform({ name: 'acme' }, taken);
  expect(platform.auth.schemes?.map(({ name, about, ways }) => [name, about, ways[0]?.header])).toEqual([
    ['x-auth-token', 'apiKey in header', 'X-Auth-Token'],
    ['authorization', 'apiKey in header', 'Authorization'],
    ['key', 'apiKey in query', undefined],
  ]);
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools } = trialBuild(platform, documents);
  const needed = tools.map(({ tool: { path, security = [], params } }) => [
    path,
    [security.map((entry) => entry.map(({ scheme }) => scheme)), params],
  ]);
  expect(Object.fromEntries(needed)).toEqual({
    '/a': [[['xauthtoken']], []],
    '/b': [[['authorization']], []],
    '/c': [[], []],
    '/d': [[['key']], []],
    '/e': [[], ['x-trace']],
  });
});

test('keys that an operation demands as parameters are all sent, whatever its security says of them', async () => {
  using folder = oddFolder();
  const query = (name: string, required = true) => ({ name, in: 'query', required, schema: { type: 'string' } });
  const parameters = [query('key'), query('token'), query('page', false)];
  const paths = {
    '/a': { get: { security: [{ apiKey: [] }, { apiToken: [] }], parameters, responses: OK } },
    '/b': { get: { parameters, responses: OK } },
    '/c': { get: { security: [{ apiKey: [] }, { apiToken: [] }], parameters: [query('key', false)], responses: OK } },
    '/d': { get: { security: [{ apiToken: [] }], parameters: [query('key')], responses: OK } },
  };
  const file = folder.write('api.json', {
    ...document(paths),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'query', name: 'key' },
        apiToken: { type: 'apiKey', in: 'query', name: 'token' },
      },
    },
  });
  const taken = await importDocument(file);
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  const sent = tools.map(({ tool: { path, security = [], params } }) => [
    path,
    [security.map((entry) => entry.map(({ scheme }) => scheme).sort()), params],
  ]);
  expect(Object.fromEntries(sent)).toEqual({
    '/a': [[['apikey', 'apitoken']], ['page']],
    '/b': [[['apikey', 'apitoken']], ['page']],
    '/c': [[['apikey'], ['apitoken']], []],
    '/d': [[['apikey', 'apitoken']], []],
  });
});
