/** The tree of scopes: the tenant, collections, sites, groups and devices, and which settings reach a device from where. */
import type { Resource } from '../../openapi/stored-resource.ts';
import { canonicalJson, sha256 } from '../json-value.ts';
import type { Look, Values } from '../platform-behaviour.ts';

const PLATFORM = 'mgmt';

export interface Scope {
  id: string;
  name: string;
  type: 'GLOBAL' | 'SITE_COLLECTION' | 'SITE' | 'DEVICE_GROUP' | 'DEVICE_COLLECTION' | 'DEVICE';
  /** Scopes it inherits from, nearest first. */
  parents: string[];
}

/** Stored values only: what is derived from the tree asks for the tree. */
function stored(look: Look, resource: string): { id: string; value: Values }[] {
  return [...look.state.rows(PLATFORM, resource).all()].map(({ id, value }) => ({ id, value }));
}

export function globalId(look: Look): string {
  return String(stored(look, 'global-scope')[0]?.value['scope-id'] ?? 'global');
}

export function scopesOf(look: Look): ReadonlyMap<string, Scope> {
  return look.state.memo('scopes', () => readScopes(look));
}

function readScopes(look: Look): Map<string, Scope> {
  const scopes = new Map<string, Scope>();
  const put = (id: string, name: unknown, type: Scope['type'], parents: string[]) =>
    scopes.set(id, { id, name: String(name ?? id), type, parents });
  const top = globalId(look);
  put(top, stored(look, 'global-scope')[0]?.value['scope-name'], 'GLOBAL', []);
  for (const { id, value } of stored(look, 'site-collections')) put(id, value['name'], 'SITE_COLLECTION', [top]);
  for (const { id, value } of stored(look, 'sites')) {
    const collection = value['collection-id'];
    put(id, value['name'], 'SITE', typeof collection === 'string' ? [collection, top] : [top]);
  }
  for (const { id, value } of stored(look, 'device-groups')) put(id, value['name'], 'DEVICE_GROUP', [top]);
  for (const { id, value } of stored(look, 'device-collections')) put(id, value['name'], 'DEVICE_COLLECTION', [top]);
  for (const { id, value } of stored(look, 'devices')) {
    const site = scopes.get(String(value['siteId']));
    const above = site === undefined ? [top] : [site.id, ...site.parents];
    put(id, value['deviceName'], 'DEVICE', [...groupsOf(look, id, value), ...above]);
  }
  return scopes;
}

/** Groups come before collections: what was chosen by hand is nearer than what a rule found. */
function groupsOf(look: Look, serial: string, device: Values): string[] {
  const groups = stored(look, 'device-groups').filter(({ value }) => listed(value['serial-numbers']).includes(serial));
  const collections = stored(look, 'device-collections').filter(({ value }) => isMatch(look, value, serial, device));
  return [...groups, ...collections].map(({ id }) => id);
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether the rules of a device collection find a device. */
function isMatch(look: Look, collection: Values, serial: string, device: Values): boolean {
  const rules = listed(collection['rules']) as Values[];
  const outcomes = rules.map((rule) => meets(rule, attributesOf(look, serial, device)));
  return collection['match'] === 'any' ? outcomes.includes(true) : outcomes.length > 0 && !outcomes.includes(false);
}

function attributesOf(look: Look, serial: string, device: Values): Record<string, string> {
  const site = look.state.rows(PLATFORM, 'sites').get(String(device['siteId']))?.value['name'];
  return {
    model: String(device['model'] ?? ''),
    'serial-prefix': serial,
    name: String(device['deviceName'] ?? ''),
    subnet: String(device['ipv4'] ?? ''),
    'site-name': String(site ?? device['siteName'] ?? ''),
  };
}

function meets(rule: Values, attributes: Record<string, string>): boolean {
  const have = attributes[String(rule['attribute'])] ?? '';
  const wanted = String(rule['value'] ?? '');
  switch (rule['operator']) {
    case 'equals':
      return have === wanted;
    case 'starts-with':
      return have.startsWith(wanted);
    case 'contains':
      return have.includes(wanted);
    default:
      return isInSubnet(have, wanted);
  }
}

function isInSubnet(address: string, prefix: string): boolean {
  const [network = '', length = '32'] = prefix.split('/');
  const shift = 2 ** (32 - Number(length));
  return Math.floor(numberOf(address) / shift) === Math.floor(numberOf(network) / shift);
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function childrenOf(look: Look, id: string): Scope[] {
  const scopes = [...scopesOf(look).values()];
  const direct = (scope: Scope): boolean => {
    if (scope.type !== 'DEVICE') return scope.parents[0] === id;
    const kind = scopesOf(look).get(id)?.type;
    return kind !== 'GLOBAL' && kind !== 'SITE_COLLECTION' && scope.parents.includes(id);
  };
  return scopes.filter(direct);
}

/** Devices in a scope, at whatever depth. */
export function devicesIn(look: Look, id: string): Scope[] {
  return [...scopesOf(look).values()].filter(
    (scope) => scope.type === 'DEVICE' && (scope.id === id || scope.parents.includes(id)),
  );
}

export function hierarchyNode(row: Values, look: Look): Values {
  const scope = scopesOf(look).get(String(row['scope-id']));
  if (scope === undefined) return {};
  return {
    'scope-name': scope.name,
    'scope-type': scope.type,
    'parent-ids': scope.parents.slice(0, 4),
    children: childrenOf(look, scope.id).map((child) => ({
      'scope-id': child.id,
      'scope-name': child.name,
      'scope-type': child.type,
      'children-count': childrenOf(look, child.id).length,
    })),
  };
}

interface Section {
  'profile-type': string;
  'profile-instance': string;
  'source-scope-id': string;
  'source-scope-name': string;
  body: Values;
}

/** What a device receives: objects assigned to, or committed at, one of its scopes; the nearest source counts. */
export function effectiveConfig(row: Values, look: Look): Values {
  const serial = String(row['serial-number']);
  const device = look.state.rows(PLATFORM, 'devices').get(serial);
  const scope = scopesOf(look).get(serial);
  if (device === undefined || scope === undefined) return {};
  const deviceFunction = String(device.value['deviceFunction']);
  const sections = new Map<string, Section>();
  for (const source of [scope.id, ...scope.parents]) {
    for (const object of objectsAt(look, source, deviceFunction)) {
      const kind = object.resource.name;
      const mark = ONE_PER_DEVICE.has(kind) ? kind : `${kind} ${object.name}`;
      if (sections.has(mark)) continue;
      sections.set(mark, {
        'profile-type': object.resource.name,
        'profile-instance': object.name,
        'source-scope-id': source,
        'source-scope-name': scopesOf(look).get(source)?.name ?? source,
        body: settingsOf(object.value),
      });
    }
  }
  const ordered = [...sections].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, section]) => section);
  return {
    'device-function': deviceFunction,
    sections: ordered,
    checksum: sha256(canonicalJson(ordered)).replace('sha256:', ''),
    'generated-at': look.state.clock.iso(),
  };
}

/** A device obeys one of these: the nearest assignment takes the place of those above, whatever its name. */
const ONE_PER_DEVICE = new Set([
  'client-steering',
  'loop-protect',
  'radio-profiles',
  'regulatory-domain',
  'storm-control',
  'stp',
  'vrrp-global',
]);

/** Saved states of a device are no settings. */
const NO_SETTINGS = new Set(['config-checkpoint']);

interface Placed {
  resource: Resource;
  name: string;
  value: Values;
}

type PlacedAt = Placed & { scopeId: string; deviceFunction: string };

function objectsAt(look: Look, scopeId: string, deviceFunction: string): Placed[] {
  const byScope = look.state.memo('placed objects', () => Map.groupBy(placedObjects(look), (entry) => entry.scopeId));
  return (byScope.get(scopeId) ?? []).filter(
    (entry) => entry.deviceFunction === deviceFunction || entry.deviceFunction === 'ALL',
  );
}

function placedObjects(look: Look): PlacedAt[] {
  const resources = look.state.platforms.get(PLATFORM)?.resources ?? new Map<string, Resource>();
  const placed: PlacedAt[] = [];
  for (const { value } of stored(look, 'config-assignments')) {
    const resource = resources.get(String(value['profile-type']));
    const name = String(value['profile-instance']);
    const object = resource === undefined ? undefined : look.state.rows(PLATFORM, resource.name).get(name);
    if (resource === undefined || object === undefined) continue;
    const at = { scopeId: String(value['scope-id']), deviceFunction: String(value['device-function']) };
    placed.push({ resource, name, value: object.value, ...at });
  }
  for (const resource of resources.values()) {
    if (resource.scope === 'local' && !NO_SETTINGS.has(resource.name)) addLocalObjects(look, resource, placed);
  }
  return placed;
}

function addLocalObjects(look: Look, resource: Resource, placed: PlacedAt[]): void {
  for (const { id, value } of stored(look, resource.name)) {
    const place = look.state.notes.get(`place ${PLATFORM} ${resource.name} ${id}`);
    if (place !== undefined) placed.push({ resource, name: id, value, ...(place as object) } as PlacedAt);
  }
}

/** Bookkeeping of the platform never reaches a device. */
function settingsOf(value: Values): Values {
  const { metadata: _bookkeeping, ...settings } = value;
  return settings;
}
