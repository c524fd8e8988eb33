/** Operations with a server of their own: below that of the document they are called there, elsewhere only where the operator says so. */
import { expect, test } from 'vitest';
import { readOperations } from '../catalog/document-operations.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';

const platform = { id: 'odd', kind: 'user', overrides: {}, backends: {}, auth: {} } as never;
const get = (operationId: string, servers?: unknown) => ({
  operationId,
  responses: OK,
  ...(servers ? { servers } : {}),
});
const at = (url: string) => [{ url }];

const PATHS = {
  '/files': {
    get: get('listFiles'),
    post: get('uploadFile', at('https://api.test/v1/upload')),
    summary: 'Files',
  },
  '/moved': { servers: at('/v1/below/'), get: get('getMoved') },
  '/taken': { get: get('getTaken', at('https://api.test/v1/x')) },
  '/x/taken': { get: get('getOtherTaken') },
  '/beside': { get: get('getBeside', at('https://api.test/v10')) },
  '/up': { get: get('getUp', at('https://api.test/v1/../admin')) },
  '/elsewhere': { get: get('getElsewhere', at('https://uploads.test/put')), put: get('putHere') },
  '/host': { get: get('getHost', at('//evil.test/v1')) },
};

async function taken(paths: object, options: { server?: string; base?: string } = {}) {
  using folder = oddFolder();
  const { base = 'https://api.test/v1', server } = options;
  const file = folder.write('api.json', document(paths, { servers: at(base) }));
  const { documents, baseUrl } = await importDocument(file, undefined, server);
  const read = documents.flatMap(({ id, content }) => readOperations(platform, { id, file: id, content }));
  return {
    baseUrl,
    calls: read.flatMap(({ drafts }) =>
      drafts.map(({ method, path, operationId }) => `${operationId} ${method} ${path}`),
    ),
    aside: read.flatMap(({ quarantined }) => quarantined.map(({ operation, reason }) => `${operation}: ${reason}`)),
  };
}

test('a server below that of the document is called there; one beside, above or elsewhere is set aside with the remedy', async () => {
  const { calls, aside, baseUrl } = await taken(PATHS);
  expect(baseUrl).toBe('https://api.test/v1');
  expect(calls.sort()).toEqual([
    'getMoved GET /below/moved',
    'getOtherTaken GET /x/taken',
    'listFiles GET /files',
    'putHere PUT /elsewhere',
    'uploadFile POST /upload/files',
  ]);
  expect(aside.map((line) => line.split(':')[0]).sort()).toEqual([
    'GET /beside',
    'GET /elsewhere',
    'GET /host',
    'GET /taken',
    'GET /up',
  ]);
  expect(aside.find((line) => line.startsWith('GET /elsewhere'))).toMatch(
    /as a platform of its own, with --server https:\/\/uploads\.test\/put$/,
  );
});

test('in a folder, operations and paths that repeat the server of their document move with it', async () => {
  const here = 'https://api.test/a';
  const paths = {
    '/x': { get: get('byOperation', at(here)) },
    '/y': { servers: at('/a/'), get: get('byPath'), post: get('elsewhere', at('https://other.test')) },
    '/z': { servers: at('https://other.test'), get: get('backHere', at(here)), put: get('elsewhereToo') },
  };
  const api = await importedApi(
    {
      'a.json': document(paths, { servers: at(here) }),
      'b.json': document({ '/x': { get: get('other') } }, { servers: at('https://api.test/b') }),
    },
    true,
  );
  expect(api.tools.map(({ operationId, path }) => `${operationId} ${path}`).sort()).toEqual([
    'backHere /a/z',
    'byOperation /a/x',
    'byPath /a/y',
    'other /b/x',
  ]);
  expect(api.setAside.map((line) => line.split(' is served')[0]).sort()).toEqual(['POST /a/y', 'PUT /a/z']);
});

test('--server takes the operations of that server alone, and an unknown one is refused with those there are', async () => {
  expect(await taken(PATHS, { server: 'https://uploads.test/put/' })).toEqual({
    baseUrl: 'https://uploads.test/put',
    calls: ['getElsewhere GET /elsewhere'],
    aside: [],
  });
  await expect(taken(PATHS, { server: 'https://nowhere.test' })).rejects.toThrow(
    /--server should be a server of its operations \(https:\/\/api\.test\/v1, https:\/\/api\.test\/v1\/upload, .*\), got "https:\/\/nowhere\.test"/,
  );
});

test('a document without a server, and names that every object has', async () => {
  const { calls, aside } = await taken(
    { '/__proto__': { get: get('a', at('/constructor')) }, '/toString': { get: get('b', at('//evil.test')) } },
    { base: '/' },
  );
  expect(calls).toEqual(['a GET /constructor/__proto__']);
  expect(aside).toHaveLength(1);
});

test('of the servers of an operation, which are alternatives, that of the document or the one that is asked for is meant', async () => {
  const servers = [...at('https://sandbox.test'), ...at('https://api.test/v1')];
  const paths = { '/a': { servers, get: get('getA') }, '/b': { get: get('getB', servers) } };
  expect(await taken(paths)).toMatchObject({ calls: ['getA GET /a', 'getB GET /b'], aside: [] });
  const sandbox = await taken(paths, { server: 'https://sandbox.test' });
  expect(sandbox).toMatchObject({ baseUrl: 'https://sandbox.test', calls: ['getA GET /a', 'getB GET /b'] });
});
