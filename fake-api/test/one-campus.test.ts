/**
 * One network behind ten platforms: whichever of them names a device, a client or a person, everything it says of that
 * thing is what all others say. The truth is read from the answers of the management cloud, not from the generator.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../engine/semantics/field-name-words.ts';
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';

interface Thing {
  kind: 'device' | 'client';
  /** What every platform has to say of it, by the ending of the field's name. */
  says: Record<string, unknown>;
}

let installation: Installation;
const byMark = new Map<string, Thing>();
const sites = new Map<unknown, unknown>();

const bare = (value: unknown) => String(value).toLowerCase().replaceAll(/[:-]/g, '');
const ENDINGS = [
  'serial number',
  'serial',
  'mac address',
  'mac',
  'host name',
  'name',
  'model',
  'part number',
  'firmware version',
  'software version',
  'ip address',
  'ip',
  'ipv 4',
  'ssid',
  'vlan',
  'username',
  'user name',
];

beforeAll(async () => {
  installation = await shippedInstallation();
  for (const { value } of rowsOf('mgmt', 'sites-health'))
    sites.set(value['scope-id'] ?? value['siteId'], value['siteName']);
  const essids = new Map(rowsOf('mgmt', 'wlans').map(({ id, value }) => [id, value['essid']]));
  for (const { id, value } of rowsOf('mgmt', 'devices')) {
    const version = value['softwareVersion'];
    const says = {
      'serial number': id,
      serial: id,
      'mac address': value['macAddress'],
      mac: value['macAddress'],
      name: value['deviceName'],
      'host name': value['deviceName'],
      model: value['model'],
      'part number': value['partNumber'],
      'firmware version': version,
      'software version': version,
      'ip address': value['ipv4'],
      ip: value['ipv4'],
      'ipv 4': value['ipv4'],
    };
    for (const mark of [id, value['macAddress']]) byMark.set(bare(mark), { kind: 'device', says });
  }
  for (const { id, value } of rowsOf('mgmt', 'clients')) {
    const says = {
      'mac address': id,
      mac: id,
      'host name': value['name'],
      name: value['name'],
      'ip address': value['ipv4'],
      ip: value['ipv4'],
      'ipv 4': value['ipv4'],
      ssid: essids.get(String(value['wlan'])),
      vlan: value['vlan'],
      username: value['username'],
      'user name': value['username'],
    };
    byMark.set(bare(id), { kind: 'client', says });
  }
});

function rowsOf(platform: string, resource: string) {
  return [...installation.fixture.rows.of(platform, resource).values()];
}

/** Every object of a value, the value itself included. */
function* objectsIn(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const entry of value) yield* objectsIn(entry);
  else if (isObject(value)) {
    yield value as JsonObject;
    for (const entry of Object.values(value)) yield* objectsIn(entry);
  }
}

/** The words before an ending, and the ending; null for a name that has none. */
function split(name: string): [role: string, ending: string] | null {
  const text = wordsOf(name).join(' ');
  const ending = ENDINGS.find((each) => text === each || text.endsWith(` ${each}`));
  // A stack has the address of its first member and a name of its own.
  return ending === undefined || text === 'stack name' ? null : [text.slice(0, -ending.length).trim(), ending];
}

/** Fields of one object that disagree with what the thing it names is known as. */
function disagreements(object: JsonObject): string[] {
  const fields = Object.entries(object).flatMap(([name, value]) => {
    const parts = value === null || typeof value === 'object' ? null : split(name);
    return parts === null ? [] : [{ name, value, role: parts[0], ending: parts[1] }];
  });
  return [...Map.groupBy(fields, ({ role }) => role).values()].flatMap((group) => {
    const marked = group.find(({ ending, value }) => /serial|mac/.test(ending) && byMark.has(bare(value)));
    const thing = marked && byMark.get(bare(marked.value));
    if (thing === undefined) return [];
    return (
      group
        // The port of a device has networks of its own.
        .filter(({ value }) => !String(value).includes('/'))
        .filter(
          ({ ending, value }) => (thing.says[ending] ?? null) !== null && bare(thing.says[ending]) !== bare(value),
        )
        .map(({ name, value, ending }) => `${name}: ${String(value)}, elsewhere ${String(thing.says[ending])}`)
    );
  });
}

/** Objects that name a person by the address they log in with, and call them otherwise than it does. */
function misnamed(object: JsonObject): string[] {
  const fields = new Map(Object.entries(object).map(([name, value]) => [wordsOf(name).join(' '), value]));
  const login = fields.get('username') ?? fields.get('user name') ?? fields.get('email');
  const full = fields.get('full name') ?? fields.get('display name');
  const person = /^([a-z]+)\.([a-z]+)@/.exec(String(login));
  if (person === null || typeof full !== 'string') return [];
  const expected = `${person[1]} ${person[2]}`;
  return full.toLowerCase() === expected ? [] : [`${String(login)} is called ${full}`];
}

describe('the same thing on every platform', () => {
  it('has the same attributes wherever it is named', () => {
    const wrong: string[] = [];
    let named = 0;
    for (const [id, platform] of installation.platforms)
      for (const resource of platform.resources.keys())
        for (const { value, id: row } of rowsOf(id, resource))
          for (const object of objectsIn(value)) {
            named += 1;
            for (const each of disagreements(object)) wrong.push(`${id}/${resource}/${row} ${each}`);
          }
    expect(named).toBeGreaterThan(20_000);
    expect(wrong).toEqual([]);
  });

  it('is called by one name wherever a person logs in', () => {
    const wrong = [...installation.platforms].flatMap(([id, platform]) =>
      [...platform.resources.keys()].flatMap((resource) =>
        rowsOf(id, resource).flatMap(({ value, id: row }) =>
          [...objectsIn(value)].flatMap(misnamed).map((each) => `${id}/${resource}/${row} ${each}`),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('is found in hundreds of resources', () => {
    const marks = new Set([...byMark.keys()]);
    for (const { says } of byMark.values())
      for (const name of ['name', 'username']) if (says[name]) marks.add(bare(says[name]));
    for (const name of sites.values()) marks.add(bare(name));
    const counts: Record<string, number> = {};
    for (const [id, platform] of installation.platforms)
      for (const resource of platform.resources.keys()) {
        const linked = rowsOf(id, resource).some(({ value }) =>
          [...objectsIn(value)].some((object) => Object.values(object).some((each) => marks.has(bare(each)))),
        );
        if (linked) counts[id] = (counts[id] ?? 0) + 1;
      }
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(230);
  });
});
