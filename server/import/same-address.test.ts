import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder, pathParameter } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

test('two paths of one address are two tools where their class is the same, else the first one', async () => {
  using folder = oddFolder();
  const operation = { responses: OK };
  const paths = {
    '/v1/{name}': { parameters: [pathParameter('name')], get: operation, post: operation },
    '/v1/{parent}': {
      parameters: [pathParameter('parent')],
      get: operation,
      post: { ...operation, operationId: 'deleteAll' },
    },
    '/v1/{name}/': { parameters: [pathParameter('name')], get: operation },
  };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  expect(tools.map(({ tool: { method, path } }) => `${method} ${path}`).sort()).toEqual([
    'GET /v1/{name}',
    'GET /v1/{name}/',
    'GET /v1/{parent}',
    'POST /v1/{name}',
  ]);
  expect(new Set(tools.map(({ tool }) => tool.name)).size).toBe(4);
  expect(quarantined.map(({ operation: name, reason }) => `${name} ${reason}`)).toEqual([
    'POST /v1/{parent} is the same address as POST /v1/{name}: correct one of the two paths',
  ]);
});
