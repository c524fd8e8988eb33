import { beforeAll, describe, expect, it } from 'vitest';
import { type Campus, type CampusBed, campus } from './campus-testbed.ts';

const MONITOR = '/network-monitoring/v1';
const TROUBLE = '/network-troubleshooting/v1';
const CONFIG = '/network-config/v1alpha1';

let shipped: Campus;
let bed: CampusBed;

beforeAll(async () => {
  shipped = await campus();
});

function find(resource: string, condition: string): Record<string, unknown> {
  const found = bed.call('GET', `${MONITOR}/${resource}?filter=${encodeURIComponent(condition)}`);
  expect(found.status).toBe(200);
  return found.items[0] as Record<string, unknown>;
}

describe('an action changes what is read afterwards', () => {
  it('a reboot starts the uptime anew, once its task completes', () => {
    bed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-02'")['serialNumber']);
    const uptime = () => Number(bed.call('GET', `${MONITOR}/aps/${serial}`).json['uptimeSeconds']);
    const before = uptime();
    expect(before).toBeGreaterThan(86_400);
    const started = bed.call('POST', `${TROUBLE}/aps/${serial}/reboot`, { reason: 'test' });
    expect(uptime()).toBeGreaterThanOrEqual(before);
    bed.finish(started);
    expect(uptime()).toBeLessThan(5);
    expect(bed.call('GET', `${MONITOR}/devices/${serial}`).json['lastRebootReason']).toBe('USER_REBOOT');
  });

  it('a disconnected client is missing from two reads of the list and then back', () => {
    bed = shipped.open();
    const client = find('clients', "connectionType eq 'WIRELESS' and status eq 'CONNECTED'");
    const list = () =>
      bed.call('GET', `${MONITOR}/clients?limit=1000`).items.some((row) => row['macAddress'] === client['macAddress']);
    const done = bed.call('POST', `${TROUBLE}/aps/${String(client['connectedDeviceSerial'])}/disconnect-client`, {
      clientMac: client['macAddress'],
    });
    expect(done.json).toMatchObject({ clientMac: client['macAddress'], wasConnected: true });
    expect([list(), list(), list()]).toEqual([false, false, true]);
  });

  it('acknowledging and clearing an alert changes it, the counts and the site', () => {
    bed = shipped.open();
    const alerts = bed.call(
      'GET',
      `/network-notifications/v1/alerts?filter=${encodeURIComponent("severity eq 'CRITICAL' and status eq 'ACTIVE'")}`,
    ).items;
    const alert = alerts[0] as Record<string, unknown>;
    const id = String(alert['alertId']);
    const critical = () =>
      (bed.call('GET', `${MONITOR}/sites-health/${String(alert['siteId'])}`).json['alerts'] as Record<string, number>)[
        'critical'
      ];
    const before = Number(critical());
    expect(
      bed.call('POST', `/network-notifications/v1/alerts/${id}/acknowledge`, { comment: 'mine' }).json['status'],
    ).toBe('ACKNOWLEDGED');
    expect(critical()).toBe(before);
    bed.call('POST', `/network-notifications/v1/alerts/${id}/clear`, { clearReason: 'FIXED' });
    expect(critical()).toBe(before - 1);
    expect(bed.call('GET', `/network-notifications/v1/alerts/${id}`).json).toMatchObject({
      status: 'CLEARED',
      clearReason: 'FIXED',
      comment: 'mine',
    });
  });

  it('a firmware upgrade moves the version everywhere when it completes, and only to a release of the catalogue', () => {
    bed = shipped.open();
    const outdated = find('aps', "firmwareVersion eq '10.6.0.2'");
    const serial = String(outdated['serialNumber']);
    const path = `/network-services/v1/firmware-details/${serial}/upgrade`;
    expect(bed.call('POST', path, { version: '9.9.9.9' }).json['errorCode']).toBe('UNKNOWN_RELEASE');
    const output = bed.finish(bed.call('POST', path, { version: '10.7.1.1' }));
    expect(output).toMatchObject({ previousVersion: '10.6.0.2', runningVersion: '10.7.1.1', rebooted: true });
    expect(bed.call('GET', `${MONITOR}/aps/${serial}`).json['firmwareVersion']).toBe('10.7.1.1');
    expect(bed.call('GET', `/network-services/v1/firmware-details/${serial}`).json).toMatchObject({
      isCompliant: true,
      upgradeState: 'UP_TO_DATE',
    });
  });

  it('a resync takes the drift away from device, switch and health record', () => {
    bed = shipped.open();
    const drifted = find('config-health/devices', "syncState eq 'DRIFTED'");
    const serial = String(drifted['serialNumber']);
    bed.finish(bed.call('POST', `${MONITOR}/config-health/devices/${serial}/resync`, {}));
    expect(bed.call('GET', `${MONITOR}/config-health/devices/${serial}`).json).toMatchObject({
      syncState: 'SYNCHRONIZED',
      differences: [],
    });
    expect(bed.call('GET', `${MONITOR}/switches/${serial}`).json['configStatus']).toBe('SYNCHRONIZED');
  });
});

describe('a test tells what state says', () => {
  it('an offline device cannot start one', () => {
    bed = shipped.open();
    const serial = String(find('aps', "status eq 'OFFLINE'")['serialNumber']);
    const refused = bed.call('POST', `${TROUBLE}/aps/${serial}/ping`, { destination: 'radius-1' });
    expect([refused.status, refused.json['errorCode']]).toEqual([409, 'DEVICE_OFFLINE']);
  });

  it('a ping of an offline device loses every packet, of a live one none', () => {
    bed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-01'")['serialNumber']);
    const ping = (destination: string) =>
      bed.finish(bed.call('POST', `${TROUBLE}/aps/${serial}/ping`, { destination, count: 3 }));
    expect(ping('depot-ap-03')).toMatchObject({ verdict: 'FAILED', received: 0, lossPercent: 100 });
    expect(ping('hq-gw-01')).toMatchObject({ verdict: 'PASSED', received: 3, lossPercent: 0 });
  });

  it('a login against the slow server is slow, and the password is nowhere', () => {
    bed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-01'")['serialNumber']);
    const login = (serverName: string) => {
      const started = bed.call('POST', `${TROUBLE}/aps/${serial}/aaa`, {
        serverName,
        username: 'probe',
        password: 'not-a-real-one',
      });
      return bed.finish(started);
    };
    const slow = login('radius-1');
    expect(slow['outcome'] === 'TIMEOUT' || Number(slow['responseMs']) > 2000).toBe(true);
    expect(Number(login('radius-2')['responseMs'])).toBeLessThan(200);
    expect(JSON.stringify([...bed.state.tasks.values()])).not.toContain('not-a-real-one');
  });

  it('the list of tasks shows what was started and how far it is', () => {
    bed = shipped.open();
    const serial = String(find('aps', "apName eq 'hq-ap-01'")['serialNumber']);
    bed.finish(bed.call('POST', `${TROUBLE}/aps/${serial}/ping`, { destination: 'hq-gw-01' }));
    bed.call('POST', `${TROUBLE}/aps/${serial}/traceroute`, { destination: 'hq-gw-01' });
    const tasks = bed.call('GET', `${TROUBLE}/aps/${serial}/tasks`).items;
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
    bed.call('GET', `${CONFIG}/wlan-ssids?${query}`).items.map((row) => row['ssid'] ?? row['name']);

  it('a library object is seen at a scope once it is assigned there, and cannot be deleted while it is', () => {
    bed = shipped.open();
    expect(visible('scope-id=depot')).not.toContain('pop-up-event');
    expect(bed.call('POST', `${CONFIG}/config-assignments`, [assignment]).status).toBe(200);
    expect(visible('scope-id=depot')).toContain('pop-up-event');
    expect(visible('scope-id=clinic')).not.toContain('pop-up-event');
    expect(bed.call('DELETE', `${CONFIG}/wlan-ssids/pop-up-event`).status).toBe(409);
    expect(bed.call('DELETE', `${CONFIG}/config-assignments/depot/CAMPUS_AP/wlan-ssids/pop-up-event`).status).toBe(200);
    expect(bed.call('DELETE', `${CONFIG}/wlan-ssids/pop-up-event`).status).toBe(200);
  });

  it('effective adds what the scopes above assign', () => {
    bed = shipped.open();
    expect(visible('scope-id=depot')).not.toContain('staff');
    expect(visible('scope-id=depot&effective=true')).toContain('staff');
  });

  it('assignments are read back by scope, device function and profile type', () => {
    bed = shipped.open();
    bed.call('POST', `${CONFIG}/config-assignments`, [assignment]);
    const read = bed.call(
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
    bed = shipped.open();
    const refused = bed.call('POST', `${CONFIG}/config-assignments`, [{ ...assignment, ...change }]);
    expect(refused.status).toBe(status);
    expect(refused.json['message']).toMatch(says);
    expect(
      bed.call('GET', `${CONFIG}/config-assignments?scope-id=depot`).items.map((row) => row['profile-instance']),
    ).not.toContain('ghost');
  });

  it('a LOCAL object names scope and device function on the write and is seen there', () => {
    bed = shipped.open();
    const body = { 'description-text': 'Cameras', rd: '65010:77' };
    expect(bed.call('POST', `${CONFIG}/vrfs/camera-net`, body).json['message']).toMatch(
      /query parameter "(scope-id|device-function)": expected a value/,
    );
    const place = 'scope-id=clinic&device-function=BRANCH_GW';
    expect(bed.call('POST', `${CONFIG}/vrfs/camera-net?${place}`, body).status).toBe(200);
    const names = (query: string) => bed.call('GET', `${CONFIG}/vrfs?${query}`).items.map((row) => row['name']);
    expect(names('scope-id=clinic')).toEqual(['camera-net']);
    expect(names('scope-id=depot')).toEqual([]);
    expect(bed.call('GET', `${CONFIG}/vrfs/camera-net`).json['metadata']).toMatchObject({
      'object-type': 'LOCAL',
      'scope-id': 'clinic',
      'device-function': 'BRANCH_GW',
    });
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s of a LOCAL object names the place where it was written', (method) => {
    bed = shipped.open();
    const home = 'scope-id=clinic&device-function=BRANCH_GW';
    const body = { 'description-text': 'Cameras', rd: '65010:77' };
    const send = (place: string) =>
      bed.call(method, `${CONFIG}/vrfs/camera-net?${place}`, method === 'DELETE' ? undefined : body);
    bed.call('POST', `${CONFIG}/vrfs/camera-net?${home}`, body);
    const refused = send('scope-id=depot&device-function=BRANCH_GW');
    expect(refused.status).toBe(409);
    expect(refused.json['message']).toContain('expected scope-id "clinic" and device-function "BRANCH_GW"');
    expect(bed.call('GET', `${CONFIG}/vrfs/camera-net`).json).toMatchObject({ rd: '65010:77' });
    expect(send(home).status).toBe(200);
  });
});
