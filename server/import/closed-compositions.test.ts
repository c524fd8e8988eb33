import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

/** `additionalProperties: false` beside `allOf` refuses every field of the parts (JSON Schema 2020-12, 10.3.2.3): no call could be made. */
test('a composition that is closed beside its parts takes the fields of its parts and no others', async () => {
  using folder = oddFolder();
  const link = {
    allOf: [{ type: 'object', properties: { href: { type: 'string' } } }],
    required: ['href'],
    additionalProperties: false,
  };
  const post = { requestBody: { content: { 'application/json': { schema: link } } }, responses: OK };
  const taken = await importDocument(folder.write('api.json', document({ '/links': { post } })));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const [tool] = trialBuild(definePlatform({ name: 'acme' }, taken), documents).tools;
  const takes = new Ajv2020({ strict: false }).compile(tool?.schema ?? {});
  expect([{ href: 'x' }, { href: 'x', other: 'y' }, {}].map((body) => takes({ body }))).toEqual([true, false, false]);
});

test('a body that is called a file by its format is sent from the upload folder', async () => {
  using folder = oddFolder();
  const schema = { type: 'object', format: 'file' };
  const post = { requestBody: { required: true, content: { 'application/octet-stream': { schema } } }, responses: OK };
  const taken = await importDocument(folder.write('api.json', document({ '/scans': { post } })));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  expect(quarantined).toEqual([]);
  expect(tools[0]?.tool.body).toMatchObject({ contentType: 'application/octet-stream', file: true });
});
