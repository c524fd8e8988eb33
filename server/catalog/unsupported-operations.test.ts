/** What an operation of a document can ask for that this router does not send: set aside with its reason, never called without it. */
import { expect, test } from 'vitest';
import { importDocument } from '../import/import-document.ts';
import { definePlatform } from '../import/user-platform.ts';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';

async function built(paths: object, openapi = '3.2.0') {
  using folder = oddFolder();
  const taken = await importDocument(folder.write('api.json', document(paths, { openapi })));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const result = trialBuild(definePlatform({ name: 'odd' }, taken), documents);
  return { ...result, findings: taken.findings, leftOut: taken.documents.map(({ leftOut }) => leftOut) };
}

const get = { operationId: 'getThing', responses: OK };

test.each<[string, object, RegExp]>([
  ['TRACE /things', { trace: { responses: OK } }, /would echo credentials/],
  ['QUERY /things', { query: { operationId: 'queryThings', responses: OK } }, /"QUERY" of OpenAPI 3.2 is not sent/],
  ['COPY /things', { additionalOperations: { COPY: { responses: OK } } }, /"COPY" of OpenAPI 3.2 is not sent/],
  ['constructor /things', { additionalOperations: { constructor: { responses: OK } } }, /"constructor"/],
])('%s is set aside with its reason, and its neighbour is a tool', async (operation, item, reason) => {
  const { tools, quarantined } = await built({ '/things': { get, ...item } });
  expect(tools.map(({ tool }) => tool.name)).toEqual(['odd_get_thing']);
  expect(quarantined).toEqual([expect.objectContaining({ operation, reason: expect.stringMatching(reason) })]);
});

test.each<[string, object, RegExp]>([
  ['querystring', { name: 'all', in: 'querystring', required: true, content: {} }, /is in "querystring"/],
  ['body', { name: 'thing', in: 'body', required: true, schema: {} }, /is in "body"/],
  ['cookie', { name: 'a b;', in: 'cookie', required: true, schema: {} }, /a name that no cookie can have/],
])('a parameter in %s that cannot be sent sets its operation aside', async (_, parameter, reason) => {
  const { tools, quarantined } = await built({ '/things': { get: { ...get, parameters: [parameter] }, head: get } });
  expect(tools).toHaveLength(1);
  expect(quarantined).toEqual([
    expect.objectContaining({ operation: 'GET /things', reason: expect.stringMatching(reason) }),
  ]);
});

test('a required cookie is an argument of the call', async () => {
  const parameters = [{ name: 'tenant', in: 'cookie', required: true, schema: { type: 'string' } }];
  const { tools } = await built({ '/things': { get: { ...get, parameters } } }, '3.0.3');
  expect(tools[0]?.schema).toMatchObject({ required: ['tenant'], properties: { tenant: { type: 'string' } } });
});

test('a path with a fragment that is written like a path is left out with its reason and counted', async () => {
  const { tools, findings, leftOut } = await built({ '/things': { get }, '/things#/frag': { get, post: get } });
  expect(tools).toHaveLength(1);
  expect(findings).toEqual([
    expect.objectContaining({ pointer: '/paths/~1things#~1frag', message: expect.stringContaining('holds # or ?') }),
  ]);
  expect(leftOut).toEqual([2]);
});
