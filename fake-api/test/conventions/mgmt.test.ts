/** The management cloud: profiles created at their own path, lists named after them, LOCAL scopes, tasks below the action. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, play, onePerPage } = await waysTestbed('mgmt');
const PROFILES = '/network-config/v1alpha1';
const APS = '/network-monitoring/v1/aps';

it('refuses with four keys and announces its limits on every answer', () => {
  const refused = stranger(open()).get(APS);
  expect(Object.keys(refused.json as object).sort()).toEqual(['debugId', 'errorCode', 'httpStatusCode', 'message']);
  expect([refused.status, refused.headers]).toMatchObject([401, { 'x-ratelimit-limit': '5000' }]);
});

it('creates a profile at its own path, lists it under its own name and keeps it while it is used', () => {
  const client = open();
  const created = play(client, 'createAuthServer');
  expect(created.status).toBe(200);
  const name = decodeURIComponent(created.path.split('/').at(-1) ?? '');
  const listed = client.get(`${PROFILES}/auth-servers?limit=1000`).json as Record<string, { name: string }[]>;
  expect(listed['auth-server']?.map((row) => row.name)).toContain(name);
  expect(client.call('POST', created.path, client.get(created.path).json).status).toBe(400);
  expect([client.call('DELETE', created.path).status, client.get(created.path).status]).toEqual([200, 404]);
  expect(client.call('DELETE', `${PROFILES}/auth-servers/radius-1`)).toMatchObject({
    status: 409,
    json: { errorCode: 'STILL_REFERENCED' },
  });
});

it('wants a scope and a device function on every write of a local object', () => {
  const client = open();
  const body = play(client, 'createVrf').json;
  expect(client.call('POST', `${PROFILES}/vrfs/cameras`, body).json).toMatchObject({
    message: expect.stringMatching(/"(scope-id|device-function)"/),
  });
});

it('leads through what it observes by a cursor', () => {
  const client = open();
  const { pages, entries } = onePerPage(client, 'listAps', APS);
  const { total } = client.get(`${APS}?limit=1`).json as { total: number };
  expect([entries.length, pages.length, new Set(entries.map(({ serialNumber }) => serialNumber)).size]).toEqual([
    total,
    total,
    total,
  ]);
});

it('starts work with 202 and is polled below the action, by device', () => {
  const client = open();
  const filter = encodeURIComponent("status eq 'ONLINE'");
  const [ap] = (client.get(`${APS}?filter=${filter}`).json as { items: { serialNumber: string }[] }).items;
  const path = `/network-troubleshooting/v1/aps/${ap?.serialNumber}/ping`;
  const started = client.call('POST', path, { destination: '198.51.100.1' });
  const { location, status } = started.json as { location: string; status: string };
  expect([started.status, status, location.startsWith(`${path}/async-operations/`)]).toEqual([202, 'INITIATED', true]);
  expect(client.get(location).json).toMatchObject({ status: 'RUNNING', progressPercent: 50 });
  expect(client.get(location).json).toMatchObject({ status: 'COMPLETED', progressPercent: 100 });
  const another = location.replace(ap?.serialNumber ?? '', 'ANOTHER1');
  expect(client.get(another).status).toBeGreaterThanOrEqual(400);
});
