/** The common task world: one document for all platforms, and a proxy that opens each of them. */
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '#fake-api';
import { openControl } from '../fake-control.ts';
import { type CredentialProxy, openCredentialProxy } from './credential-proxy.ts';
import { mergeDocuments } from './merged-document.ts';
import { type Document, readPlatformDocuments } from './served-documents.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const PLATFORMS = ['analytics', 'cloudwlan', 'fabric', 'legacy', 'mgmt', 'nac', 'sdwan', 'sensors', 'sse', 'workspace'];
const documents = await readPlatformDocuments(root, PLATFORMS);
const merged = mergeDocuments(documents, 'http://127.0.0.1:1');
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ path, method, operation })),
  );

describe('the merged document', () => {
  test('has every operation of every platform once, each with an id of its own', () => {
    const single = [...documents].flatMap(([id, own]) =>
      [...own.values()].flatMap((document) =>
        operationsOf(document).map(({ method, path }) => `${method} /${id}${path}`),
      ),
    );
    const together = operationsOf(merged);
    expect(together.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...new Set(single)].sort());
    expect(single.length).toBeGreaterThan(6_000);
    const ids = together.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('leads every reference to a component, and asks for no credential', () => {
    const text = JSON.stringify(merged);
    const refs = new Set(
      [...text.matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const there = new Set(
      Object.entries(merged.components ?? {}).flatMap(([kind, all]) =>
        Object.keys(all).map((name) => `${kind}/${name}`),
      ),
    );
    expect([...refs].filter((ref) => !there.has(ref))).toEqual([]);
    expect(refs.size).toBeGreaterThan(1_000);
    expect(merged.components).not.toHaveProperty('securitySchemes');
    expect(operationsOf(merged).filter(({ operation }) => 'security' in operation)).toEqual([]);
  });

  test('is a valid OpenAPI document', async () => {
    const one = mergeDocuments(new Map([...documents].slice(0, 3)), 'http://127.0.0.1:1');
    const { valid, errors } = await new Validator().validate(structuredClone(one));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });
});

describe('the proxy', () => {
  let fake: FakeApi;
  let proxy: CredentialProxy;
  const account = {
    client_id: 'demo-client',
    client_secret: 'demo-secret',
    api_token: 'demo-token',
    username: 'demo',
    password: 'demo-secret',
    workspace_id: 'workspace-1',
  };

  beforeAll(async () => {
    fake = await startFakeApi({});
    proxy = await openCredentialProxy({ target: `${fake.api}/ns/one`, documents, account });
  });
  afterAll(async () => {
    await proxy.close();
    await fake.close();
  });

  /** A list that needs nothing but a credential. */
  const openReads = PLATFORMS.map((id) => {
    const found = [...(documents.get(id)?.values() ?? [])]
      .flatMap(operationsOf)
      .find(
        ({ method, path, operation }) =>
          method === 'get' &&
          !path.includes('{') &&
          operation['x-svc-kind'] === 'list' &&
          !((operation['parameters'] ?? []) as { required?: boolean }[]).some((parameter) => parameter.required),
      );
    return [id, found?.path] as const;
  });

  test.each(openReads)('opens %s: GET %s, also after a reset, and the login is not counted', async (id, path) => {
    const control = openControl(fake.control);
    for (const _ of ['first', 'after a reset']) {
      await control.reset('one', {});
      expect((await fetch(`${fake.api}/ns/one/${id}${path}`)).status).toBe(401);
      const answer = await fetch(`${proxy.url}/${id}${path}`, { headers: { authorization: 'Bearer of nobody' } });
      expect(answer.status, await answer.text()).toBe(200);
    }
    const counted = (await control.ledger('one')).filter(
      (entry) => entry.capability !== 'auth' && entry.status !== 401,
    );
    expect(counted.map((entry) => [entry.method, entry.platform])).toEqual([['GET', id]]);
  });

  test('passes method, query, body and status of a change, here one whose session also has a CSRF token', async () => {
    const path = '/v1/configuration/object/aaa_test_server';
    const answer = await fetch(`${proxy.url}/legacy${path}?config_path=%2Fmm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    // The fake's own validation answers, so the call came through its door.
    expect([200, 400, 422]).toContain(answer.status);
    const entry = (await openControl(fake.control).ledger('one')).at(-1);
    expect(entry).toMatchObject({ method: 'POST', path, status: answer.status, platform: 'legacy' });
    expect(entry?.query).toContain('config_path');
  });

  test('knows no other platform', async () => {
    expect((await fetch(`${proxy.url}/elsewhere/x`)).status).toBe(404);
  });
});
