import { expect, test } from 'vitest';
import { OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';

/** The server that a Swagger 2.0 document states, and what is said of it. */
async function stated(more: object) {
  using folder = oddFolder();
  const document = { swagger: '2.0', info: { title: 't', version: '1' }, host: 'old.test', basePath: '/v2', ...more };
  const file = folder.write('old.json', { ...document, paths: { '/a': { get: { responses: OK } } } });
  const { baseUrl, findings } = await importDocument(file);
  return { baseUrl, said: findings.map(({ pointer, message }) => `${pointer} ${message}`) };
}

test.each([
  [['http', 'https'], 'https://old.test/v2'],
  [['ws', 'http', 'https'], 'https://old.test/v2'],
  [['https', 'http'], 'https://old.test/v2'],
  [['http'], 'http://old.test/v2'],
])('of the schemes %j of Swagger 2.0 the server is %s', async (schemes, baseUrl) => {
  expect(await stated({ schemes })).toEqual({ baseUrl, said: [] });
});

test.each([{}, { schemes: [] }, { schemes: 'http' }])(
  'with no list of schemes (%j) https is taken, and that is said',
  async (more) => {
    expect(await stated(more)).toEqual({
      baseUrl: 'https://old.test/v2',
      said: [
        '/schemes the document does not say whether its host "old.test" is reached by https or http: https is taken',
      ],
    });
  },
);

test('without a host there is no server to choose a scheme for', async () => {
  const { baseUrl, said } = await stated({ host: undefined, schemes: ['http', 'https'] });
  expect(baseUrl).toBeUndefined();
  expect(said).toEqual([expect.stringContaining('the documents state no whole server URL, got "/v2"')]);
});
