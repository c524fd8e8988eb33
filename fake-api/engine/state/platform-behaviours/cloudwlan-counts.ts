/** Counts of a site and of the organisation in the cloud WLAN follow from the devices and clients that their lists have. */
import { rowParts } from '../collection.ts';
import type { Look, PlatformBehaviour, Values } from '../platform-behaviour.ts';

const PLATFORM = 'cloudwlan';

interface Census {
  ap: number;
  switch: number;
  gateway: number;
  connected: number;
  connectedAps: number;
  clients: number;
}

const nobody = (): Census => ({ ap: 0, switch: 0, gateway: 0, connected: 0, connectedAps: 0, clients: 0 });

const NOBODY = nobody();

/** Clients of an access point or a switch; one that is down has none. */
export function clientsOf({ mac, status }: Values, look: Look): Values {
  if (status === 'disconnected') return { num_clients: 0 };
  const attached = look.state.memo('attached clients', () => {
    const lists = [
      ['site-wireless-clients', 'ap'],
      ['site-wired-clients', 'device_mac'],
    ] as const;
    const devices = lists.flatMap(([name, field]) =>
      [...look.state.rows(PLATFORM, name).all()].map(({ value }): unknown => value[field]),
    );
    return Map.groupBy(devices, (device) => device);
  });
  return { num_clients: attached.get(mac)?.length ?? 0 };
}

/** Gathered once per state, by the key of the site. */
function census(look: Look): ReadonlyMap<string, Census> {
  return look.state.memo('census of sites', () => {
    const found = new Map<string, Census>();
    const at = (id: string): Census => {
      const site = rowParts(id)[0] as string;
      const own = found.get(site) ?? nobody();
      found.set(site, own);
      return own;
    };
    for (const { id, value } of look.state.rows(PLATFORM, 'site-devices').all())
      at(id)[value['type'] as 'ap' | 'switch' | 'gateway'] += 1;
    for (const { id, value } of look.state.rows(PLATFORM, 'site-device-stats').all()) {
      if (value['status'] !== 'connected') continue;
      at(id).connected += 1;
      if (value['type'] === 'ap') at(id).connectedAps += 1;
    }
    for (const name of ['site-wireless-clients', 'site-wired-clients'])
      for (const { id } of look.state.rows(PLATFORM, name).all()) at(id).clients += 1;
    return found;
  });
}

const devicesOf = (own: Census): number => own.ap + own.switch + own.gateway;

function ofSite({ site_id: site }: Values, look: Look): Values {
  const own = census(look).get(String(site)) ?? NOBODY;
  return { num_aps: own.ap, num_switches: own.switch, num_gateways: own.gateway, num_clients: own.clients };
}

/** Sum over the sites of an organisation. */
function sumOf(org: unknown, look: Look): (count: (own: Census) => number) => number {
  const own = [...look.state.rows(PLATFORM, 'sites').all()].filter(({ value }) => value['org_id'] === org);
  const found = own.map(({ id }) => census(look).get(rowParts(id)[0] as string) ?? NOBODY);
  return (count) => found.reduce((sum, each) => sum + count(each), 0);
}

/** Devices in stock: claimed, and at no site. */
const unassigned = (org: unknown, look: Look): number =>
  look.state
    .rows(PLATFORM, 'inventory')
    .under([String(org)])
    .filter(({ value }) => value['site_id'] == null).length;

export const COUNTS: PlatformBehaviour['derive'] = {
  sites: ofSite,
  'site-stats': (row, look) => {
    const own = census(look).get(String(row['site_id'])) ?? NOBODY;
    return { ...ofSite(row, look), num_devices: devicesOf(own), num_devices_connected: own.connected };
  },
  'site-stat': ({ site_id: site }, look) => {
    const own = census(look).get(String(site)) ?? NOBODY;
    return { num_aps: own.ap, num_aps_connected: own.connectedAps, num_clients: own.clients };
  },
  orgs: ({ org_id: org }, look) => {
    const sum = sumOf(org, look);
    return {
      num_aps: sum(({ ap }) => ap),
      num_switches: sum((own) => own.switch),
      num_gateways: sum(({ gateway }) => gateway),
      num_unassigned: unassigned(org, look),
    };
  },
  'orgs-stats': ({ org_id: org }, look) => {
    const sum = sumOf(org, look);
    const [devices, connected] = [sum(devicesOf), sum((own) => own.connected)];
    return {
      num_devices: devices,
      num_devices_connected: connected,
      num_devices_disconnected: devices - connected,
      num_clients: sum(({ clients }) => clients),
      num_sites: [...look.state.rows(PLATFORM, 'sites').all()].filter(({ value }) => value['org_id'] === org).length,
    };
  },
};
