/** Each planned fault as a client meets it, and what the ledger says of the call. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../fake.ts';
import { foreignDocument } from '../test/foreign-sample-document.ts';
import { servedDocument } from '../test/served-document.ts';
import type { Fault, FaultReport, FaultRule } from './fault-plan.ts';
import type { LedgerEntry } from './ledger.ts';
import { encoded } from './reflection.ts';

const SERVERS = '/network-config/v1alpha1/auth-servers';
const SECRET = 'demo-secret';

let fake: FakeApi;
let token: string;
beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'], fixture: 'tiny' });
  token = await logIn();
});
afterAll(() => fake.close());

async function logIn(): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: SECRET,
  });
  const answer = await fetch(`${fake.platforms['mgmt']}/as/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const control = async (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${fake.control}/namespaces/default${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const plan = (...rules: FaultRule[]) => control('PUT', '/faults', { rules });
const ledger = async () => ((await (await control('GET', '/ledger')).json()) as { entries: LedgerEntry[] }).entries;
const api = (path = SERVERS, init: RequestInit = {}) =>
  fetch(`${fake.platforms['mgmt']}${path}`, {
    ...init,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
const text = async (path?: string, init?: RequestInit) => (await api(path, init)).text();
const always = (fault: Fault): FaultRule => ({ operation: 'listAuthServers', times: 0, fault });

describe('a rule strikes', () => {
  test('at the calls it names, by operation and number, and at no other', async () => {
    await plan(
      { operation: 'listAuthServers', from: 2, times: 2, fault: { kind: 'status', status: 503 } },
      { operation: `GET ${SERVERS}/{name}`, fault: { kind: 'status', status: 500 } },
    );
    const statuses = [];
    for (let call = 0; call < 5; call++) statuses.push((await api()).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
    expect((await api('/network-monitoring/v1/aps')).status).toBe(200);
    expect((await api(`${SERVERS}/radius-1`)).status).toBe(500);
    const { rules } = (await (await control('GET', '/faults')).json()) as { rules: FaultReport[] };
    expect(rules.map(({ seen, struck, arrivals }) => [seen, struck, arrivals.length])).toEqual([
      [5, 2, 5],
      [1, 1, 1],
    ]);
  });

  test('by class, the token endpoint included; a reset ends the plan', async () => {
    await plan({ capability: 'auth', times: 0, fault: { kind: 'status', status: 500 } });
    await expect(logIn()).resolves.toBeUndefined();
    expect((await api()).status).toBe(200);
    await control('POST', '/reset', {});
    await expect(logIn()).resolves.toEqual(expect.any(String));
  });

  test('and a plan that is none is refused by name', async () => {
    const answer = await plan({ fault: { kind: 'status', status: 200 } });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'INVALID_FIELD']);
  });
});

describe('on the wire', () => {
  test.each<[string, Fault, RegExp]>([
    ['a reset', { kind: 'reset' }, /ECONNRESET/],
    ['a cut before the body', { kind: 'cut', at: 'before' }, /terminated|UND_ERR_SOCKET|other side closed/],
    ['a cut within it', { kind: 'cut', at: 'within' }, /terminated|UND_ERR_SOCKET|other side closed/],
    ['a cut where it should end', { kind: 'cut', at: 'after' }, /terminated|UND_ERR_SOCKET|other side closed/],
    ['a length too long', { kind: 'length', by: 50 }, /terminated|UND_ERR_SOCKET|other side closed/],
    ['a hang', { kind: 'hang' }, /timeout|aborted/i],
    ['a slow drip', { kind: 'drip', bytes: 1, everyMs: 100 }, /timeout|aborted/i],
  ])('%s breaks the read', async (_name, fault, broken) => {
    await plan(always(fault));
    // Only what never ends is given up; the others break by themselves.
    const patience = ['hang', 'drip'].includes(fault.kind) ? { signal: AbortSignal.timeout(2_000) } : {};
    const error = (await text(SERVERS, patience).catch((reason: unknown) => reason)) as Error;
    expect(
      `${error} ${(error as { cause?: unknown }).cause} ${(error.cause as { code?: string } | undefined)?.code}`,
    ).toMatch(broken);
    expect((await ledger()).at(-1)).toMatchObject({ operationId: 'listAuthServers', fault: fault.kind });
  });

  test('a body that is cut, mislabelled, too short by its length, redirected or late arrives as such', async () => {
    await plan(always({ kind: 'broken-json' }));
    const broken = await text();
    expect(() => JSON.parse(broken)).toThrow();
    await plan(always({ kind: 'length', by: -10 }));
    await expect(text().then(JSON.parse)).rejects.toThrow();
    await plan(always({ kind: 'content-type', value: 'text/html', body: '<html></html>' }));
    const page = await api();
    expect([page.headers.get('content-type'), await page.text()]).toEqual(['text/html', '<html></html>']);
    await plan(always({ kind: 'redirect', to: 'http://elsewhere.test/x', status: 307 }));
    const moved = await api();
    expect([moved.status, moved.headers.get('location')]).toEqual([307, 'http://elsewhere.test/x']);
    await plan(always({ kind: 'delay', ms: 120 }));
    const since = performance.now();
    expect((await api()).status).toBe(200);
    expect(performance.now() - since).toBeGreaterThan(100);
    await plan(always({ kind: 'status', status: 429, retryAfter: '7' }));
    const busy = await api();
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7']);
  });

  test('a huge body and a packed one are as long as planned', async () => {
    await plan(always({ kind: 'huge', bytes: 3_000_000 }));
    expect((await text()).length).toBeGreaterThan(3_000_000);
    await plan(always({ kind: 'gzip-bomb', bytes: 3_000_000 }));
    expect((await text()).length).toBeGreaterThan(3_000_000);
  });
});

describe('a write', () => {
  const put = (name: string) =>
    api(`${SERVERS}/${name}`, {
      method: 'POST',
      body: JSON.stringify({
        type: 'RADIUS',
        'auth-server-address': 'radius-9.lab.example',
        'shared-secret-config': { 'plaintext-value': 'not-a-real-one' },
      }),
    });
  const there = async (name: string) => (await api(`${SERVERS}/${name}`)).status;

  test('that is struck before its effect did nothing, one struck after it did', async () => {
    await control('POST', '/reset', {});
    await plan({ capability: 'write', times: 0, fault: { kind: 'reset', effect: 'before' } });
    await expect(put('never')).rejects.toThrow();
    expect(await there('never')).toBe(404);
    await plan({ capability: 'write', times: 0, fault: { kind: 'reset', effect: 'after' } });
    await expect(put('there')).rejects.toThrow();
    expect(await there('there')).toBe(200);
    const writes = (await ledger()).filter(({ capability }) => capability === 'write');
    expect(writes.map(({ path, status, fault }) => [path.split('/').at(-1), status, fault])).toEqual([
      ['never', 503, 'reset'],
      ['there', 200, 'reset'],
    ]);
  });

  test('after a token has expired is refused until somebody logs in again', async () => {
    await plan({ capability: 'read', fault: { kind: 'expire' } });
    expect((await api()).status).toBe(401);
    expect((await put('late')).status).toBe(401);
    token = await logIn();
    expect((await put('late')).status).toBe(200);
  });
});

describe('a reflecting platform', () => {
  const reflect = (...places: ('body' | 'header' | 'error')[]): FaultRule => ({
    times: 0,
    fault: { kind: 'reflect', in: places, encodings: ['raw', 'base64', 'hex', 'url', 'json', 'piece'] },
  });

  test('says back the token and the secret it heard, in bodies, headers and error texts', async () => {
    await plan(reflect('body', 'header'));
    token = await logIn();
    const answer = await api();
    const body = await answer.text();
    for (const secret of [token, SECRET]) {
      expect(answer.headers.get('x-debug')).toContain(secret);
      for (const encoding of ['raw', 'hex', 'url'] as const) expect(body).toContain(encoded(secret, encoding));
    }
    await plan(reflect('error'));
    const refusal = await api();
    expect([refusal.status, (await refusal.text()).includes(token)]).toEqual([422, true]);
  });

  test('packed as a whole it still says it', async () => {
    await plan({ times: 0, fault: { kind: 'reflect', in: ['body'], encodings: ['gzip'] } });
    const answer = await api();
    expect([answer.headers.get('content-encoding'), (await answer.text()).includes(token)]).toEqual(['gzip', true]);
  });
});

test('bytes that come late are the bytes that were put there', async () => {
  const content = { 'application/octet-stream': { schema: {} } };
  const file = {
    put: { requestBody: { content }, responses: { 204: { description: '' } } },
    get: { responses: { 200: { description: '', content } } },
  };
  await using zoo = await servedDocument(foreignDocument({ '/image': file }));
  const body = Buffer.from([0, 127, 128, 200, 255]);
  const headers = { 'content-type': 'application/octet-stream' };
  await fetch(`${zoo.url}/image`, { method: 'PUT', headers, body });
  const rules = [{ operation: 'GET /image', times: 0, fault: { kind: 'delay', ms: 1 } }];
  await fetch(`${zoo.fake.control}/namespaces/default/faults`, { method: 'PUT', body: JSON.stringify({ rules }) });
  expect(Buffer.from(await (await fetch(`${zoo.url}/image`)).arrayBuffer())).toEqual(body);
});
