/** Reading an export: families, warnings with their pointers, and secrets at the door (specification 1.6 and 3.4). */
import { describe, expect, test } from 'vitest';
import { exportOf, network, only, planFor } from '../test/migration/exports.ts';
import { SECTIONS } from './object-family.ts';
import { planOf } from './plan.ts';
import { readExport, readExportText } from './read-export.ts';
import { EMPTY, isRedactionMarker, isSecretField, PRESENT } from './secret-field.ts';

const codesOf = (value: unknown) => readExport(value).warnings.map(({ code, pointer }) => `${code} ${pointer}`);
const at = (pointer: string, value: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight((inner, name) => ({ [name]: inner }), value);

describe('every object family is read into the plan', () => {
  test.each(Object.entries(SECTIONS))('%s at $pointer', (name, { pointer, key }) => {
    const item = Object.fromEntries(key.map(([field], i) => [field, `7${i}`]));
    const source = readExport(at(pointer, [item]));
    expect(source.warnings).toEqual([]);
    expect(source.sections[name as keyof typeof SECTIONS]).toHaveLength(1);
    const plan = planOf(source);
    expect(plan.source_object_counts[name as keyof typeof SECTIONS]).toBe(1);
    expect(plan.candidates.new).toHaveLength(1);
  });
});

describe('malformed sections and items become warnings with their pointer', () => {
  test.each(Object.values(SECTIONS).map(({ pointer }) => pointer))('%s that is no list', (pointer) => {
    expect(codesOf(at(pointer, { not: 'a list' }))).toEqual([`section_malformed ${pointer}`]);
  });
  test.each(Object.values(SECTIONS).map(({ pointer }) => pointer))('%s with items of no use', (pointer) => {
    expect(codesOf(at(pointer, ['text', null, [], {}, 7]))).toEqual(
      [0, 1, 2, 3, 4].map((index) => `item_malformed ${pointer}/${index}`),
    );
  });
  test.each([
    [{ aaa: [] }, 'section_malformed /aaa'],
    [{ wlans: 'none' }, 'section_malformed /wlans'],
    [{ routing: 7 }, 'section_malformed /routing'],
    [{ config_path: 7 }, 'section_malformed /config_path'],
    [{ config_path: '../../etc' }, 'section_malformed /config_path'],
    [{ printers: [] }, 'section_unknown /printers'],
    [{ aaa: { vpn_profiles: [] } }, 'section_unknown /aaa/vpn_profiles'],
  ])('%j', (value, expected) => expect(new Set(codesOf(value))).toEqual(new Set([expected])));
  test.each(['', '{', 'null', '[]', '7', '"text"', '{"vlans": [1,}', '\u0000'])('%j is no export', (text) => {
    const source = readExportText(text);
    expect(source.warnings.map(({ code }) => code)).toEqual(['export_unreadable']);
    expect(planOf(source).candidates.new).toEqual([]);
  });
  test('a byte order mark is no reason to refuse', () => {
    expect(readExportText('\uFEFF{"vlans": []}').warnings).toEqual([]);
  });
  test('an item that is left out leaves the others in', () => {
    const { sections, warnings } = readExport({ vlans: [{ id: 1 }, null, { id: 2 }] });
    expect(sections.vlans.map(({ name }) => name)).toEqual(['1', '2']);
    expect(warnings).toHaveLength(1);
  });
  test('a VLAN number with leading zeros or blanks is the same VLAN', () => {
    const vlans = [
      { id: '010', descr: 'one' },
      { id: 10, descr: 'other' },
      { vlan_id: ' 0020 ', descr: 'things' },
    ];
    const role = { rname: 'r', role__acl: [{ pname: 'allowall' }], vlan: '020' };
    const plan = planFor({ ...network({ opmode: 'opensystem' }, { vlan: '020' }), vlans, roles: [role] });
    const vlansIn = plan.candidates.new.filter(({ object_type }) => object_type === 'vlan');
    expect(vlansIn.map(({ identifier, payload }) => [identifier, payload['vlan_id']])).toEqual([
      ['10', 10],
      ['20', 20],
    ]);
    expect(vlansIn[0]?.unsupported_fields).toEqual({ 'descr (again)': 'other' });
    for (const ref of ['role:r', 'wlan:net']) expect(only(plan, ref).dependencies).toEqual(['vlan:20']);
    expect(only(plan, 'role:r').payload['vlan']).toBe('20');
    expect(plan.warnings.map(({ code }) => code)).not.toContain('dependency_missing');
  });
  test('duplicate names are told, and the same one is planned whatever their order is', () => {
    const one = { rname: 'r', role__acl: [{ pname: 'allowall' }] };
    const two = { rname: 'r', role__acl: [{ pname: 'guest' }] };
    expect(codesOf({ roles: [one, two] })).toEqual(['duplicate_name /roles']);
    expect(readExport({ roles: [one, two] })).toEqual(readExport({ roles: [two, one] }));
  });
  test('of two items of one name that differ, what the other one says stands beside the field', () => {
    const { sections } = readExport({
      vlans: [
        { id: 10, descr: 'staff', mtu: 9000 },
        { vlan_id: '10', descr: 'visitors' },
      ],
    });
    expect(sections.vlans).toHaveLength(1);
    expect(sections.vlans[0]?.fields).toMatchObject({
      'descr (again)': expect.any(String),
      'mtu (again)': '(not set)',
    });
    expect(Object.keys(sections.vlans[0]?.fields ?? {})).not.toContain('id (again)');
  });
  test('a section that a second spelling of its name takes the place of is told', () => {
    const radius = { 'radius-servers': [{ name: 'a' }], radius_servers: [{ name: 'b' }] };
    const { sections, warnings } = readExport({ VLANs: [{ id: 1 }], vlans: [{ id: 2 }], aaa: radius });
    expect(sections.vlans).toHaveLength(1);
    expect(sections.radius_servers).toHaveLength(1);
    expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'section_malformed /aaa/radius_servers',
      'section_malformed /vlans',
    ]);
    expect(readExport({ 'ap-groups': [{ name: 'a' }], ap_groups: [] }).warnings).toEqual([]);
  });
  test('a section of more than 20,000 items is cut, and says so', () => {
    const source = readExport({ roles: Array.from({ length: 20_001 }, (_, i) => ({ rname: `r${i}` })) });
    expect(source.sections.roles).toHaveLength(20_000);
    expect(source.warnings).toMatchObject([{ code: 'too_many_items', pointer: '/roles' }]);
  });
  test('prototype names are names like any other', () => {
    const source = readExportText('{"__proto__": [], "vlans": [{"id": 1, "__proto__": {"descr": "x"}}]}');
    expect(source.sections.vlans[0]?.fields['descr']).toBeUndefined();
    expect(({} as Record<string, unknown>)['descr']).toBeUndefined();
  });
  test('ten thousand levels are no reason to fail', () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    expect(readExportText(`{"vlans": [{"id": 1, "deep": ${deep}}]}`).sections.vlans).toHaveLength(1);
  });
});

describe('passphrases, hex keys, WEP keys, bind passwords and shared secrets never persist', () => {
  test.each([
    'wpa_passphrase',
    'wpa-passphrase',
    'WPA_Passphrase',
    'passphrase',
    'wpa_hexkey',
    'psk_hexkey',
    'psk',
    'wep_key',
    'wep_keys',
    'wepkey1',
    'admin_passwd',
    'bind_password',
    'bind_pass',
    'admin_pwd',
    'bind-pw',
    'snmp_community',
    'snmp_ro_community',
    'password',
    'shared_secret',
    'shared-secret',
    'sharedsecret',
    'secret',
    'key',
    'rad_key',
    'client_secret',
    'api_token',
    'radius.shared_secret',
    'ssid/wpa_passphrase',
    'servers[0].key',
    'wep_keys[1]',
    'enabled.wpa_passphrase',
    'authentication2',
    'key1',
  ])('%s is a secret', (field) => {
    expect(isSecretField(field)).toBe(true);
    const { sections } = readExport({ vlans: [{ id: 1, [field]: 'do not tell' }] });
    expect(JSON.stringify(sections)).not.toContain('do not tell');
    expect(JSON.stringify(sections)).toContain(PRESENT);
  });
  test.each([
    'admin_dn',
    'bind_dn',
    'key_attribute',
    'opmode',
    'wpa_passphrase.enabled',
    'shared_secret/position',
    'name',
    'opp_key_caching',
    'use_session_key',
    'bypass',
    'community',
  ])('%s is none: a path-like key is judged by its last component', (field) =>
    expect(isSecretField(field)).toBe(false),
  );
  test('the bind distinguished name is not redacted; the bind password is', () => {
    const ldap = { name: 'l', admin_dn: 'cn=reader,dc=example', admin_passwd: 'do not tell' };
    const { unsupported_fields } = planFor({ aaa: { ldap_servers: [ldap] } }).candidates.new[0] ?? {};
    expect(unsupported_fields).toEqual({ admin_dn: 'cn=reader,dc=example', admin_passwd: PRESENT });
  });
  test.each([
    ['text', 'x', PRESENT],
    ['a number', 12_345_678, PRESENT],
    ['an object', { value: 'x' }, PRESENT],
    ['a list', [{ index: 1, key: 'x' }], PRESENT],
    ['asterisks', '******', PRESENT],
    ['an empty text', '', EMPTY],
    ['null', null, EMPTY],
    ['an empty list', [], EMPTY],
    ['the marker of an empty one', EMPTY, EMPTY],
    ['the marker of a present one', PRESENT, PRESENT],
  ])('%s is replaced by a marker', (_, value, marker) => {
    const { sections } = exportOf(network({ wpa_passphrase: value }));
    expect(sections.ssid_profiles[0]?.fields['wpa_passphrase']).toBe(marker);
  });
  test('presence booleans stay real booleans', () => {
    const { sections } = exportOf(network({ wpa_passphrase: true, passphrase_present: true }));
    expect(sections.ssid_profiles[0]?.fields).toMatchObject({ wpa_passphrase: true });
  });
  test('a credential inside free text is masked', () => {
    const { sections } = readExport({ vlans: [{ id: 1, descr: 'guests, passphrase: opensesame' }] });
    expect(JSON.stringify(sections)).not.toContain('opensesame');
  });
  test.each([
    ['********', true],
    ['<redacted>', true],
    [PRESENT, true],
    [EMPTY, true],
    ['__runtime_secret_placeholder__', true],
    ['a real one', false],
    ['**x**', false],
  ])('%s is a redaction marker: %s', (text, marker) => expect(isRedactionMarker(text)).toBe(marker));
});
