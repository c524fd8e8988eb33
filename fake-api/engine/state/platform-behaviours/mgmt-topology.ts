/** The topology of a site: its devices as nodes, and the links that follow from their uplinks. */
import { isoSeconds } from '../clock.ts';
import type { Look, Values } from '../platform-behaviour.ts';
import { rowsBy } from './mgmt-rows.ts';

export function topology(row: Values, look: Look): Values {
  const devices = rowsBy(look, 'devices', 'siteId').get(row['siteId']) ?? [];
  const links: Values[] = [];
  const core = devices.find((each) => each['deviceType'] === 'SWITCH');
  const gateway = devices.find((each) => each['deviceType'] === 'GATEWAY');
  for (const each of devices) {
    const uplink = look.one('aps', String(each['serialNumber']))?.['uplink'] as Values | undefined;
    const state = each['status'] === 'ONLINE' ? 'UP' : 'DOWN';
    if (uplink?.['neighbourSerial'] !== undefined && uplink['neighbourSerial'] !== null) {
      links.push({
        from: each['serialNumber'],
        to: uplink['neighbourSerial'],
        fromPort: uplink['portName'] ?? null,
        toPort: uplink['neighbourPort'] ?? null,
        speedMbps: 2500,
        state,
      });
    } else if (each['deviceType'] === 'SWITCH' && each !== core && core !== undefined) {
      links.push({
        from: each['serialNumber'],
        to: core['serialNumber'],
        fromPort: '1/1/1',
        toPort: null,
        speedMbps: 10_000,
        state,
      });
    }
  }
  if (core !== undefined && gateway !== undefined) {
    links.push({
      from: core['serialNumber'],
      to: gateway['serialNumber'],
      fromPort: '1/1/2',
      toPort: '0/0/1',
      speedMbps: 10_000,
      state: 'UP',
    });
  }
  const nodes = devices.map((each) => ({
    id: each['serialNumber'],
    label: each['deviceName'],
    kind: each['deviceType'],
    health: each['status'] === 'OFFLINE' ? 'POOR' : Number(each['healthScore']) < 70 ? 'FAIR' : 'GOOD',
  }));
  // A device that was moved is cabled to nothing at its new site.
  const drawn = new Set<unknown>(nodes.map(({ id }) => id));
  const cables = links.filter(({ from, to }) => drawn.has(from) && drawn.has(to));
  return { nodes, links: cables, discoveredAt: isoSeconds(look.now() - (look.now() % 300_000)) };
}
