/**
 * What is on air. A WLAN is sent at a site while its profile is switched on and assigned to the site, its collection or
 * everywhere; where it is not, it has neither access points nor clients.
 */
import type { Look, PlatformBehaviour, Values } from '../platform-behaviour.ts';
import { scopesAbove } from '../scopes.ts';
import { rowsBy } from './mgmt-rows.ts';

const PLATFORM = 'mgmt';

/** The sites and access points that send it, where a write took some of them away. */
export function onAir({ wlanName, sites }: Values, look: Look): Values {
  const all = Array.isArray(sites) ? sites : [];
  const left = all.filter((site) => !isOff(wlanName, site, look));
  if (left.length === all.length) return {};
  const points = left
    .flatMap((site) => rowsBy(look, 'devices', 'siteId').get(site) ?? [])
    .filter((device) => device['deviceType'] === 'ACCESS_POINT');
  const apCount = points.filter((device) => device['status'] === 'ONLINE').length;
  const status = left.length === 0 ? 'SUSPENDED' : apCount < points.length ? 'PARTIAL' : 'BROADCASTING';
  return { sites: left, apCount, expectedApCount: points.length, status };
}

export function isOff(wlan: unknown, site: unknown, look: Look): boolean {
  return sitesOff(look).get(wlan)?.has(site) === true;
}

/** By WLAN the sites at which it is not sent although it was. */
function sitesOff(look: Look): ReadonlyMap<unknown, ReadonlySet<unknown>> {
  return look.state.memo('sites off', () => {
    const off = networksOff(look);
    const assigned = assignedScopes(look);
    const rows = [...look.state.rows(PLATFORM, 'wlans').all()].map(({ value }) => {
      const { wlanName, sites } = value;
      const scopes = assigned.get(wlanName);
      const gone = (Array.isArray(sites) ? sites : []).filter(
        (site) =>
          off.has(wlanName) ||
          ![...scopesAbove(look.state, PLATFORM, String(site), true)].some((scope) => scopes?.has(scope)),
      );
      return [wlanName, new Set<unknown>(gone)] as const;
    });
    return new Map(rows);
  });
}

/** By WLAN the scopes that it is assigned to. */
function assignedScopes(look: Look): ReadonlyMap<unknown, ReadonlySet<unknown>> {
  const own = [...look.state.rows(PLATFORM, 'config-assignments').all()]
    .map(({ value }) => value)
    .filter((value) => value['profile-type'] === 'wlan-ssids');
  const byName = Map.groupBy(own, (value): unknown => value['profile-instance']);
  return new Map([...byName].map(([name, values]) => [name, new Set(values.map((value) => value['scope-id']))]));
}

/** WLAN profiles that are switched off. */
function networksOff(look: Look): ReadonlySet<unknown> {
  const profiles = [...look.state.rows(PLATFORM, 'wlan-ssids').all()].filter(({ value }) => value['enable'] === false);
  return new Set(profiles.map(({ value }) => value['ssid']));
}

/** Where an access point stands. */
export function siteOf(serial: unknown, look: Look): unknown {
  return look.state.rows(PLATFORM, 'devices').get(String(serial))?.value['siteId'];
}

/** Network names with the WLAN that has them. */
function wlanNames(look: Look): ReadonlyMap<unknown, unknown> {
  return look.state.memo('names of wlans', () => {
    const rows = [...look.state.rows(PLATFORM, 'wlans').all()];
    return new Map(rows.map(({ value }) => [value['essid'], value['wlanName']]));
  });
}

const isGone = (mac: unknown, look: Look): boolean => {
  if (look.one('clients', String(mac)) === undefined) return false;
  return rowsBy(look, 'clients', 'macAddress').get(mac)?.[0]?.['status'] !== 'CONNECTED';
};

/** Lists of those who are connected, and of what is on air. */
export const CLIENT_HIDES: PlatformBehaviour['hides'] = {
  clients: (row, look) => isOff(row['wlan'], row['siteId'], look),
  bssids: (row, look) =>
    isOff(wlanNames(look).get(row['essid']), siteOf(row['apSerial'] ?? row['serialNumber'], look), look),
  'classic-clients': (row, look) => isGone(row['macaddr'], look),
  'firewall-clients': (row, look) => isGone(row['clientMac'], look),
};
