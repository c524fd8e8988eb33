/** Values of configuration objects that follow from others: where they are used, how many belong, whether hours hold. */
import { isoSeconds } from '../clock.ts';
import type { Look, PlatformBehaviour, Values } from '../platform-behaviour.ts';
import { devicesIn, effectiveConfig, globalId, hierarchyNode, scopesOf } from './mgmt-scopes.ts';

function length(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** Counts over stored values: rows of other resources that name this one. */
function count(look: Look, resource: string, names: (row: Values) => boolean): number {
  let found = 0;
  for (const row of look.state.rows('mgmt', resource).all()) if (names(row.value)) found += 1;
  return found;
}

function connected(look: Look, field: string, value: unknown): number {
  return look.all('clients').filter((client) => client['status'] === 'CONNECTED' && client[field] === value).length;
}

function entries(row: Values, field: string): Values[] {
  return Array.isArray(row[field]) ? (row[field] as Values[]) : [];
}

function listsPolicy(name: unknown): (row: Values) => boolean {
  return (row) => entries(row, 'policies').some((entry) => entry['policy'] === name);
}

function compliantShare(row: Values, look: Look): Values {
  const kind = { 'access-point': 'ACCESS_POINT', switch: 'SWITCH', gateway: 'GATEWAY' }[String(row['device-type'])];
  const excluded = Array.isArray(row['excluded-serials']) ? row['excluded-serials'] : [];
  const versions = devicesIn(look, String(row['scope-id']))
    .filter((scope) => !excluded.includes(scope.id))
    .map((scope) => look.state.rows('mgmt', 'devices').get(scope.id)?.value)
    .filter((device) => device?.['deviceType'] === kind)
    .map((device) => device?.['softwareVersion']);
  const compliant = versions.filter((version) => version === row['version']).length;
  return { 'compliant-share': versions.length === 0 ? 1 : Math.round((compliant / versions.length) * 1000) / 1000 };
}

const DAYS: Record<string, string> = {
  Mon: 'mon',
  Tue: 'tue',
  Wed: 'wed',
  Thu: 'thu',
  Fri: 'fri',
  Sat: 'sat',
  Sun: 'sun',
};

/** Periodic hours are meant in their own zone; hours that end before they begin run over midnight. */
function isActive(row: Values, nowMs: number): boolean {
  if (row['type'] === 'absolute') {
    return Date.parse(String(row['start-at'])) <= nowMs && nowMs <= Date.parse(String(row['end-at']));
  }
  const [day = '', time = ''] = localTime(nowMs, String(row['timezone'] ?? 'UTC'));
  return entries(row, 'periodic').some((hours) => {
    const start = String(hours['start']);
    const end = String(hours['end']);
    const within = start <= end ? start <= time && time < end : start <= time || time < end;
    return within && Array.isArray(hours['days']) && hours['days'].includes(day);
  });
}

function localTime(nowMs: number, timeZone: string): [day: string, time: string] {
  const style = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  const parts = new Intl.DateTimeFormat('en-GB', style).formatToParts(nowMs);
  const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? '';
  return [DAYS[part('weekday')] ?? '', `${part('hour')}:${part('minute')}`];
}

function siteSummary(row: Values, look: Look): Values {
  const id = String(row['id']);
  const health = look.one('sites-health', id);
  return {
    name: look.state.rows('mgmt', 'sites').get(id)?.value['name'],
    devices: devicesIn(look, id).length,
    clients: connected(look, 'siteId', id),
    health: String(health?.['healthBand'] ?? 'GOOD').toLowerCase(),
  };
}

/** The older form shows the same VLAN as the newer one. */
function olderVlan(row: Values, look: Look): Values {
  const vlan = look.state.rows('mgmt', 'layer2-vlan').get(String(row['vlan_id']))?.value;
  if (vlan === undefined) return {};
  const text = vlan['description-text'];
  return {
    name: vlan['name'],
    voice: vlan['voice'] ?? false,
    ...(text === undefined ? {} : { 'description-text': text }),
  };
}

function persona(row: Values, look: Look): Values {
  const device = look.state.rows('mgmt', 'devices').get(String(row['serial-number']))?.value;
  if (device === undefined) return {};
  return {
    'device-function': device['deviceFunction'],
    'device-name': device['deviceName'],
    model: device['model'],
    'scope-id': device['siteId'] ?? globalId(look),
  };
}

const deviceCount = (row: Values, look: Look): number => devicesIn(look, String(row['scope-id'])).length;

export const CONFIG_DERIVE: PlatformBehaviour['derive'] = {
  sites: (row, look) => ({ 'device-count': deviceCount(row, look) }),
  'site-collections': (row, look) => ({
    'site-count': count(look, 'sites', (site) => site['collection-id'] === row['scope-id']),
    'device-count': deviceCount(row, look),
  }),
  'device-groups': (row) => ({ 'device-count': length(row['serial-numbers']) }),
  'device-collections': (row, look) => ({
    'device-count': deviceCount(row, look),
    'evaluated-at': isoSeconds(look.now() - (look.now() % 300_000)),
  }),
  'global-scope': (_row, look) => ({
    'site-count': count(look, 'sites', () => true),
    'device-count': count(look, 'devices', () => true),
  }),
  hierarchy: hierarchyNode,
  personas: persona,
  'config-assignments': (row, look) => ({
    'scope-name': scopesOf(look).get(String(row['scope-id']))?.name ?? row['scope-id'],
  }),
  'effective-config': effectiveConfig,
  'sites-summary': siteSummary,
  'layer2-vlan-v1': olderVlan,
  'firmware-compliance': compliantShare,
  variables: (row, look) => ({
    'used-by': count(look, 'wlan-ssids', (wlan) => (wlan['essid'] as Values | undefined)?.['alias'] === row['name']),
  }),
  roles: (row, look) => ({ 'client-count': connected(look, 'role', row['name']) }),
  policies: (row, look) => ({
    'rule-count': length(row['rules']),
    'used-by': count(look, 'roles', listsPolicy(row['name'])) + count(look, 'policy-groups', listsPolicy(row['name'])),
  }),
  'named-vlan': (row, look) => ({
    'used-by':
      count(look, 'wlan-ssids', (wlan) => wlan['vlan-name'] === row['name']) +
      count(look, 'roles', (role) => role['vlan-name'] === row['name']),
  }),
  'net-groups': (row) => ({
    'member-count': ['hosts', 'networks', 'ranges', 'names'].reduce((sum, field) => sum + length(row[field]), 0),
  }),
  'mpsk-local': (row) => ({ 'entry-count': length(row['entries']) }),
  'time-ranges': (row, look) => ({ active: isActive(row, look.now()) }),
};

const isOfRemovedSite = ({ siteId }: Values, look: Look): boolean =>
  look.state.rows('mgmt', 'sites').get(String(siteId)) === undefined;

/** Rows that say something about another one are gone with it. */
export const CONFIG_HIDES: PlatformBehaviour['hides'] = {
  'sites-health': isOfRemovedSite,
  'sites-device-health': isOfRemovedSite,
  'sites-client-health': isOfRemovedSite,
  hierarchy: (row, look) => !scopesOf(look).has(String(row['scope-id'])),
  'sites-summary': (row, look) => look.state.rows('mgmt', 'sites').get(String(row['id'])) === undefined,
  'layer2-vlan-v1': (row, look) => look.state.rows('mgmt', 'layer2-vlan').get(String(row['vlan_id'])) === undefined,
};
