/** What an action of the management cloud did is seen in what it is about, and a call that makes no sense is refused. */
import { expect, it } from 'vitest';
import { ended, items, one, openerOf, type Row } from './deeds-testbed.ts';

const opened = await openerOf('mgmt');

it('a device that is assigned to a tenant is with that tenant alone, until it goes back', () => {
  const mgmt = opened();
  const [ashgrove, corrib] = ['Ashgrove Consulting', 'Corrib Print'].map((name) => {
    const tenant = items(mgmt.get('/network-tenancy/v1/tenants')).find((each) => each['name'] === name);
    return `/network-tenancy/v1/tenants/${tenant?.['tenantId']}`;
  }) as [string, string];
  const serials = (at: string) => items(mgmt.get(`${at}/devices`)).map(({ serialNumber }) => serialNumber);
  const count = (at: string) => Number(one(mgmt, at)['deviceCount']);
  const group = () =>
    items(mgmt.get('/network-tenancy/v1/tenant-groups')).map(({ totalDevices }) => Number(totalDevices));
  const [before, all, groups] = [serials(ashgrove), count(ashgrove), group()];
  const [{ serialNumber: serial } = {}] = items(mgmt.get('/network-monitoring/v1/gateways'));
  const [other] = serials(corrib);
  const order = { serialNumbers: [serial, other, 'NOBODY1'], tier: 'gateway-foundation' };
  expect(mgmt.call('POST', `${ashgrove}/devices/assign`, order).json).toEqual({
    assigned: 1,
    refused: [other, 'NOBODY1'],
  });
  expect(serials(ashgrove).toSorted()).toEqual([...before, serial].toSorted());
  expect([count(ashgrove), Math.max(...group())]).toEqual([all + 1, Math.max(...groups) + 1]);
  const again = { serialNumbers: [serial] };
  expect(mgmt.call('POST', `${ashgrove}/devices/assign`, again).json).toEqual({ assigned: 0, refused: [] });
  expect(mgmt.call('POST', `${corrib}/devices/assign`, again).json).toEqual({ assigned: 0, refused: [serial] });
  for (const returned of [1, 0])
    expect(mgmt.call('POST', `${ashgrove}/devices/unassign`, again).json).toEqual({ returned });
  expect([serials(ashgrove), count(ashgrove)]).toEqual([before, all]);
});

it('a report that is run is on the list of its runs, under the identifier that was told', () => {
  const mgmt = opened();
  const [{ reportId } = {}] = items(mgmt.get('/network-reporting/v1/reports'));
  const at = `/network-reporting/v1/reports/${reportId}`;
  const { recipients } = one(mgmt, at);
  const before = items(mgmt.get(`${at}/report-runs`)).length;
  const done = ended(mgmt, mgmt.call('POST', `${at}/run`, { sendMail: true }));
  const { runId, pages } = done['output'] as Row;
  const run = one(mgmt, `${at}/report-runs/${runId}`);
  expect(run).toMatchObject({ runState: 'READY', trigger: 'REQUEST', pageCount: pages, failReason: null });
  expect(run['mailedTo']).toBe((recipients as string[]).length);
  expect(items(mgmt.get(`${at}/report-runs`))).toHaveLength(before + 1);
  expect(one(mgmt, at)).toMatchObject({ lastRunAt: run['finishedAt'], lastRunState: 'READY' });
});

it('a remote session that is extended closes that much later, and one that is not open is refused', () => {
  const mgmt = opened();
  const at = '/network-troubleshooting/v1/remote-sessions';
  const idOf = (state: string) => items(mgmt.get(at)).find((row) => row['state'] === state)?.['sessionId'];
  const extend = (id: unknown, minutes: number) => mgmt.call('POST', `${at}/${id}/extend`, { minutes });
  const open = idOf('OPEN');
  const { minutes, openedAt } = one(mgmt, `${at}/${open}`);
  const expiresAt = Date.parse(String(openedAt)) + (Number(minutes) + 60) * 60_000;
  expect(Date.parse(String((extend(open, 60).json as Row)['expiresAt']))).toBe(expiresAt);
  expect(one(mgmt, `${at}/${open}`)['minutes']).toBe(Number(minutes) + 60);
  expect([extend(open, 240), extend(idOf('CLOSED'), 5)].map(({ status }) => status)).toEqual([409, 409]);
  expect(one(mgmt, `${at}/${open}`)['minutes']).toBe(Number(minutes) + 60);
});

it('a device is claimed by the address on its box, and then prepared for its site', () => {
  const mgmt = opened();
  const at = '/network-config/v1/device-onboarding/PHNEWAP9M3';
  const prepare = (site: string) =>
    mgmt.call('POST', `${at}/preprovision`, { 'site-id': site, 'device-function': 'CAMPUS_AP' });
  expect(prepare('hq').json).toEqual({ ready: false, missing: ['claim of the device'] });
  expect(one(mgmt, at)).toMatchObject({ state: 'ordered', 'site-id': 'hq' });
  expect(mgmt.call('POST', `${at}/claim`, { mac: '02:5e:10:00:00:08' }).status).toBe(409);
  const claimed = mgmt.call('POST', `${at}/claim`, { mac: '02:5E:10:00:00:09' }).json as Row;
  expect(one(mgmt, at)).toMatchObject({ state: 'claimed', 'state-since': claimed['claimed-at'] });
  expect(mgmt.call('POST', `${at}/claim`, { mac: '02:5e:10:00:00:09' }).json).toEqual(claimed);
  expect(prepare('nowhere').status).toBe(400);
  expect(prepare('clinic').json).toEqual({ ready: true, missing: [] });
  expect(one(mgmt, at)).toMatchObject({ state: 'provisioned', 'site-id': 'clinic', 'group-id': null });
});

it('a neighbour that is closed is so in the BGP process, and an unknown one is refused', () => {
  const mgmt = opened();
  const at = '/network-config/v1alpha1/bgp/hq-edge';
  const [{ serialNumber } = {}] = items(mgmt.get('/network-monitoring/v1/switches'));
  const close = (neighbour: string) =>
    mgmt.call('POST', `${at}/shutdown-neighbour?serial-number=${serialNumber}`, { neighbour });
  const state = () => (one(mgmt, at)['neighbours'] as Row[]).map(({ address, shutdown }) => [address, shutdown]);
  expect(state()).toEqual([['192.0.2.33', false]]);
  expect([close('192.0.2.34').status, state()]).toEqual([400, [['192.0.2.33', false]]]);
  expect([close('192.0.2.33').status, state()]).toEqual([200, [['192.0.2.33', true]]]);
  expect(close('192.0.2.33').json).toEqual({ 'withdrawn-routes': 0 });
});

it('a lease that is released has ended at its gateway, and is released once', () => {
  const mgmt = opened();
  const at = (serial: unknown) => `/network-monitoring/v1/gateways/${serial}/dhcp-clients?limit=1000`;
  const isStaff = ({ address }: Row) => String(address).startsWith('10.10.20.');
  const serials = items(mgmt.get('/network-monitoring/v1/gateways')).map(({ serialNumber }) => serialNumber);
  const serial = serials.find((each) => items(mgmt.get(at(each))).some(isStaff));
  const leases = () => items(mgmt.get(at(serial)));
  const { address, mac } = leases().find(isStaff) as Row;
  const release = (pool: string) =>
    mgmt.call('POST', `/network-config/v1alpha1/dhcp-pool/${pool}/release?serial-number=${serial}`, {
      address,
    }).json;
  expect(release('hq-voice')).toEqual({ 'was-leased-to': null });
  expect(release('hq-staff')).toEqual({ 'was-leased-to': mac });
  expect(leases().find((row) => row['mac'] === mac)).toMatchObject({ leaseState: 'EXPIRED' });
  expect(release('hq-staff')).toEqual({ 'was-leased-to': null });
});

it('a floor plan has the scale that a known distance gives', () => {
  const mgmt = opened();
  const [{ floorId } = {}] = items(mgmt.get('/network-monitoring/v1/sitemaps/clinic/floors'));
  const at = `/network-monitoring/v1/sitemaps/clinic/floors/${floorId}`;
  const scale = (to: { x: number; y: number }) =>
    mgmt.call('POST', `${at}/set-scale`, { from: { x: 0, y: 0 }, to, meters: 20 });
  expect(scale({ x: 300, y: 400 }).json).toEqual({ pixelsPerMeter: 25 });
  expect(one(mgmt, at)['scale']).toMatchObject({ pixelsPerMeter: 25 });
  expect(scale({ x: 0, y: 0 }).status).toBe(400);
});

it('a community whose string is replaced has one, and the profile a new revision', () => {
  const mgmt = opened();
  const at = '/network-config/v1alpha1/snmp/old-monitoring';
  const seen = () => {
    const { communities, metadata } = one(mgmt, at) as { communities: Row[]; metadata: Row };
    return { isSet: communities[0]?.['name-configured'], revision: metadata['revision'] };
  };
  const order = (label: string) =>
    mgmt.call('POST', `${at}/rotate-community`, { label, 'new-name': 'only-for-this-test' }).status;
  expect(seen()).toEqual({ isSet: false, revision: 1 });
  expect([order('nobody'), order('read-only'), seen()]).toEqual([400, 200, { isSet: true, revision: 2 }]);
});

it('a cluster is led by the access point that was asked for, if it is one of its site and online', () => {
  const mgmt = opened();
  const [cluster] = items(mgmt.get('/network-monitoring/v1/ap-clusters'));
  const at = `/network-monitoring/v1/ap-clusters/${cluster?.['clusterId']}`;
  const aps = items(mgmt.get('/network-monitoring/v1/aps?limit=100'));
  const own = aps.filter(({ siteId, status }) => siteId === cluster?.['siteId'] && status === 'ONLINE');
  const [next] = own.filter(({ serialNumber }) => serialNumber !== cluster?.['conductorSerial']);
  const [stranger] = aps.filter(({ siteId }) => siteId !== cluster?.['siteId']);
  const elect = (serialNumber: unknown) =>
    mgmt.call('POST', `/network-troubleshooting/v1/ap-clusters/${cluster?.['clusterId']}/elect-conductor`, {
      serialNumber,
    });
  expect([elect(stranger?.['serialNumber']).status, one(mgmt, at)]).toMatchObject([400, cluster as Row]);
  expect(elect(next?.['serialNumber']).json).toEqual({ conductorSerial: next?.['serialNumber'] });
  const { conductorSerial, conductorSince } = one(mgmt, at);
  expect(conductorSerial).toBe(next?.['serialNumber']);
  expect(Date.parse(String(conductorSince))).toBeGreaterThan(Date.parse(String(cluster?.['conductorSince'])));
});
