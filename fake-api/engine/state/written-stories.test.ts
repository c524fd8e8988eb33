/** Configuration as people change it, followed through the served API: library, assignment, inheritance, refusal. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeApi, startFakeApi } from '../../fake.ts';

type Row = Record<string, unknown>;

interface Said {
  status: number;
  body: Row;
}

const LIBRARY = '/network-config/v1alpha1';
const PASSPHRASE = 'correct horse battery';

let fake: FakeApi;
let token: string;

beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'] });
  const form = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' };
  const answer = await fetch(`${fake.platforms['mgmt']}/as/token`, { method: 'POST', body: new URLSearchParams(form) });
  token = ((await answer.json()) as { access_token: string }).access_token;
});

beforeEach(async () => {
  const answer = await fetch(`${fake.control}/namespaces/default/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(200);
});

afterAll(() => fake.close());

async function send(method: string, path: string, body?: unknown): Promise<Said> {
  const answer = await fetch(`${fake.platforms['mgmt']}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Row) };
}

async function read(path: string): Promise<Row> {
  const said = await send('GET', path);
  expect(said, path).toMatchObject({ status: 200 });
  return said.body;
}

async function items(path: string, property = 'items'): Promise<Row[]> {
  return (await read(path))[property] as Row[];
}

/** Assignments at every scope, which no single read of the platform lists. */
async function allAssignments(): Promise<Row[]> {
  const answer = await fetch(`${fake.control}/namespaces/default/state?platform=mgmt&resource=config-assignments`);
  return ((await answer.json()) as { items: Row[] }).items;
}

function assignment(scope: string, type: string, instance: string): Row {
  return { 'scope-id': scope, 'device-function': 'CAMPUS_AP', 'profile-type': type, 'profile-instance': instance };
}

async function sectionsOf(deviceName: string): Promise<Row[]> {
  const [device] = await items(
    `/network-monitoring/v1/devices?filter=${encodeURIComponent(`deviceName eq '${deviceName}'`)}`,
  );
  return items(`${LIBRARY}/effective-config/${device?.['serialNumber']}`, 'sections');
}

const POP_UP: Row = {
  essid: { name: 'Depot-Visit' },
  opmode: 'WPA3_SAE',
  'personal-security': { 'wpa-passphrase': PASSPHRASE },
  'default-role': 'guest',
};

describe('a new wireless network', () => {
  it('is a library object without a scope, keeps its passphrase to itself and is on air nowhere', async () => {
    const made = await send('POST', `${LIBRARY}/wlan-ssids/depot-visit`, POP_UP);
    expect(made.status).toBe(200);
    const wlan = await read(`${LIBRARY}/wlan-ssids/depot-visit`);
    expect(wlan['metadata']).toMatchObject({ 'object-type': 'SHARED', revision: 1 });
    expect(wlan['metadata']).not.toHaveProperty('scope-id');
    expect(wlan['metadata']).not.toHaveProperty('device-function');
    expect(wlan['personal-security']).toMatchObject({ 'wpa-passphrase-configured': true });
    expect(JSON.stringify([made, wlan])).not.toContain(PASSPHRASE);
    expect((await allAssignments()).some((row) => row['profile-instance'] === 'depot-visit')).toBe(false);
    expect(await items(`${LIBRARY}/wlan-ssids?scope-id=depot&effective=true`, 'wlan-ssid')).not.toContainEqual(
      expect.objectContaining({ ssid: 'depot-visit' }),
    );
  });

  it('reaches the site it is assigned to and no other, cannot be deleted meanwhile, and can be afterwards', async () => {
    await send('POST', `${LIBRARY}/wlan-ssids/depot-visit`, POP_UP);
    const wanted = assignment('depot', 'wlan-ssids', 'depot-visit');
    expect(await send('POST', `${LIBRARY}/config-assignments`, [wanted])).toMatchObject({ status: 200 });

    const [assigned, ...more] = await items(
      `${LIBRARY}/config-assignments?scope-id=depot&device-function=CAMPUS_AP&profile-instance=depot-visit`,
    );
    expect(more).toEqual([]);
    expect(assigned).toMatchObject({ ...wanted, 'scope-name': 'North Depot' });
    const place = `${LIBRARY}/config-assignments/depot/CAMPUS_AP/wlan-ssids/depot-visit`;
    const ssids = (rows: Row[]) => rows.map((row) => row['ssid']);
    expect(ssids(await items(`${LIBRARY}/wlan-ssids?scope-id=depot&effective=true`, 'wlan-ssid'))).toContain(
      'depot-visit',
    );
    expect(ssids(await items(`${LIBRARY}/wlan-ssids?scope-id=hq&effective=true`, 'wlan-ssid'))).not.toContain(
      'depot-visit',
    );
    expect(await sectionsOf('depot-ap-01')).toContainEqual(
      expect.objectContaining({ 'profile-instance': 'depot-visit', 'source-scope-id': 'depot' }),
    );
    for (const other of ['hq-ap-01', 'depot-sw-01']) {
      expect(await sectionsOf(other)).not.toContainEqual(
        expect.objectContaining({ 'profile-instance': 'depot-visit' }),
      );
    }

    const refused = await send('DELETE', `${LIBRARY}/wlan-ssids/depot-visit`);
    expect(refused).toMatchObject({ status: 409, body: { errorCode: 'STILL_REFERENCED' } });
    expect(refused.body['message']).toContain('config-assignments/depot/CAMPUS_AP');

    expect(await send('DELETE', place)).toMatchObject({ status: 200, body: { 'assigned-by': 'demo-client' } });
    expect(await sectionsOf('depot-ap-01')).not.toContainEqual(
      expect.objectContaining({ 'profile-instance': 'depot-visit' }),
    );
    expect(await send('DELETE', `${LIBRARY}/wlan-ssids/depot-visit`)).toMatchObject({ status: 200 });
    expect(await send('GET', `${LIBRARY}/wlan-ssids/depot-visit`)).toMatchObject({ status: 404 });
  });

  it('cannot be assigned to a scope that does not exist', async () => {
    const said = await send('POST', `${LIBRARY}/config-assignments`, [assignment('warehouse', 'wlan-ssids', 'lab')]);
    expect(said).toMatchObject({ status: 400, body: { errorCode: 'REFERENCE_NOT_FOUND' } });
    expect(said.body['message']).toContain('"warehouse"');
  });
});

describe('a server in use', () => {
  it('is not deleted, and the refusal names the new group that lists it', async () => {
    const group = { servers: [{ 'server-name': 'radius-spare', position: 1 }] };
    expect(await send('DELETE', `${LIBRARY}/auth-servers/radius-spare`)).toMatchObject({ status: 200 });
    expect(await send('POST', `${LIBRARY}/server-groups/night-shift`, group)).toMatchObject({ status: 400 });

    const listing = { servers: [{ 'server-name': 'radius-1', position: 1 }] };
    const before = await read(`${LIBRARY}/auth-servers/radius-1`);
    expect(await send('POST', `${LIBRARY}/server-groups/night-shift`, listing)).toMatchObject({ status: 200 });
    expect((await read(`${LIBRARY}/auth-servers/radius-1`))['used-by']).toBe(Number(before['used-by']) + 1);
    const refused = await send('DELETE', `${LIBRARY}/auth-servers/radius-1`);
    expect(refused).toMatchObject({ status: 409, body: { errorCode: 'STILL_REFERENCED' } });
    expect(refused.body['message']).toContain('server-groups/night-shift');
    expect(await send('DELETE', `${LIBRARY}/server-groups/night-shift`)).toMatchObject({ status: 200 });
    expect((await read(`${LIBRARY}/auth-servers/radius-1`))['used-by']).toBe(before['used-by']);
  });
});

describe('the scope of an object', () => {
  it('is that of the write for a LOCAL object, which is refused without one', async () => {
    const setting = { enable: true };
    expect(await send('POST', `${LIBRARY}/vrrp-global/depot-vrrp`, setting)).toMatchObject({ status: 400 });
    const place = 'scope-id=depot&device-function=BRANCH_GW';
    expect(await send('POST', `${LIBRARY}/vrrp-global/depot-vrrp?${place}`, setting)).toMatchObject({ status: 200 });
    expect((await read(`${LIBRARY}/vrrp-global/depot-vrrp`))['metadata']).toMatchObject({
      'object-type': 'LOCAL',
      'scope-id': 'depot',
      'device-function': 'BRANCH_GW',
    });
    expect(await sectionsOf('depot-gw-01')).toContainEqual(
      expect.objectContaining({ 'profile-type': 'vrrp-global', 'source-scope-id': 'depot' }),
    );
  });

  it('is nearest first: the clinic follows its own regulator, the other sites that of the tenant', async () => {
    const domains = async (device: string) =>
      (await sectionsOf(device)).filter((entry) => entry['profile-type'] === 'regulatory-domain');
    expect(await domains('clinic-ap-01')).toEqual([
      expect.objectContaining({ 'profile-instance': 'northern-ireland', 'source-scope-name': 'Mill Clinic' }),
    ]);
    expect(await domains('hq-ap-01')).toEqual([
      expect.objectContaining({ 'profile-instance': 'ireland', 'source-scope-id': 'global' }),
    ]);
  });
});

describe('the tenant', () => {
  it('has one global scope, whose counts follow the sites and devices', async () => {
    expect(await read(`${LIBRARY}/global`)).toMatchObject({
      'scope-id': 'global',
      'site-count': 3,
      'device-count': 54,
    });
    const site = { name: 'Pier Kiosk', street: '1 Pier', city: 'Dublin', country: 'IE' };
    const { status, body } = await send('POST', `${LIBRARY}/sites`, site);
    expect(status).toBe(200);
    expect(await read(`${LIBRARY}/global`)).toMatchObject({ 'site-count': 4, 'device-count': 54 });
    expect(await read(`${LIBRARY}/hierarchy/${body['scope-id']}`)).toMatchObject({
      'scope-name': 'Pier Kiosk',
      'scope-type': 'SITE',
      'parent-ids': ['global'],
      children: [],
    });
    await send('DELETE', `${LIBRARY}/sites/${body['scope-id']}`);
    expect(await send('GET', `${LIBRARY}/hierarchy/${body['scope-id']}`)).toMatchObject({ status: 404 });
  });
});

describe('the small campus', () => {
  it('has every network on air at exactly the sites its configuration is assigned to', async () => {
    for (const wlan of await items('/network-monitoring/v1/wlans')) {
      const name = String(wlan['wlanName']);
      const { sites, essid } = await read(`/network-monitoring/v1/wlans/${name}`);
      expect((await read(`${LIBRARY}/wlan-ssids/${name}`))['essid']).toMatchObject({ name: essid });
      const configured: string[] = [];
      for (const site of ['hq', 'depot', 'clinic']) {
        const rows = await items(
          `${LIBRARY}/wlan-ssids?scope-id=${site}&effective=true&device-function=CAMPUS_AP`,
          'wlan-ssid',
        );
        if (rows.some((row) => row['ssid'] === name)) configured.push(site);
      }
      expect(configured, name).toEqual(sites);
    }
  });

  it('leaves one object of each kind unassigned, so that there is something to assign', async () => {
    const kinds = ['wlan-ssids', 'layer2-vlan', 'roles', 'auth-servers', 'server-groups', 'policies', 'stp', 'vrrp'];
    for (const kind of kinds) {
      const library = Object.values(await read(`${LIBRARY}/${kind}`)).find(Array.isArray) as Row[];
      const assigned = (await allAssignments()).filter((row) => row['profile-type'] === kind);
      const names = new Set(assigned.map((row) => row['profile-instance']));
      expect(names.size, kind).toBeGreaterThan(0);
      expect(names.size, kind).toBeLessThan(library.length);
    }
  });
});

describe('the older form of a VLAN', () => {
  it('writes the same VLAN as the newer one and assigns it to the scope in its body', async () => {
    const body = { name: 'kiosk', 'scope-map': { 'scope-id': 'hq', persona: 'ACCESS_SWITCH' } };
    expect(await send('PUT', '/network-config/v1/layer2-vlan/120', body)).toMatchObject({ status: 200 });
    expect(await read(`${LIBRARY}/layer2-vlan/120`)).toMatchObject({ vlan: 120, name: 'kiosk', enable: true });
    expect(await send('DELETE', `${LIBRARY}/layer2-vlan/120`)).toMatchObject({ status: 409 });
    await send('PATCH', `${LIBRARY}/layer2-vlan/120`, { name: 'kiosks' });
    expect(await read('/network-config/v1/layer2-vlan/120')).toMatchObject({ name: 'kiosks' });
    expect(await sectionsOf('hq-sw-03')).toContainEqual(
      expect.objectContaining({ 'profile-type': 'layer2-vlan', 'profile-instance': '120', 'source-scope-id': 'hq' }),
    );
  });
});
