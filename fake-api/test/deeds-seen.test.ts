/** What an action did is seen wherever the platform shows the thing, and its answer says the same. */
import { beforeAll, expect, it } from 'vitest';
import { ended, items, type Row } from './deeds-testbed.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation([
    'mgmt',
    'cloudwlan',
    'sensors',
    'workspace',
    'fabric',
    'sse',
    'nac',
    'sdwan',
  ]);
});

const opened = (platform: string) => new PlatformClient(installation, platform);

const sites = (client: PlatformClient): Row[] => items(client.get('/api/v1/sites?limit=100'));

function placeOf(client: PlatformClient, name: string): { org: string; site: string } {
  const found = sites(client).find((site) => site['name'] === name);
  return { org: `/api/v1/orgs/${found?.['org_id']}`, site: String(found?.['site_id']) };
}

const counts = ({ num_aps: aps, num_switches: switches, num_gateways: gateways, num_clients: clients }: Row) => ({
  aps,
  switches,
  gateways,
  clients,
});

/** The counts of a site, by each of the three places that tell them. */
function countedAt(client: PlatformClient, site: string, org: string) {
  const own = client.get(`/api/v1/sites/${site}`).json as Row;
  const inOrg = items(client.get(`${org}/stats/sites?limit=100`)).find((row) => row['site_id'] === site) as Row;
  const stats = client.get(`/api/v1/sites/${site}/stats`).json as Row;
  expect(counts(own)).toEqual(counts(inOrg));
  expect([stats['num_aps'], stats['num_clients']]).toEqual([own['num_aps'], own['num_clients']]);
  const devices = items(client.get(`/api/v1/sites/${site}/devices?limit=1000`));
  expect(own['num_aps']).toBe(devices.filter(({ type }) => type === 'ap').length);
  return counts(own);
}

it('a device of the cloud WLAN that is assigned to another site is listed and counted there, without its clients', () => {
  const cloudwlan = opened('cloudwlan');
  const { org, site: depot } = placeOf(cloudwlan, 'North Depot');
  const { site: hq } = placeOf(cloudwlan, 'Harbour House');
  const [device] = items(cloudwlan.get(`/api/v1/sites/${depot}/devices?type=ap`));
  const { mac, device_id: id } = device as Row;
  const before = { hq: countedAt(cloudwlan, hq, org), depot: countedAt(cloudwlan, depot, org) };
  const clients = Number((cloudwlan.get(`/api/v1/sites/${depot}/stats/devices/${id}`).json as Row)['num_clients']);
  expect(clients).toBeGreaterThan(0);

  const stranger = '02:00:00:00:00:01';
  const assigned = cloudwlan.call('PUT', `${org}/inventory`, { macs: [mac, stranger], site_id: hq });
  expect(assigned.json).toEqual({ success: [mac], reasons: { [stranger]: 'not in the inventory' } });
  expect(countedAt(cloudwlan, hq, org)).toEqual({ ...before.hq, aps: Number(before.hq.aps) + 1 });
  expect(countedAt(cloudwlan, depot, org)).toEqual({
    ...before.depot,
    aps: Number(before.depot.aps) - 1,
    clients: Number(before.depot.clients) - clients,
  });
  expect(cloudwlan.get(`/api/v1/sites/${depot}/devices/${id}`).status).toBe(404);
  expect(cloudwlan.get(`/api/v1/sites/${hq}/stats/devices/${id}`).json).toMatchObject({ num_clients: 0 });
  expect(cloudwlan.get(`${org}/inventory/${mac}`).json).toMatchObject({ site_id: hq });

  cloudwlan.call('POST', `${org}/inventory/unassign`, { macs: [mac] });
  expect(countedAt(cloudwlan, hq, org)).toEqual(before.hq);
  expect(cloudwlan.get(org).json).toMatchObject({ num_unassigned: 1 });
});

it('a device of the cloud WLAN has one profile, of its own kind', () => {
  const cloudwlan = opened('cloudwlan');
  const { org, site } = placeOf(cloudwlan, 'North Depot');
  const [{ mac, device_id: id } = {}] = items(cloudwlan.get(`/api/v1/sites/${site}/devices?type=ap`));
  const profiles = () => items(cloudwlan.get(`${org}/deviceprofiles`));
  const [profile] = profiles().filter(({ type }) => type === 'ap');
  const seen = () => [
    (cloudwlan.get(`/api/v1/sites/${site}/devices/${id}`).json as Row)['deviceprofile_id'],
    (cloudwlan.get(`${org}/inventory/${mac}`).json as Row)['deviceprofile_id'],
    items(cloudwlan.get(`${org}/devices?limit=1000`)).find((row) => row['mac'] === mac)?.['deviceprofile_id'],
  ];
  const own = profile?.['deviceprofile_id'];
  expect(seen()).toEqual([own, own, own]);
  cloudwlan.call('POST', `${org}/deviceprofiles/${own}/unassign`, { macs: [mac] });
  expect(seen()).toEqual([null, null, null]);
  expect(profiles().find(({ deviceprofile_id: each }) => each === own)?.['device_count']).toBe(
    Number(profile?.['device_count']) - 1,
  );
  cloudwlan.call('POST', `${org}/deviceprofiles/${own}/assign`, { macs: [mac] });
  expect(seen()).toEqual([own, own, own]);
});

it('a client of the cloud WLAN that is disconnected is missing from the next two lists', () => {
  const cloudwlan = opened('cloudwlan');
  const { site } = placeOf(cloudwlan, 'Harbour House');
  const listed = () => cloudwlan.get(`/api/v1/sites/${site}/clients/wireless/search?limit=1000`);
  const all = items(listed()).map(({ mac }) => mac);
  cloudwlan.call('POST', `/api/v1/sites/${site}/clients/wireless/${all[0]}/disconnect`);
  expect([1, 2, 3].map(() => items(listed()).length)).toEqual([all.length - 1, all.length - 1, all.length]);
});

it('a client of the cloud WLAN that is barred is on no list until it is let in again', () => {
  const cloudwlan = opened('cloudwlan');
  const { org, site } = placeOf(cloudwlan, 'Harbour House');
  const seen = () => {
    const listed = items(cloudwlan.get(`/api/v1/sites/${site}/clients/wireless/search?limit=1000`));
    const online = items(cloudwlan.get(`/api/v1/sites/${site}/stats/clients?limit=1000`));
    const { clients } = countedAt(cloudwlan, site, org);
    return { listed: listed.map(({ mac }) => mac), online: online.map((row) => row['client_mac']), clients };
  };
  const before = seen();
  const [first, second] = before.listed as [string, string];
  const at = `/api/v1/sites/${site}/setting`;
  expect(cloudwlan.call('POST', `${at}/denylist`, { macs: [first, second.toUpperCase()] }).status).toBe(200);
  cloudwlan.call('POST', `${at}/denylist`, { macs: [first] });
  for (let asked = 0; asked < 4; asked++) {
    const barred = seen();
    expect(barred.listed).toEqual(before.listed.slice(2));
    expect(barred.online).not.toContain(first);
    expect(barred.clients).toBe(Number(before.clients) - 2);
  }
  expect(cloudwlan.get(`/api/v1/sites/${site}/clients/wireless/${first}`).status).toBe(404);
  cloudwlan.call('POST', `${at}/allowlist`, { macs: [second] });
  expect(seen().listed).toHaveLength(before.listed.length - 1);
  expect(cloudwlan.call('DELETE', `${at}/denylist`).status).toBe(200);
  const after = seen();
  expect([after.listed.toSorted(), after.online.toSorted(), after.clients]).toEqual([
    before.listed.toSorted(),
    before.online.toSorted(),
    before.clients,
  ]);
});

it('an address that joins or leaves a host list of the policy server is on it or not, and the others stay', () => {
  const nac = opened('nac');
  const at = '/api/static-host-list/1';
  const list = () => nac.get(at).json as { entry_count: number; host_entries: { address: string }[] };
  const before = list();
  const addresses = () => list().host_entries.map(({ address }) => address);
  const [first = ''] = addresses();
  const entries = [{ address: '02:00:00:00:00:aa', description: 'label printer' }];
  for (let asked = 0; asked < 2; asked++)
    expect(nac.call('POST', `${at}/add-entries`, { entries }).json).toEqual({ entry_count: before.entry_count + 1 });
  expect(addresses()).toEqual([...before.host_entries.map(({ address }) => address), '02:00:00:00:00:aa']);
  const gone = { addresses: [first.toUpperCase(), '02:00:00:00:00:bb'] };
  expect(nac.call('POST', `${at}/remove-entries`, gone).json).toEqual({ entry_count: before.entry_count });
  expect(addresses()).not.toContain(first);
  expect(list()).toMatchObject({ entry_count: before.entry_count, host_entries: expect.arrayContaining(entries) });
});

it('an appliance that joins another region has left its own, and one that leaves an overlay is counted in it no longer', () => {
  const sdwan = opened('sdwan');
  const region = (id: number) => sdwan.get(`/rest/region/${id}`).json as Row;
  const { appliances: before } = region(1);
  const [appliance = ''] = before as string[];
  for (const moved of [1, 0])
    expect(sdwan.call('POST', '/rest/region/2/associate', { applianceIds: [appliance] }).json).toEqual({ moved });
  expect(region(1)['appliances']).toEqual((before as string[]).slice(1));
  expect(region(1)['hubs']).not.toContain(appliance);
  expect(region(2)).toMatchObject({ appliances: [appliance], branches: [appliance] });

  const memberships = () =>
    (sdwan.get('/rest/overlay-association').json as Row[]).filter(({ overlayId }) => overlayId === '1');
  const count = () => Number((sdwan.get('/rest/overlay/1').json as Row)['siteCount']);
  const [all, sites] = [memberships(), count()];
  const leaving = { overlayId: '1', applianceIds: [all[0]?.['applianceId']] };
  for (const removed of [1, 0])
    expect(sdwan.call('POST', '/rest/overlay-association/remove-bulk', leaving).json).toEqual({ removed });
  expect([memberships().length, count()]).toEqual([all.length - 1, sites - 1]);
  expect(
    sdwan.call('POST', '/rest/overlay-association', { overlayId: '1', applianceId: all[0]?.['applianceId'] }).status,
  ).toBe(200);
  expect(count()).toBe(sites);
});

it('overlays are matched in the order that was given', () => {
  const sdwan = opened('sdwan');
  const inOrder = () => ['1', '2', '3'].map((id) => (sdwan.get(`/rest/overlay/${id}`).json as Row)['priority']);
  expect(inOrder()).toEqual([1, 2, 3]);
  expect(sdwan.call('POST', '/rest/overlay/reorder', { order: ['3', '1', '2'] }).json).toEqual({ changed: 3 });
  expect(inOrder()).toEqual([2, 3, 1]);
  expect(sdwan.call('POST', '/rest/overlay/reorder', { order: ['3'] }).json).toEqual({ changed: 0 });
  const list = sdwan.get('/rest/overlay-priority').json as Row;
  expect(list['order']).toEqual(['3', '1', '2']);
  expect(sdwan.call('PUT', '/rest/overlay-priority', { order: ['1', '2', '3'] }).status).toBe(200);
  expect(inOrder()).toEqual([1, 2, 3]);
});

it('a visitor whose access is prolonged may stay that much longer, and a reserved address is in its pool', () => {
  const mgmt = opened('mgmt');
  const at = '/network-config/v1alpha1/nac-visitors';
  const [{ 'visitor-id': id } = {}] = items(mgmt.get(`${at}?limit=1`));
  const end = () => Date.parse(String((mgmt.get(`${at}/${id}`).json as Row)['valid-to']));
  const before = end();
  const answer = mgmt.call('POST', `${at}/${id}/extend`, { hours: 26 }).json as Row;
  expect([end() - before, Date.parse(String(answer['valid-to']))]).toEqual([26 * 3_600_000, end()]);

  const pool = '/network-config/v1alpha1/dhcp-pool/hq-staff';
  const reservations = () => (mgmt.get(pool).json as Row)['reservations'] as Row[];
  const first = reservations();
  const order = { mac: '02:66:28:D8:82:44', address: '10.10.30.73', hostname: 'label-printer' };
  for (let asked = 0; asked < 2; asked++)
    expect(mgmt.call('POST', `${pool}/reserve`, order).json).toMatchObject({ 'reserved-hosts': first.length + 1 });
  expect(reservations()).toEqual([...first, { ...order, mac: '02:66:28:d8:82:44' }]);
});

it('an upgrade is seen in every view of the device, and its answer names both releases', () => {
  const cloudwlan = opened('cloudwlan');
  const { org, site } = placeOf(cloudwlan, 'North Depot');
  const [{ mac, device_id: id } = {}] = items(cloudwlan.get(`/api/v1/sites/${site}/devices?type=ap`));
  const at = `/api/v1/sites/${site}/stats/devices/${id}`;
  const { version: before } = cloudwlan.get(at).json as Row;
  const order = (body: Row) =>
    ended(cloudwlan, cloudwlan.call('POST', `/api/v1/sites/${site}/devices/${id}/upgrade`, body));
  expect(order({ version: '10.8.0.0', start_time: '2026-03-03T02:00:00Z' })['output']).toMatchObject({
    installed: before,
  });
  expect(cloudwlan.get(at).json).toMatchObject({ version: before });
  expect(order({ version: '10.8.0.0' })['output']).toEqual({ installed: '10.8.0.0', previous: before });
  expect(cloudwlan.get(at).json).toMatchObject({ version: '10.8.0.0', uptime: 0 });
  const inOrg = items(cloudwlan.get(`${org}/stats/devices?limit=1000`)).find((row) => row['mac'] === mac);
  expect(inOrg).toMatchObject({ version: '10.8.0.0', uptime: 0 });

  const sensors = opened('sensors');
  const [agent] = items(sensors.get('/ux-sensors/v1/agents'));
  const done = ended(
    sensors,
    sensors.call('POST', `/ux-sensors/v1/agents/${agent?.['id']}/upgrade`, { version: '9.9.9' }),
  );
  expect(done['output']).toMatchObject({ installed: '9.9.9' });
  expect(sensors.get(`/ux-sensors/v1/agents/${agent?.['id']}`).json).toMatchObject({ version: '9.9.9' });
});

it('the older documents of the management cloud say of a device what the newer ones say', () => {
  const mgmt = opened('mgmt');
  const devices = () => items(mgmt.get('/network-monitoring/v1/devices?limit=1000'));
  const behind = devices().find(({ softwareVersion }) => softwareVersion === '10.6.0.2') as Row;
  const serial = String(behind['serialNumber']);
  const order = { firmware_version: '10.7.1.1', reboot: true };
  const done = ended(mgmt, mgmt.call('POST', `/firmware/v1/devices/${serial}/upgrade`, order));
  expect(done['output']).toMatchObject({ installed_version: '10.7.1.1' });
  expect(mgmt.get(`/network-monitoring/v1/devices/${serial}`).json).toMatchObject({ softwareVersion: '10.7.1.1' });

  const moved = mgmt.call('POST', '/sites/v2/sites/2/associate', {
    device_ids: [serial, 'NOBODY1'],
    device_type: 'ACCESS_POINT',
  });
  expect(moved.json).toEqual({ success: [serial], failed: ['NOBODY1'] });
  expect(mgmt.get(`/network-monitoring/v1/devices/${serial}`).json).toMatchObject({ siteId: 'depot' });

  const byName = (path: string) => new Map(items(mgmt.get(`${path}?limit=1000`)).map((row) => [row['serial'], row]));
  const [aps, switches, firmware] = ['/monitoring/v2/aps', '/monitoring/v1/switches', '/firmware/v1/devices'].map(
    byName,
  );
  for (const device of devices()) {
    const { serialNumber, deviceName, softwareVersion, status, clientCount } = device;
    const state = status === 'ONLINE' ? 'Up' : 'Down';
    expect(firmware?.get(serialNumber)).toMatchObject({ hostname: deviceName, firmware_version: softwareVersion });
    const ap = aps?.get(serialNumber);
    if (ap !== undefined) expect(ap).toMatchObject({ name: deviceName, status: state, client_count: clientCount });
    const { portsTotal, portsUp } = mgmt.get(`/network-monitoring/v1/switches/${serialNumber}`).json as Row;
    const own = switches?.get(serialNumber);
    if (own !== undefined) expect(own).toMatchObject({ port_count: portsTotal, up_ports: portsUp, state });
  }
});

it('a gateway carries as much in the list of devices as in that of gateways', () => {
  const mgmt = opened('mgmt');
  for (const { serialNumber, usageBytes } of items(mgmt.get('/network-monitoring/v1/gateways')))
    expect(mgmt.get(`/network-monitoring/v1/devices/${serialNumber}`).json).toMatchObject({ usageBytes });
});

it('a disconnected client of the management cloud leaves, whether its own path names it or its gateway', () => {
  const mgmt = opened('mgmt');
  const total = () => Number((mgmt.get('/network-monitoring/v1/clients?limit=1').json as Row)['total']);
  const all = total();
  const [client] = items(mgmt.get("/network-monitoring/v1/clients?filter=status eq 'CONNECTED'"));
  const one = mgmt.call('POST', `/network-troubleshooting/v1/clients/${client?.['macAddress']}/disconnect`, {});
  expect(one.json).toEqual({ disconnectedFrom: client?.['connectedDeviceSerial'], barredUntil: null });
  expect([total(), total(), total()]).toEqual([all - 1, all - 1, all]);

  const [gateway] = items(mgmt.get('/network-monitoring/v1/gateways'));
  const at = `/network-troubleshooting/v1/gateways/${gateway?.['serialNumber']}`;
  const many = mgmt.call('POST', `${at}/disconnect-all-clients`, {});
  expect(many.json).toEqual({ disconnected: gateway?.['clientCount'] });
  expect(total()).toBe(all - Number(gateway?.['clientCount']));
});

it('a gateway that is halted is offline, and nothing goes through it', () => {
  const mgmt = opened('mgmt');
  const [{ serialNumber: serial, tunnelsUp } = {}] = items(mgmt.get('/network-monitoring/v1/gateways'));
  const at = `/network-troubleshooting/v1/gateways/${serial}`;
  const done = ended(mgmt, mgmt.call('POST', `${at}/halt`, { confirmSerial: serial }));
  expect(done).toMatchObject({ output: { haltedAt: done['endTime'] } });
  const halted = mgmt.get(`/network-monitoring/v1/gateways/${serial}`).json;
  expect(halted).toMatchObject({ status: 'OFFLINE', sessions: 0, tunnelsUp: 0, tunnelsDown: tunnelsUp });
  expect(mgmt.get(`/monitoring/v1/gateways/${serial}`).json).toMatchObject({ link_state: 'Down', tunnels_up: 0 });
});

it('seats of a subscription key are taken and given back, in the inventory and in the usage too', () => {
  const mgmt = opened('mgmt');
  const list = (name: string) => items(mgmt.get(`/network-services/v1/${name}`));
  const [key] = list('subscription-keys').filter(({ tier }) => tier === 'gateway-advanced');
  const at = `/network-services/v1/subscription-keys/${key?.['keyId']}`;
  const [device] = items(mgmt.get('/network-monitoring/v1/gateways'));
  const serial = String(device?.['serialNumber']);
  const [other] = items(mgmt.get('/network-monitoring/v1/switches'));
  const named = { serialNumbers: [serial, other?.['serialNumber']] };
  const seen = () => ({
    key: (mgmt.get(`/network-monitoring/v1/device-inventory/${serial}`).json as Row)['subscriptionKey'],
    used: (mgmt.get(at).json as Row)['seatsUsed'],
    usage: list('subscriptions-usage').find(({ tier }) => tier === 'gateway-advanced')?.['usedSeats'],
  });
  const { used } = seen();
  expect(mgmt.call('POST', `${at}/release`, named).json).toEqual({ released: 1 });
  expect(seen()).toEqual({ key: null, used: Number(used) - 1, usage: Number(used) - 1 });
  const given = mgmt.call('POST', `${at}/assign`, named).json;
  expect(given).toEqual({ assigned: 1, refused: [other?.['serialNumber']] });
  expect(seen()).toEqual({ key: key?.['keyId'], used, usage: used });
});

it('what the body of an action names by references belongs to the object of the path, and leaves it', () => {
  const mgmt = opened('mgmt');
  const groups = () => items(mgmt.get('/network-tenancy/v1/tenant-groups'));
  const [{ tenantGroupId: group, tenantCount: before } = {}] = groups();
  const [tenant] = items(mgmt.get('/network-tenancy/v1/tenants')).filter(({ groupId }) => groupId === group);
  const order = (word: string) =>
    mgmt.call('POST', `/network-tenancy/v1/tenant-groups/${group}/${word}-tenants`, {
      tenantIds: [tenant?.['tenantId']],
    });
  expect(order('remove').json).toEqual({ tenantCount: Number(before) - 1 });
  expect(groups()[0]).toMatchObject({ tenantCount: Number(before) - 1 });
  expect(order('add').json).toEqual({ tenantCount: before });

  const fabric = opened('fabric');
  const [blueprint] = items(fabric.get('/api/blueprints'));
  const at = `/api/blueprints/${blueprint?.['blueprint_id']}/connectivity-templates`;
  const templates = items(fabric.get(at));
  const removal = (dry: boolean) => ({ template_ids: [templates[0]?.['id']], dry });
  expect(fabric.call('POST', `${at}/batch-delete`, removal(true)).json).toEqual({ removed: 0, still_assigned: 0 });
  expect(fabric.call('POST', `${at}/batch-delete`, removal(false)).json).toEqual({ removed: 1, still_assigned: 0 });
  expect(items(fabric.get(at))).toEqual(templates.slice(1));
});

it('an action answers with the moment of it, and with as many as the call names', () => {
  const cloudwlan = opened('cloudwlan');
  const { org, site } = placeOf(cloudwlan, 'North Depot');
  const [device] = items(cloudwlan.get(`/api/v1/sites/${site}/devices?type=ap`));
  const at = `/api/v1/sites/${site}/devices/${device?.['device_id']}`;
  const done = ended(cloudwlan, cloudwlan.call('POST', `${at}/restart`, {}));
  expect(done).toMatchObject({ output: { rebooted_at: done['ended_at'], back_at: done['ended_at'] } });
  const stranger = '0a000000-0000-4000-8000-000000000001';
  const several = cloudwlan.call('POST', `${org}/devices/restart`, { device_ids: [device?.['device_id'], stranger] });
  expect(several.json).toEqual({ accepted: 1, offline: [stranger] });
});

it('a seat of the workspace is with one device, and free again when the device gives it back', () => {
  const workspace = opened('workspace');
  const [device] = items(workspace.get('/devices/v1/devices?limit=1'));
  const at = `/devices/v1/devices/${device?.['id']}`;
  const held = () => ((workspace.get(at).json as Row)['subscriptions'] as Row[]).map(({ key }) => key);
  const [key] = held();
  const [{ id } = {}] = items(workspace.get(`/subscriptions/v1/subscriptions?filter=key eq '${key}'`));
  const seats = () => workspace.get(`/subscriptions/v1/subscriptions/${id}`).json;
  const order = (word: string) =>
    ended(workspace, workspace.call('POST', `${at}/${word}-subscription`, { subscriptionId: id }));
  expect(order('unassign')).toMatchObject({ result: { seatsLeft: 1 } });
  expect([held(), seats()]).toMatchObject([[], { available: 1, usedPercent: 0 }]);
  expect(order('assign')).toMatchObject({ result: { seatsLeft: 0, tier: 'FOUNDATION' } });
  expect([held(), seats()]).toMatchObject([[key], { available: 0, usedPercent: 100 }]);
});

it('a blocked endpoint of the policy server has no session, and says why', () => {
  const nac = opened('nac');
  const rows = (path: string): Row[] => ((nac.get(path).json as Row)['_embedded'] as { items: Row[] }).items;
  const [one, other] = rows('/api/active-session?limit=2');
  const blocked = (session: Row | undefined, more: Row) => {
    const { id } = nac.get(`/api/endpoint/mac-address/${session?.['mac_address']}`).json as Row;
    nac.call('POST', `/api/endpoint/${id}/block`, { reason: 'lost in the tram', ...more });
    expect(nac.get(`/api/endpoint/${id}`).json).toMatchObject({ status: 'Disabled', block_reason: 'lost in the tram' });
    const online = nac.get(`/api/active-session/${session?.['mac_address']}`).status;
    const states = rows('/api/session?limit=1000').filter(({ mac_address: mac }) => mac === session?.['mac_address']);
    return { online, active: states.some(({ state }) => state === 'active') };
  };
  expect(blocked(one, {})).toEqual({ online: 404, active: false });
  expect(blocked(other, { disconnect: false })).toEqual({ online: 200, active: true });
});

it('the licences of the policy server add up to what its summary tells', () => {
  const nac = opened('nac');
  const { items: licences } = (nac.get('/api/license?limit=100').json as { _embedded: { items: Row[] } })._embedded;
  const summary = nac.get('/api/license/summary').json as Row;
  for (const product of ['access', 'onboard', 'posture']) {
    const own = licences.filter((each) => each['product'] === product);
    expect(summary[`${product}_total`]).toBe(own.reduce((sum, { user_count: count }) => sum + Number(count), 0));
    expect(summary['highest_use_percent']).toBeGreaterThanOrEqual(
      Math.floor((100 * Number(summary[`${product}_used`])) / Number(summary[`${product}_total`])),
    );
  }
});

it('an action on an object without a key changes that object', () => {
  const sdwan = opened('sdwan');
  const flag = (path: string, name: string) => (sdwan.get(path).json as Row)[name];
  const maintenance = '/rest/orchestrator/maintenance';
  const active = () => flag(maintenance, 'active');
  sdwan.call('POST', `${maintenance}/start`);
  expect(active()).toBe(true);
  sdwan.call('POST', `${maintenance}/stop`);
  expect(active()).toBe(false);
  sdwan.call('DELETE', '/rest/remote-auth/radius');
  expect(flag('/rest/remote-auth/radius', 'enabled')).toBe(false);
});
