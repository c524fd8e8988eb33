/** Responses that refer to a schema where a Response Object belongs. */
import { expect, test } from 'vitest';
import { readListLayout } from '../catalog/list-layout.ts';
import type { JsonObject } from '../catalog/platform-document.ts';
import { document, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import type { TakenDocument } from './taken-document.ts';

const hosts = { type: 'object', properties: { hosts: { type: 'array', items: { type: 'object' } } } };

async function imported(content: unknown, others: Record<string, unknown> = {}) {
  using folder = oddFolder();
  for (const [name, other] of Object.entries(others)) folder.write(name, other);
  const { documents, findings } = await importDocument(folder.write('hosts.json', content));
  const [{ id, content: read }] = documents as [TakenDocument];
  const item = (read['paths'] as Record<string, { get: JsonObject }>)['/hosts'] as { get: JsonObject };
  const layout = readListLayout(
    { id, file: id, content: read },
    { method: 'GET', path: '/hosts', item, operation: item.get },
  );
  return {
    layout,
    said: findings.map(({ pointer, message }) => `${pointer}: ${message}`).filter((one) => one.includes('response')),
  };
}

const SAID =
  '/paths/~1hosts/get/responses/200: a reference to a schema is no response (1 of them): taken as an answer in JSON of that schema';

test('are answers in JSON of that schema, and that is said', async () => {
  const get = { responses: { 200: { $ref: '#/components/schemas/Hosts' } } };
  const found = await imported({
    ...(document({ '/hosts': { get } }) as object),
    components: { schemas: { Hosts: hosts } },
  });
  expect(found).toEqual({ layout: { property: 'hosts' }, said: [SAID] });
});

test('are so in Swagger 2.0, too', async () => {
  const paths = {
    '/hosts': { get: { produces: ['application/json'], responses: { 200: { $ref: '#/definitions/Hosts' } } } },
  };
  const found = await imported({
    swagger: '2.0',
    info: { title: 'a', version: '1' },
    paths,
    definitions: { Hosts: hosts },
  });
  expect(found).toEqual({ layout: { property: 'hosts' }, said: [SAID] });
});

test('are so where their path stands in a file of its own', async () => {
  const found = await imported(
    {
      ...(document({ '/hosts': { $ref: 'paths/hosts.json' } }) as object),
      components: { schemas: { Hosts: hosts } },
    },
    { 'paths/hosts.json': { get: { responses: { 200: { $ref: '../hosts.json#/components/schemas/Hosts' } } } } },
  );
  expect(found).toEqual({ layout: { property: 'hosts' }, said: [SAID] });
});

test('a reference to a response stays one', async () => {
  const get = { responses: { 200: { $ref: '#/components/responses/Hosts' } } };
  const responses = { Hosts: { description: 'ok', content: { 'application/json': { schema: hosts } } } };
  const found = await imported(document({ '/hosts': { get } }, { components: { responses } }));
  expect(found).toEqual({ layout: { property: 'hosts' }, said: [] });
});
