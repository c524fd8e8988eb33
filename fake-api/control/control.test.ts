import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeApi, startFakeApi } from '../fake.ts';
import type { LedgerAnswer, LedgerEntry } from './ledger.ts';

let fake: FakeApi;

beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'], fixture: 'tiny' });
});
afterAll(() => fake.close());

async function control(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await fetch(`${fake.control}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

/** Base URL of the platform in a namespace of its own, with a token. */
async function opened(namespace: string, reset: object = {}): Promise<{ base: string; token: string }> {
  expect((await control('POST', `/namespaces/${namespace}/reset`, reset)).status).toBe(200);
  const base = `${fake.api}/ns/${namespace}/mgmt`;
  return { base, token: await tokenOf(base) };
}

async function tokenOf(base: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  });
  const answer = await fetch(`${base}/as/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function api(at: { base: string; token: string }, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${at.base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${at.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function ledger(namespace: string, after = 0): Promise<LedgerEntry[]> {
  const { json } = await control('GET', `/namespaces/${namespace}/ledger?after=${after}`);
  return (json as unknown as LedgerAnswer).entries;
}

const SERVER = {
  type: 'RADIUS',
  'auth-server-address': 'radius-9.lab.example',
  'shared-secret-config': { 'plaintext-value': 'not-a-real-one' },
};

describe('a reset', () => {
  it('creates a namespace and says which start it has', async () => {
    const { json } = await control('POST', '/namespaces/fresh/reset', { seed: 11 });
    expect(json).toEqual({
      namespace: 'fresh',
      fixture: { bundle: 'tiny', version: 1, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      seed: 11,
      clock: '2026-03-02T09:00:00Z',
    });
  });

  it('drops changes, empties the ledger, turns back the clock and keeps the token valid', async () => {
    const at = await opened('again');
    expect((await api(at, 'POST', '/network-config/v1alpha1/auth-servers/radius-9', SERVER)).status).toBe(200);
    await control('POST', '/namespaces/again/clock', { advanceSeconds: 500 });
    await control('POST', '/namespaces/again/reset', {});
    expect(await ledger('again')).toEqual([]);
    expect((await control('GET', '/namespaces/again/clock')).json).toEqual({ now: '2026-03-02T09:00:00Z' });
    expect((await api(at, 'GET', '/network-config/v1alpha1/auth-servers/radius-9')).status).toBe(404);
  });

  it('changes generated values with the seed and nothing else does', async () => {
    const serials = async (seed: number) => {
      const at = await opened('seeded', { seed });
      const { items } = (await (await api(at, 'GET', '/network-monitoring/v1/aps')).json()) as {
        items: { serialNumber: string }[];
      };
      return items.map((row) => row.serialNumber);
    };
    const first = await serials(1);
    expect(await serials(2)).not.toEqual(first);
    expect(await serials(1)).toEqual(first);
  });
});

describe('namespaces', () => {
  it('share neither state nor ledger nor clock', async () => {
    const left = await opened('left');
    const right = await opened('right');
    await api(left, 'POST', '/network-config/v1alpha1/auth-servers/radius-9', SERVER);
    expect((await api(right, 'GET', '/network-config/v1alpha1/auth-servers/radius-9')).status).toBe(404);
    expect((await ledger('left')).map((entry) => entry.operationId)).toEqual(['createAccessToken', 'createAuthServer']);
    expect((await ledger('right')).map((entry) => entry.operationId)).toEqual(['createAccessToken', 'getAuthServer']);
    expect((await control('GET', '/namespaces/right/clock')).json['now']).toBe('2026-03-02T09:00:00Z');
    expect((await control('GET', '/namespaces/left/clock')).json['now']).toBe('2026-03-02T09:00:01Z');
  });

  it('have tokens of their own', async () => {
    const left = await opened('tokens-left');
    await opened('tokens-right', { seed: 5 });
    const foreign = { base: `${fake.api}/ns/tokens-right/mgmt`, token: left.token };
    expect((await api(foreign, 'GET', '/network-monitoring/v1/aps')).status).toBe(401);
  });

  it('answer 404 before their first reset and after their deletion', async () => {
    const never = await fetch(`${fake.api}/ns/never/mgmt/network-monitoring/v1/aps`);
    expect([never.status, await never.text()]).toEqual([404, expect.stringContaining('reset over the control port')]);
    await opened('shortlived');
    expect((await control('DELETE', '/namespaces/shortlived')).status).toBe(200);
    expect((await fetch(`${fake.api}/ns/shortlived/mgmt/x`)).status).toBe(404);
    expect((await control('GET', '/namespaces/shortlived/ledger')).json['code']).toBe('UNKNOWN_NAMESPACE');
  });

  it('keep 64 of them apart under concurrent calls: no call counted elsewhere', async () => {
    const names = Array.from({ length: 64 }, (_, at) => `parallel-${at}`);
    const opens = await Promise.all(names.map((name) => opened(name)));
    await Promise.all(
      opens.flatMap((at, index) =>
        Array.from({ length: 1 + (index % 5) }, () => api(at, 'GET', '/network-monitoring/v1/devices')),
      ),
    );
    const counts = await Promise.all(
      names.map(async (name) => (await ledger(name)).filter((entry) => entry.capability === 'read').length),
    );
    expect(counts).toEqual(names.map((_, index) => 1 + (index % 5)));
  });
});

describe('the ledger', () => {
  it('holds refused and unmatched calls, in order, and can be read from a point on', async () => {
    const at = await opened('told');
    await api(at, 'GET', '/network-monitoring/v1/aps?colour=red');
    await api(at, 'GET', '/nowhere');
    await fetch(`${at.base}/network-monitoring/v1/aps`);
    await fetch(`${fake.api}/ns/told/elsewhere/aps`);
    const entries = await ledger('told', 1);
    expect(entries.map((entry) => [entry.seq, entry.platform, entry.operationId, entry.status])).toEqual([
      [2, 'mgmt', 'listAps', 400],
      [3, 'mgmt', null, 404],
      [4, 'mgmt', 'listAps', 401],
      [5, 'elsewhere', null, 404],
    ]);
  });
});

describe('state over the control port', () => {
  it('counts objects by resource and shows them with secrets as presence', async () => {
    const at = await opened('shown');
    await api(at, 'POST', '/network-config/v1alpha1/auth-servers/radius-9', SERVER);
    const { json: summary } = await control('GET', '/namespaces/shown/state?platform=mgmt');
    expect((summary['resources'] as Record<string, number>)['aps']).toBe(3);
    const { json } = await control('GET', '/namespaces/shown/state?platform=mgmt&resource=auth-servers');
    const row = (json['items'] as Record<string, unknown>[]).find((each) => each['name'] === 'radius-9');
    expect(row?.['shared-secret-config']).toMatchObject({ 'plaintext-value': { present: true } });
    expect(JSON.stringify(json)).not.toContain('not-a-real-one');
  });

  it('returns to a snapshot with the same hash', async () => {
    const at = await opened('saved');
    const { json: before } = await control('GET', '/namespaces/saved/state-hash');
    const { json: snapshot } = await control('POST', '/namespaces/saved/snapshot');
    await api(at, 'POST', '/network-config/v1alpha1/auth-servers/radius-9', SERVER);
    expect((await control('GET', '/namespaces/saved/state-hash')).json).not.toEqual(before);
    expect((await control('POST', '/namespaces/saved/restore', snapshot)).status).toBe(200);
    expect((await control('GET', '/namespaces/saved/state-hash')).json).toEqual(before);
  });
});

describe('bad control calls are refused by name', () => {
  const cases: [string, string, unknown, number, string][] = [
    ['POST', '/namespaces/x/reset', { fixture: 'nothing-of-that-name' }, 400, 'FAKE_UNKNOWN_BUNDLE'],
    ['POST', '/namespaces/x/reset', { seed: -1 }, 400, 'INVALID_FIELD'],
    ['POST', '/namespaces/x/reset', { limit: 'enforced' }, 400, 'INVALID_FIELD'],
    ['POST', '/namespaces/x/reset', { limits: 'strict' }, 400, 'INVALID_FIELD'],
    ['POST', '/namespaces/b%20d/reset', {}, 400, 'INVALID_NAMESPACE'],
    ['GET', '/namespaces/default/ledger?after=x', undefined, 400, 'INVALID_PARAMETER'],
    ['GET', '/namespaces/default/state?platform=other', undefined, 404, 'UNKNOWN_PLATFORM'],
    ['GET', '/namespaces/default/state?platform=mgmt&resource=ghosts', undefined, 404, 'UNKNOWN_RESOURCE'],
    ['POST', '/namespaces/default/restore', { id: 'snapshot-9' }, 404, 'UNKNOWN_SNAPSHOT'],
    ['POST', '/namespaces/default/clock', { advanceSeconds: -5 }, 400, 'INVALID_FIELD'],
    ['GET', '/nothing', undefined, 404, 'UNKNOWN_PATH'],
  ];
  it.each(cases)('%s %s %o', async (method, path, body, status, code) => {
    const answer = await control(method, path, body);
    expect([answer.status, answer.json['code']]).toEqual([status, code]);
  });

  it('and a refused reset leaves the namespace as it was', async () => {
    const at = await opened('kept');
    await api(at, 'GET', '/network-monitoring/v1/aps');
    await control('POST', '/namespaces/kept/reset', { fixture: 'nothing-of-that-name' });
    expect(await ledger('kept')).toHaveLength(2);
  });

  it('and the control port knows no platform, the API port no control', async () => {
    expect((await fetch(`${fake.control}/mgmt/network-monitoring/v1/aps`)).status).toBe(404);
    expect((await fetch(`${fake.api}/namespaces/default/ledger`)).status).toBe(404);
  });
});
