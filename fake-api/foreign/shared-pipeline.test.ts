/** What a foreign document gets from the request pipeline of the shipped ones. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFakeApi } from '../fake.ts';
import { answering, foreignDocument, foreignTestbed, type Part, pets } from '../test/foreign-sample-document.ts';

async function servedOverHttp(document: Part) {
  const folder = await mkdtemp(join(tmpdir(), 'shared-'));
  const file = join(folder, 'zoo.json');
  await writeFile(file, JSON.stringify(document));
  const fake = await startFakeApi({ documents: new Map(), foreign: [{ file, name: 'zoo' }] });
  const close = async (): Promise<void> => {
    await fake.close();
    await rm(folder, { recursive: true });
  };
  return { api: fake.platforms['zoo'], namespace: `${fake.control}/namespaces/default`, [Symbol.asyncDispose]: close };
}

test('a planned fault matches an operation by its operationId', async () => {
  await using zoo = await servedOverHttp(pets());
  const rules = [{ operation: 'getPet', fault: { kind: 'status', status: 503 } }];
  await fetch(`${zoo.namespace}/faults`, { method: 'PUT', body: JSON.stringify({ rules }) });
  const statuses = [];
  for (const path of ['/pets', '/pets/1', '/pets/1']) statuses.push((await fetch(`${zoo.api}${path}`)).status);
  expect(statuses).toEqual([200, 503, 200]);
});

test('the ledger has no credential that is sent in the query', async () => {
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } };
  await using zoo = await servedOverHttp(
    foreignDocument({ '/a': { get: answering({ const: 1 }) } }, { components, security: [{ key: [] }] }),
  );
  expect((await fetch(`${zoo.api}/a`)).status).toBe(401);
  expect((await fetch(`${zoo.api}/a?key=not-a-real-one`)).status).toBe(200);
  const ledger = await (await fetch(`${zoo.namespace}/ledger`)).text();
  expect(ledger).not.toContain('not-a-real-one');
});

test('a parameter that is no list is refused when it is sent twice', async () => {
  await using zoo = await foreignTestbed(pets());
  expect(zoo.call('GET', '/pets?limit=2&limit=3')).toMatchObject({
    status: 400,
    body: { message: 'query parameter "limit": expected a whole number, got an array of 2' },
  });
});

test('an extension of the shipped documents has no effect in a foreign one', async () => {
  const disguised = answering({ const: 1 }, { 'x-svc-kind': 'token', 'x-svc-capability': 'destructive' });
  await using zoo = await foreignTestbed(foreignDocument({ '/a': { get: disguised } }));
  expect(zoo.platform.operations[0]).toMatchObject({ kind: 'action', capability: 'read' });
  expect(zoo.call('GET', '/a').body).toBe(1);
});
