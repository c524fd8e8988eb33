/** What the policy server, the workspace and the cloud WLAN say of one incident and of one total. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../engine/state/json-value.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation(['mgmt', 'nac', 'workspace', 'cloudwlan']);
});

function rows(path: string): JsonObject[] {
  const [platform, resource] = path.split('/') as [string, string];
  return [...installation.fixture.rows.of(platform, resource).values()].map(({ value }) => value);
}

describe('an access point that is away', () => {
  it('is away for the cloud WLAN, without clients and time up', () => {
    const away = rows('mgmt/aps').filter((row) => row['status'] === 'OFFLINE');
    expect(away.length).toBeGreaterThan(0);
    for (const { apName, macAddress } of away) {
      const stats = rows('cloudwlan/site-device-stats').find((row) => row['name'] === apName);
      expect(stats).toMatchObject({ status: 'disconnected', num_clients: 0, uptime: 0, mac: macAddress });
      expect(rows('cloudwlan/inventory').find((row) => row['mac'] === macAddress)).toMatchObject({ connected: false });
      expect(rows('cloudwlan/site-wireless-clients').filter((row) => row['ap'] === macAddress)).toEqual([]);
      expect(rows('nac/active-session').filter((row) => row['nas_name'] === apName)).toEqual([]);
    }
  });
});

describe('a login server that answers late', () => {
  it('is late in the cluster, and who waited for it is turned away everywhere', () => {
    const [slow] = rows('mgmt/authentication-health').filter((row) => row['state'] === 'DEGRADED');
    expect(Math.max(...rows('nac/cluster-server-performance').map((row) => Number(row['latency_ms'])))).toBe(
      slow?.['medianLatencyMs'],
    );
    const turnedAway = new Set(rows('mgmt/failed-clients').map((row) => row['macAddress']));
    const refused = (path: string, field: string, word: string) =>
      new Set(
        rows(path)
          .filter((row) => row[field] === word)
          .map((row) => row['mac_address'] ?? row['mac']),
      );
    expect(turnedAway.size).toBeGreaterThan(0);
    expect(refused('nac/access-log', 'result', 'timeout')).toEqual(turnedAway);
    expect(refused('cloudwlan/org-nac-clients', 'status', 'timeout')).toEqual(turnedAway);
  });
});

describe('totals', () => {
  it('of a site are those of the devices that stand there', () => {
    const devices = rows('workspace/devices');
    const stats = rows('cloudwlan/site-stats');
    for (const { id, name, deviceCount } of rows('workspace/locations')) {
      expect(deviceCount).toBe(devices.filter((row) => row['locationId'] === id).length);
      // A location that is not open yet is no site of the network.
      expect(stats.find((row) => row['name'] === name)?.['num_devices'] ?? 0).toBe(deviceCount);
    }
  });

  it('of clients on a device are those of the list of them', () => {
    const wireless = rows('cloudwlan/site-wireless-clients');
    for (const { mac, num_clients: clients } of rows('cloudwlan/site-device-stats').filter(({ type }) => type === 'ap'))
      expect(wireless.filter(({ ap }) => ap === mac)).toHaveLength(Number(clients));
  });
});
