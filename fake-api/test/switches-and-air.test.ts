/** What the management cloud says of switches and of WLANs on air fits their ports and their assignments. */
import { beforeAll, expect, it } from 'vitest';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';
import { wholeList } from './whole-list.ts';

type Row = Record<string, unknown>;

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation(['mgmt']);
});

const opened = () => new PlatformClient(installation, 'mgmt');

function listed(client: PlatformClient, operationId: string, path?: string): Row[] {
  const operation = client.platform.byId.get(operationId);
  if (operation === undefined) throw new Error(`operation: expected one of the platform, got "${operationId}"`);
  return wholeList(client, operation, { path: path ?? operation.template, query: '' }).entries as Row[];
}

const MONITORING = '/network-monitoring/v1';
const interfacesOf = (client: PlatformClient, { serialNumber }: Row) =>
  listed(client, 'listSwitchInterfaces', `${MONITORING}/switches/${serialNumber}/interfaces`);

it('a switch counts the ports that its list of interfaces has', () => {
  const mgmt = opened();
  const switches = listed(mgmt, 'listSwitches');
  expect(switches).not.toEqual([]);
  for (const device of switches) {
    const ports = interfacesOf(mgmt, device);
    const up = ports.filter((port) => port['operStatus'] === 'UP').length;
    expect(device, String(device['switchName'])).toMatchObject({ portsTotal: ports.length, portsUp: up });
  }
});

it('a VLAN of a switch has the ports that carry it', () => {
  const mgmt = opened();
  const [device = {}] = listed(mgmt, 'listSwitches').filter(({ switchName }) => switchName === 'hq-sw-04');
  const ports = interfacesOf(mgmt, device);
  const vlan = (id: number) =>
    mgmt.get(`${MONITORING}/switches/${device['serialNumber']}/vlans/${id}`).json as Record<string, string[]>;
  const natives = (id: number) => ports.filter((port) => port['nativeVlan'] === id).map((port) => port['name']);
  expect(new Set(vlan(20)['untaggedPorts'])).toEqual(new Set(natives(20)));
  expect(new Set(vlan(10)['untaggedPorts'])).toEqual(new Set(natives(10)));
  expect(vlan(40)['taggedPorts']).toContain('1/1/1');

  const resource = mgmt.platform.resources.get('switch-interfaces');
  if (resource === undefined) throw new Error('expected interfaces of switches');
  for (const row of mgmt.state.rows('mgmt', resource.name).under([String(device['serialNumber'])]))
    mgmt.state.put(resource, { ...row, value: { ...row.value, taggedVlans: '10,20-30' } });
  expect(vlan(40)['taggedPorts']).toEqual([]);
  expect(vlan(30)['taggedPorts']).toContain('1/1/1');
});

it('a WLAN that is taken off a site is no longer sent there, until it is assigned again', () => {
  const mgmt = opened();
  const seen = () => ({
    wlan: mgmt.get(`${MONITORING}/wlans/guest`).json as Row,
    clients: listed(mgmt, 'listClients').filter(({ wlan, siteId }) => wlan === 'guest' && siteId === 'hq').length,
    bssids: listed(mgmt, 'listBssids').filter(({ essid }) => essid === 'Harbour-Guest').length,
  });
  const before = seen();
  expect(before.wlan).toMatchObject({ sites: ['hq', 'clinic'], apCount: 30, status: 'BROADCASTING' });
  const all = '/network-config/v1alpha1/config-assignments';
  expect(mgmt.call('DELETE', `${all}/hq/CAMPUS_AP/wlan-ssids/guest`).status).toBe(200);
  const off = seen();
  expect(off.wlan).toMatchObject({ sites: ['clinic'], apCount: 6, expectedApCount: 6, status: 'BROADCASTING' });
  expect(off.clients).toBe(0);
  expect(off.bssids).toBeGreaterThan(0);
  expect(off.bssids).toBeLessThan(before.bssids);
  const guest = { 'device-function': 'CAMPUS_AP', 'profile-type': 'wlan-ssids', 'profile-instance': 'guest' };
  expect(mgmt.call('POST', all, [{ 'scope-id': 'hq', ...guest }]).status).toBe(200);
  expect(seen()).toEqual(before);
});

it('a WLAN that is switched off is broadcast by nobody', () => {
  const mgmt = opened();
  mgmt.call('PATCH', '/network-config/v1alpha1/wlan-ssids/guest', { enable: false });
  const { json } = mgmt.get(`${MONITORING}/wlans/guest`);
  expect(json).toMatchObject({ sites: [], apCount: 0, expectedApCount: 0, clientCount: 0, status: 'SUSPENDED' });
});
