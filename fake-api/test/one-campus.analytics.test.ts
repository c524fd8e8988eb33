/** What analytics, sensors, the security edge, the WAN, the fabric and the old controller say of one incident and of one total. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../engine/state/json-value.ts';
import { readBundle } from '../fixtures/bundle.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';

const PLATFORMS = ['mgmt', 'analytics', 'sensors', 'sse', 'sdwan', 'fabric', 'legacy'];
const installations = new Map<string, Installation>();

beforeAll(async () => {
  for (const bundle of ['incident', 'small-campus'])
    installations.set(bundle, await shippedInstallation(PLATFORMS, bundle));
});

function rows(bundle: string, path: string): JsonObject[] {
  const [platform, resource] = path.split('/') as [string, string];
  const { fixture } = installations.get(bundle) as Installation;
  return [...fixture.rows.of(platform, resource).values()].map(({ value }) => value);
}

function keyed(bundle: string, path: string): [string, JsonObject][] {
  const [platform, resource] = path.split('/') as [string, string];
  const { fixture } = installations.get(bundle) as Installation;
  return [...fixture.rows.of(platform, resource).values()].map(({ id, value }) => [id, value]);
}

const one = (bundle: string, path: string, fields: JsonObject) =>
  rows(bundle, path).find((row) => Object.entries(fields).every(([name, value]) => row[name] === value));

it('every link names a resource that there is', async () => {
  const { facts } = await readBundle('small-campus');
  const { platforms } = installations.get('small-campus') as Installation;
  const paths = (facts.links ?? []).flatMap((link) => Object.keys(link.on));
  const own = paths.map((path) => path.split('/') as [string, string]).filter(([id]) => platforms.has(id));
  expect(own.length).toBeGreaterThan(200);
  expect(own.filter(([id, name]) => platforms.get(id)?.resources.has(name) !== true)).toEqual([]);
});

describe('a gateway that is away', () => {
  it('is away for the WAN, the security edge and the old controller', () => {
    const away = rows('incident', 'mgmt/gateways').filter((row) => row['status'] === 'OFFLINE');
    expect(away.length).toBeGreaterThan(0);
    for (const { gatewayName, ipv4 } of away) {
      const appliance = one('incident', 'sdwan/appliances', { hostName: gatewayName as string });
      expect(appliance).toMatchObject({ state: 'UNREACHABLE', uptimeSeconds: 0, ip: ipv4 });
      const id = appliance?.['applianceId'] as string;
      const health = one('incident', 'sdwan/appliance-health', { healthApplianceId: id });
      expect(health).toMatchObject({ reachability: 'DISCONNECTED', score: 0 });
      const reach = keyed('incident', 'sdwan/appliances-reachability').find(([key]) => key.startsWith(id))?.[1];
      expect(reach).toMatchObject({ rest: 'DISCONNECTED', actualSoftware: appliance?.['softwareVersion'] });
      const alarm = one('incident', 'sdwan/appliance-alarms', { applianceId: id, severity: 'CRITICAL' });
      expect(alarm).toMatchObject({ status: 'OPEN', acked: false });
      expect(one('incident', 'sse/tunnels', { name: gatewayName as string })).toMatchObject({ state: 'Down' });
      expect(one('incident', 'sse/alerts', { entity: gatewayName as string })).toMatchObject({ state: 'Open' });
      expect(one('incident', 'legacy/controllers', { ip: ipv4 as string })).toMatchObject({ status: 'down' });
    }
  });
});

describe('an access point that is away', () => {
  it('has no clients and no air time, and the old controller lists it as down', () => {
    const [away] = rows('small-campus', 'mgmt/aps').filter((row) => row['status'] === 'OFFLINE');
    const name = away?.['apName'] as string;
    const radios = rows('small-campus', 'analytics/wireless-capacity').filter(
      (row) => row['apSerial'] === away?.['serialNumber'],
    );
    expect(radios.map((row) => [row['clients'], row['airtime']])).toEqual(radios.map(() => [0, 0]));
    expect(radios.length).toBeGreaterThan(0);
    expect(one('small-campus', 'analytics/device-energy', { serial: away?.['serialNumber'] ?? null })).toMatchObject({
      watts: 0,
    });
    expect(one('small-campus', 'legacy/ap_database', { name })).toMatchObject({ status: 'down', uptime: 0 });
    expect(one('small-campus', 'legacy/ap_active', { name })).toBeUndefined();
    expect(rows('small-campus', 'legacy/user_table').filter((row) => row['ap_name'] === name)).toEqual([]);
  });
});

describe.each(['incident', 'small-campus'])('totals of %s', (bundle) => {
  it('of sensors are those of the lists they count', () => {
    const sensors = rows(bundle, 'sensors/sensors');
    expect(sensors.filter((row) => row['online'] === false)).toHaveLength(1);
    for (const group of rows(bundle, 'sensors/groups')) {
      const own = sensors.filter((row) => row['groupId'] === group['id']).map((row) => row['serialNumber']);
      expect(group['sensorCount']).toBe(own.length);
      expect(group['sensorSerials']).toEqual(own);
    }
  });

  it('of the WAN are those of the lists they count', () => {
    const alarms = rows(bundle, 'sdwan/appliance-alarms');
    for (const sum of rows(bundle, 'sdwan/alarm-summary')) {
      const own = alarms.filter((row) => row['applianceId'] === sum['summaryApplianceId']);
      const of = (severity: string) => own.filter((row) => row['severity'] === severity).length;
      expect(sum).toMatchObject({ critical: of('CRITICAL'), major: of('MAJOR'), minor: of('MINOR') });
    }
    const tunnels = rows(bundle, 'sdwan/tunnels');
    const up = tunnels.filter((row) => row['operStatus'] === 'UP').length;
    expect(rows(bundle, 'sdwan/tunnels-statuses')[0]).toMatchObject({ up, down: tunnels.length - up });
    expect(rows(bundle, 'sdwan/orchestrator-info')[0]?.['numAppliances']).toBe(rows(bundle, 'sdwan/appliances').length);
  });

  it('of a blueprint are its nodes and anomalies', () => {
    const nodes = keyed(bundle, 'fabric/blueprint-nodes');
    const anomalies = keyed(bundle, 'fabric/anomalies');
    for (const blueprint of rows(bundle, 'fabric/blueprints')) {
      const within = (entries: [string, JsonObject][]) =>
        entries.filter(([key]) => key.startsWith(String(blueprint['blueprint_id']))).map(([, value]) => value);
      expect(within(nodes).filter((row) => row['role'] === 'leaf')).toHaveLength(blueprint['leaf_count'] as number);
      expect(blueprint['anomaly_counts']).toMatchObject({ total: within(anomalies).length });
    }
  });

  it('of people are the members of their department', () => {
    const users = rows(bundle, 'sse/users');
    for (const group of rows(bundle, 'sse/groups')) {
      const department = users.filter((user) => user['primaryGroupId'] === group['id']).map((user) => user['id']);
      // A group names six at most, so that a person stays free to be deleted.
      expect(group['memberIds']).toEqual(department.slice(0, 6));
    }
  });
});
