import { beforeAll, describe, expect, it } from 'vitest';
import { type Campus, type CampusTestbed, campus } from './campus-testbed.ts';

const MONITOR = '/network-monitoring/v1';
const TROUBLE = '/network-troubleshooting/v1';
const CONFIG = '/network-config/v1alpha1';

type Values = Record<string, unknown>;

let shipped: Campus;
let testbed: CampusTestbed;

beforeAll(async () => {
  shipped = await campus();
});

function find(resource: string, condition: string): Record<string, unknown> {
  const found = testbed.call('GET', `${MONITOR}/${resource}?filter=${encodeURIComponent(condition)}`);
  expect(found.status).toBe(200);
  return found.items[0] as Record<string, unknown>;
}

describe('an action changes what is read afterwards', () => {
  it('a reboot starts the uptime anew, once its task completes', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-02'")['serialNumber']);
    const uptime = () => Number(testbed.call('GET', `${MONITOR}/aps/${serial}`).json['uptimeSeconds']);
    const before = uptime();
    expect(before).toBeGreaterThan(86_400);
    const started = testbed.call('POST', `${TROUBLE}/aps/${serial}/reboot`, { reason: 'test' });
    expect(uptime()).toBeGreaterThanOrEqual(before);
    testbed.finish(started);
    expect(uptime()).toBeLessThan(5);
    expect(testbed.call('GET', `${MONITOR}/devices/${serial}`).json['lastRebootReason']).toBe('USER_REBOOT');
  });

  it('a disconnected client is missing from two reads of the list and then back', () => {
    testbed = shipped.open();
    const client = find('clients', "connectionType eq 'WIRELESS' and status eq 'CONNECTED'");
    const list = () =>
      testbed
        .call('GET', `${MONITOR}/clients?limit=1000`)
        .items.some((row) => row['macAddress'] === client['macAddress']);
    const done = testbed.call('POST', `${TROUBLE}/aps/${String(client['connectedDeviceSerial'])}/disconnect-client`, {
      clientMac: client['macAddress'],
    });
    expect(done.json).toMatchObject({ clientMac: client['macAddress'], wasConnected: true });
    expect([list(), list(), list()]).toEqual([false, false, true]);
  });

  it('acknowledging and clearing an alert changes it, the counts and the site', () => {
    testbed = shipped.open();
    const alerts = testbed.call(
      'GET',
      `/network-notifications/v1/alerts?filter=${encodeURIComponent("severity eq 'CRITICAL' and status eq 'ACTIVE'")}`,
    ).items;
    const alert = alerts[0] as Record<string, unknown>;
    const id = String(alert['alertId']);
    const critical = () =>
      (
        testbed.call('GET', `${MONITOR}/sites-health/${String(alert['siteId'])}`).json['alerts'] as Record<
          string,
          number
        >
      )['critical'];
    const before = Number(critical());
    expect(
      testbed.call('POST', `/network-notifications/v1/alerts/${id}/acknowledge`, { comment: 'mine' }).json['status'],
    ).toBe('ACKNOWLEDGED');
    expect(critical()).toBe(before);
    testbed.call('POST', `/network-notifications/v1/alerts/${id}/clear`, { clearReason: 'FIXED' });
    expect(critical()).toBe(before - 1);
    expect(testbed.call('GET', `/network-notifications/v1/alerts/${id}`).json).toMatchObject({
      status: 'CLEARED',
      clearReason: 'FIXED',
      comment: 'mine',
    });
  });

  it('a firmware upgrade moves the version everywhere when it completes, and only to a release of the catalogue', () => {
    testbed = shipped.open();
    const outdated = find('aps', "firmwareVersion eq '10.6.0.2'");
    const serial = String(outdated['serialNumber']);
    const path = `/network-services/v1/firmware-details/${serial}/upgrade`;
    expect(testbed.call('POST', path, { version: '9.9.9.9' }).json['errorCode']).toBe('UNKNOWN_RELEASE');
    const output = testbed.finish(testbed.call('POST', path, { version: '10.7.1.1' }));
    expect(output).toMatchObject({ previousVersion: '10.6.0.2', runningVersion: '10.7.1.1', rebooted: true });
    expect(testbed.call('GET', `${MONITOR}/aps/${serial}`).json['firmwareVersion']).toBe('10.7.1.1');
    expect(testbed.call('GET', `/network-services/v1/firmware-details/${serial}`).json).toMatchObject({
      isCompliant: true,
      upgradeState: 'UP_TO_DATE',
    });
  });

  it('a resync takes the drift away from device, switch and health record', () => {
    testbed = shipped.open();
    const drifted = find('config-health/devices', "syncState eq 'DRIFTED'");
    const serial = String(drifted['serialNumber']);
    testbed.finish(testbed.call('POST', `${MONITOR}/config-health/devices/${serial}/resync`, {}));
    expect(testbed.call('GET', `${MONITOR}/config-health/devices/${serial}`).json).toMatchObject({
      syncState: 'SYNCHRONIZED',
      differences: [],
    });
    expect(testbed.call('GET', `${MONITOR}/switches/${serial}`).json['configStatus']).toBe('SYNCHRONIZED');
  });
});

describe('what belongs where', () => {
  const clientsAt = (siteId: string) =>
    (testbed.call('GET', `${MONITOR}/sites-health/${siteId}`).json['clients'] as Record<string, number>)['total'] ?? 0;

  it('an access point that is moved takes its clients and its inventory entry along', () => {
    testbed = shipped.open();
    const ap = find('aps', "siteId eq 'hq' and status eq 'ONLINE'");
    const serial = String(ap['serialNumber']);
    const own = Number(testbed.call('GET', `${MONITOR}/aps/${serial}`).json['clientCount']);
    expect(own).toBeGreaterThan(0);
    const [hq, depot] = [clientsAt('hq'), clientsAt('depot')];
    testbed.call('POST', `${CONFIG}/sites/depot/add-devices`, { 'serial-numbers': [serial] });
    expect([clientsAt('hq'), clientsAt('depot')]).toEqual([hq - own, depot + own]);
    expect(testbed.call('GET', `${MONITOR}/device-inventory/${serial}`).json['siteId']).toBe('depot');
    expect(find('clients', `connectedDeviceSerial eq '${serial}'`)['siteId']).toBe('depot');
    const { nodes, links } = testbed.call('GET', `${MONITOR}/topology/depot`).json as Record<string, Values[]>;
    const drawn = new Set(nodes?.map(({ id }) => id));
    expect(links?.filter(({ from, to }) => !drawn.has(from) || !drawn.has(to))).toEqual([]);
  });

  it('devices that are taken away from a site are at none', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "siteId eq 'hq'")['serialNumber']);
    const other = String(find('aps', "siteId eq 'clinic'")['serialNumber']);
    const count = () => Number(testbed.call('GET', `${CONFIG}/sites/hq`).json['device-count']);
    const before = count();
    const body = { 'serial-numbers': [serial, other] };
    expect(testbed.call('POST', `${CONFIG}/sites/hq/remove-devices`, body).json).toEqual({ removed: 1 });
    expect(count()).toBe(before - 1);
    const siteOf = (id: string) => testbed.call('GET', `${MONITOR}/devices/${id}`).json['siteId'];
    expect([siteOf(serial), siteOf(other)]).toEqual([null, 'clinic']);
    expect(testbed.call('GET', `${CONFIG}/personas/${serial}`).json['scope-id']).toBe(
      testbed.call('GET', `${CONFIG}/global`).json['scope-id'],
    );
  });

  it('devices leave a group, and sites join and leave a collection', () => {
    testbed = shipped.open();
    const group = `${CONFIG}/device-groups/warehouse-switches`;
    const [first, ...others] = testbed.call('GET', group).json['serial-numbers'] as string[];
    const left = testbed.call('POST', `${group}/remove-devices`, { 'serial-numbers': [first] });
    expect(left.json).toEqual({ 'device-count': others.length });
    expect(testbed.call('GET', group).json['serial-numbers']).toEqual(others);

    const collectionOf = () => testbed.call('GET', `${CONFIG}/sites/depot`).json['collection-id'];
    const body = { 'site-ids': ['depot'] };
    const joined = testbed.call('POST', `${CONFIG}/site-collections/all-clinics/add-sites`, body);
    expect([joined.json, collectionOf()]).toEqual([{ 'site-count': 2 }, 'all-clinics']);
    expect(testbed.call('GET', `${CONFIG}/site-collections/ireland`).json['site-count']).toBe(1);
    const gone = testbed.call('POST', `${CONFIG}/site-collections/all-clinics/remove-sites`, body);
    expect([gone.json, collectionOf()]).toEqual([{ 'site-count': 1 }, null]);
  });
});

describe('a site', () => {
  const place = { street: '1 Quay', city: 'Cork', country: 'IE', timezone: 'Europe/Dublin' };
  const health = (id: string) => testbed.call('GET', `${MONITOR}/sites-health/${id}`);

  it('that is created is watched, with the devices that are placed there', () => {
    testbed = shipped.open();
    const id = String(testbed.call('POST', `${CONFIG}/sites`, { name: 'Quay Office', ...place }).json['scope-id']);
    expect(health(id).json).toMatchObject({
      siteName: 'Quay Office',
      devices: { total: 0 },
      address: { city: 'Cork' },
    });
    const serial = String(find('switches', "siteId eq 'depot'")['serialNumber']);
    testbed.call('POST', `${CONFIG}/sites/${id}/add-devices`, { 'serial-numbers': [serial] });
    expect(health(id).json['devices']).toEqual({ total: 1, offline: 0 });
    const rows = testbed.call('GET', `${MONITOR}/sites-device-health?limit=100`).items;
    const own = rows.filter((row) => row['siteId'] === id && row['deviceType'] === 'SWITCH');
    expect(own.map((row) => Number(row['goodDevices']) + Number(row['fairDevices']))).toEqual([1]);
    const { nodes } = testbed.call('GET', `${MONITOR}/topology/${id}`).json;
    expect(nodes).toEqual([expect.objectContaining({ id: serial })]);
  });

  it('that is renamed has its new name wherever it is named', () => {
    testbed = shipped.open();
    const name = 'South Depot';
    expect(testbed.call('PUT', `${CONFIG}/sites/depot`, { name, ...place }).status).toBe(200);
    expect(health('depot').json['siteName']).toBe(name);
    for (const kind of ['devices', 'aps', 'switches', 'gateways'])
      expect(find(kind, "siteId eq 'depot'")['siteName'] ?? name, kind).toBe(name);
    expect(find('devices', "siteId eq 'depot'")['siteName']).toBe(name);
  });

  it('that is deleted has neither devices nor a health', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "siteId eq 'clinic'")['serialNumber']);
    expect(testbed.call('DELETE', `${CONFIG}/sites/clinic`).status).toBe(200);
    expect(health('clinic').status).toBe(404);
    expect(testbed.call('GET', `${MONITOR}/devices/${serial}`).json).toMatchObject({ siteId: null, siteName: null });
  });
});

it('a list is filtered by a field called start that is no time', () => {
  testbed = shipped.open();
  const all = testbed.call('GET', `${CONFIG}/nat-pools`).items;
  const start = String(all[0]?.['start']);
  const found = testbed.call('GET', `${CONFIG}/nat-pools?start=${start}`);
  expect([found.status, found.items]).toEqual([200, all.filter((row) => row['start'] === start)]);
});

it.each([
  ["severity eq 'critical'", 'expected one of CRITICAL, MAJOR'],
  ["status in ('ACTIVE','OPEN')", 'got \\"OPEN\\"'],
  ["raisedAt gt 'yesterday'", 'expected a time such as'],
])('the filter %s, which nothing can fit, is refused', (filter, says) => {
  testbed = shipped.open();
  const answer = testbed.call('GET', `/network-notifications/v1/alerts?filter=${encodeURIComponent(filter)}`);
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(says)]);
  const known = encodeURIComponent("severity in ('CRITICAL','MAJOR') and raisedAt gt '2026-03-01T00:00:00Z'");
  expect(testbed.call('GET', `/network-notifications/v1/alerts?filter=${known}`).status).toBe(200);
});

describe('a test tells what state says', () => {
  it('an offline device cannot start one', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "status eq 'OFFLINE'")['serialNumber']);
    const refused = testbed.call('POST', `${TROUBLE}/aps/${serial}/ping`, { destination: 'radius-1' });
    expect([refused.status, refused.json['errorCode']]).toEqual([409, 'DEVICE_OFFLINE']);
  });

  it('a ping of an offline device loses every packet, of a live one none', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-01'")['serialNumber']);
    const ping = (destination: string) =>
      testbed.finish(testbed.call('POST', `${TROUBLE}/aps/${serial}/ping`, { destination, count: 3 }));
    expect(ping('depot-ap-03')).toMatchObject({ verdict: 'FAILED', received: 0, lossPercent: 100 });
    expect(ping('hq-gw-01')).toMatchObject({ verdict: 'PASSED', received: 3, lossPercent: 0 });
  });

  it('a login against the slow server is slow, and the password is nowhere', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-01'")['serialNumber']);
    const login = (serverName: string) => {
      const started = testbed.call('POST', `${TROUBLE}/aps/${serial}/aaa`, {
        serverName,
        username: 'probe',
        password: 'not-a-real-one',
      });
      return testbed.finish(started);
    };
    const slow = login('radius-1');
    expect(slow['outcome'] === 'TIMEOUT' || Number(slow['responseMs']) > 2000).toBe(true);
    expect(Number(login('radius-2')['responseMs'])).toBeLessThan(200);
    expect(JSON.stringify([...testbed.state.tasks.values()])).not.toContain('not-a-real-one');
  });

  it('the list of tasks shows what was started and how far it is', () => {
    testbed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-01'")['serialNumber']);
    testbed.finish(testbed.call('POST', `${TROUBLE}/aps/${serial}/ping`, { destination: 'hq-gw-01' }));
    testbed.call('POST', `${TROUBLE}/aps/${serial}/traceroute`, { destination: 'hq-gw-01' });
    const tasks = testbed.call('GET', `${TROUBLE}/aps/${serial}/tasks`).items;
    expect(tasks.map((task) => [task['test'], task['state']]).sort()).toEqual([
      ['PING', 'COMPLETED'],
      ['TRACEROUTE', 'INITIATED'],
    ]);
  });
});

describe('scoped configuration', () => {
  const assignment = {
    'scope-id': 'depot',
    'device-function': 'CAMPUS_AP',
    'profile-type': 'wlan-ssids',
    'profile-instance': 'pop-up-event',
  };
  const visible = (query: string) =>
    testbed.call('GET', `${CONFIG}/wlan-ssids?${query}`).items.map((row) => row['ssid'] ?? row['name']);

  it('a library object is seen at a scope once it is assigned there, and cannot be deleted while it is', () => {
    testbed = shipped.open();
    expect(visible('scope-id=depot')).not.toContain('pop-up-event');
    expect(testbed.call('POST', `${CONFIG}/config-assignments`, [assignment]).status).toBe(200);
    expect(visible('scope-id=depot')).toContain('pop-up-event');
    expect(visible('scope-id=clinic')).not.toContain('pop-up-event');
    expect(testbed.call('DELETE', `${CONFIG}/wlan-ssids/pop-up-event`).status).toBe(409);
    expect(testbed.call('DELETE', `${CONFIG}/config-assignments/depot/CAMPUS_AP/wlan-ssids/pop-up-event`).status).toBe(
      200,
    );
    expect(testbed.call('DELETE', `${CONFIG}/wlan-ssids/pop-up-event`).status).toBe(200);
  });

  it('effective adds what the scopes above assign', () => {
    testbed = shipped.open();
    expect(visible('scope-id=depot')).not.toContain('staff');
    expect(visible('scope-id=depot&effective=true')).toContain('staff');
  });

  it('assignments are read back by scope, device function and profile type', () => {
    testbed = shipped.open();
    testbed.call('POST', `${CONFIG}/config-assignments`, [assignment]);
    const read = testbed.call(
      'GET',
      `${CONFIG}/config-assignments?scope-id=depot&device-function=CAMPUS_AP&profile-type=wlan-ssids`,
    ).items;
    expect(read.map((row) => row['profile-instance'])).toContain('pop-up-event');
    expect(read.every((row) => row['scope-id'] === 'depot' && row['profile-type'] === 'wlan-ssids')).toBe(true);
  });

  it.each([
    [{ 'scope-id': 'nowhere' }, 400, /"scope-id": expected the id of an existing scope/],
    [{ 'profile-instance': 'ghost' }, 400, /"profile-instance": expected an existing wlan-ssids entry, got "ghost"/],
    [{ 'profile-type': 'vrrp-global', 'profile-instance': 'hq-vrrp' }, 400, /whose objects are LOCAL/],
    [
      { 'profile-type': 'auth-servers', 'profile-instance': 'ldap-1', 'device-function': 'ACCESS_SWITCH' },
      422,
      /expected one of RADIUS, TACACS on device function ACCESS_SWITCH, got "LDAP"/,
    ],
  ])('an assignment with %o is refused', (change, status, says) => {
    testbed = shipped.open();
    const refused = testbed.call('POST', `${CONFIG}/config-assignments`, [{ ...assignment, ...change }]);
    expect(refused.status).toBe(status);
    expect(refused.json['message']).toMatch(says);
    expect(
      testbed
        .call('GET', `${CONFIG}/config-assignments?scope-id=depot&device-function=CAMPUS_AP`)
        .items.map((row) => row['profile-instance']),
    ).not.toContain('ghost');
  });

  it.each(['scope-id=depot', 'device-function=CAMPUS_AP', 'profile-type=wlan-ssids'])(
    'assignments are not read with %s alone',
    (query) => {
      testbed = shipped.open();
      const refused = testbed.call('GET', `${CONFIG}/config-assignments?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.json['message']).toMatch(/"(scope-id|device-function)": expected/);
    },
  );

  it('a virtual router has a router id and address family that no other one has', () => {
    testbed = shipped.open();
    const router = { 'router-id': 20, 'address-family': 'ipv4', vlan: 20, 'virtual-addresses': ['10.10.20.254'] };
    for (const method of ['POST', 'PUT']) {
      const refused = testbed.call(method, `${CONFIG}/vrrp/second-staff-gateway`, router);
      expect([refused.status, refused.json['errorCode']]).toEqual([409, 'ALREADY_EXISTS']);
      expect(refused.json['message']).toMatch(
        /"router-id", "address-family".* got 20 \(number\), "ipv4" \(string\), which another/,
      );
    }
    const family = { ...router, 'address-family': 'ipv6', 'virtual-addresses': ['2001:db8:20::1'] };
    expect(testbed.call('POST', `${CONFIG}/vrrp/second-staff-gateway`, family).status).toBe(200);
    expect(testbed.call('POST', `${CONFIG}/vrrp/third-gateway`, { ...router, 'router-id': 21 }).status).toBe(200);
    const moved = testbed.call('PATCH', `${CONFIG}/vrrp/third-gateway`, { 'router-id': 20 });
    expect([400, 422]).toContain(moved.status);
    expect(testbed.call('GET', `${CONFIG}/vrrp/third-gateway`).json['router-id']).toBe(21);
  });

  it('a LOCAL object names scope and device function on the write and is seen there', () => {
    testbed = shipped.open();
    const body = { 'description-text': 'Cameras', rd: '65010:77' };
    expect(testbed.call('POST', `${CONFIG}/vrfs/camera-net`, body).json['message']).toMatch(
      /query parameter "(scope-id|device-function)": expected a value/,
    );
    const place = 'scope-id=clinic&device-function=BRANCH_GW';
    expect(testbed.call('POST', `${CONFIG}/vrfs/camera-net?${place}`, body).status).toBe(200);
    const names = (query: string) => testbed.call('GET', `${CONFIG}/vrfs?${query}`).items.map((row) => row['name']);
    expect(names('scope-id=clinic')).toEqual(['camera-net']);
    expect(names('scope-id=depot')).toEqual([]);
    expect(testbed.call('GET', `${CONFIG}/vrfs/camera-net`).json['metadata']).toMatchObject({
      'object-type': 'LOCAL',
      'scope-id': 'clinic',
      'device-function': 'BRANCH_GW',
    });
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s of a LOCAL object names the place where it was written', (method) => {
    testbed = shipped.open();
    const home = 'scope-id=clinic&device-function=BRANCH_GW';
    const body = { 'description-text': 'Cameras', rd: '65010:77' };
    const send = (place: string) =>
      testbed.call(method, `${CONFIG}/vrfs/camera-net?${place}`, method === 'DELETE' ? undefined : body);
    testbed.call('POST', `${CONFIG}/vrfs/camera-net?${home}`, body);
    const refused = send('scope-id=depot&device-function=BRANCH_GW');
    expect(refused.status).toBe(409);
    expect(refused.json['message']).toContain('expected scope-id "clinic" and device-function "BRANCH_GW"');
    expect(testbed.call('GET', `${CONFIG}/vrfs/camera-net`).json).toMatchObject({ rd: '65010:77' });
    expect(send(home).status).toBe(200);
  });
});

describe('what is observed on a library object names the device', () => {
  it('the status differs from device to device, and a device that is unknown or left out is refused', () => {
    testbed = shipped.open();
    const [one, other] = testbed.call('GET', `${MONITOR}/switches?limit=2`).items;
    const ntp = String(testbed.call('GET', `${CONFIG}/ntp?limit=1`).items[0]?.['name']);
    const status = (query: string) => testbed.call('GET', `${CONFIG}/ntp/${ntp}/status${query}`);
    const of = (device: typeof one) => status(`?serial-number=${String(device?.['serialNumber'])}`);
    expect(of(one).status).toBe(200);
    expect(of(one).json).toEqual(of(one).json);
    expect(of(one).json).not.toEqual(of(other).json);
    expect(status('').status).toBe(400);
    expect(status('?serial-number=NOSUCHBOX1').status).toBe(404);
  });
});
