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
