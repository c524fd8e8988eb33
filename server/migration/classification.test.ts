/** The classification table of specification 3.3: every row on both targets, and nothing wider than it. */
import { describe, expect, test } from 'vitest';
import { type Fields, network, only, type Parts, planFor } from '../test/migration/exports.ts';
import { type Class, classify, isAutomatic, ROWS, type RowId, rowOf, TARGETS } from './classification.ts';
import { APPLY_ORDER } from './object-family.ts';

const PSK = { wpa_passphrase: 'correct horse battery' };
const radius = (name: string, more: Fields = {}) => ({
  rad_server_name: name,
  host: '10.0.0.1',
  key: 'x1y2z3',
  ...more,
});
const group = (...names: string[]) => ({ sg_name: 'g', auth_server: names.map((name) => ({ name })) });

interface Case {
  parts: Parts;
  ref: string;
  row: RowId;
  classic: Class;
  new: Class;
}

const wlan = (row: RowId, parts: Parts, classic: Class, next: Class): Case => ({
  parts,
  ref: 'wlan:net',
  row,
  classic,
  new: next,
});

/** The third and fourth are the table's own cells, typed again. */
const TABLE: Record<string, Case> = {
  'VLAN | unsupported | exact': {
    parts: { vlans: [{ id: 10, descr: 'office' }] },
    ref: 'vlan:10',
    row: 'vlan',
    classic: 'unsupported',
    new: 'exact',
  },
  'WLAN open | exact | exact': wlan('wlan_open', network({ opmode: 'opensystem' }), 'exact', 'exact'),
  'WLAN WPA2 Personal | manual | conditional': wlan(
    'wlan_wpa2',
    network({ opmode: 'wpa2-psk-aes', ...PSK }),
    'manual',
    'conditional',
  ),
  'WLAN WPA3-SAE | conditional | conditional': wlan(
    'wlan_sae',
    network({ opmode: 'wpa3-sae-aes', ...PSK }),
    'conditional',
    'conditional',
  ),
  'WLAN WPA2/WPA3 transition | manual/unsupported | manual/unsupported': wlan(
    'wlan_transition',
    network({ opmode: 'wpa3-sae-aes', opmode_transition: true }),
    'manual',
    'manual',
  ),
  'WLAN Enhanced Open | manual | conditional': wlan(
    'wlan_enhanced_open',
    network({ opmode: 'enhanced-open' }),
    'manual',
    'conditional',
  ),
  'WLAN MAC-auth only | unsupported | unsupported': wlan(
    'wlan_mac',
    network({ opmode: 'opensystem' }, {}, { mac_auth_profile: 'm' }),
    'unsupported',
    'unsupported',
  ),
  'WLAN MAC-auth + PSK | unsupported | unsupported': wlan(
    'wlan_mac',
    network({ opmode: 'wpa2-psk-aes' }, {}, { mac_auth_profile: 'm' }),
    'unsupported',
    'unsupported',
  ),
  'WLAN enterprise 802.1X | WPA2-Enterprise unsupported | unsupported': wlan(
    'wlan_wpa2_enterprise',
    network({ opmode: 'wpa2-aes' }, {}, { dot1x_auth_profile: 'd' }),
    'unsupported',
    'unsupported',
  ),
  'WLAN enterprise 802.1X | WPA3-Enterprise conditional, dry-run-only | unsupported': wlan(
    'wlan_wpa3_enterprise',
    network({ opmode: 'wpa3-aes-ccm-128' }, {}, { dot1x_auth_profile: 'd' }),
    'conditional',
    'unsupported',
  ),
  'a WLAN that no row covers stays manual': wlan('wlan_unknown', network({ opmode: 'static-wep' }), 'manual', 'manual'),
  'AAA profile | unsupported | conditional': {
    parts: { aaa: { aaa_profiles: [{ profile_name: 'a' }] } },
    ref: 'aaa_profile:a',
    row: 'aaa_profile',
    classic: 'unsupported',
    new: 'conditional',
  },
  '802.1X profile | unsupported | conditional (bare name only)': {
    parts: { aaa: { dot1x_auth_profiles: [{ profile_name: 'd' }] } },
    ref: 'dot1x_auth_profile:d',
    row: 'login_profile',
    classic: 'unsupported',
    new: 'conditional',
  },
  'an 802.1X profile with a setting is not bare': {
    parts: { aaa: { dot1x_auth_profiles: [{ profile_name: 'd', max_requests: 9 }] } },
    ref: 'dot1x_auth_profile:d',
    row: 'login_profile_settings',
    classic: 'unsupported',
    new: 'manual',
  },
  'MAC-auth profile | unsupported | conditional (bare name only)': {
    parts: { aaa: { mac_auth_profiles: [{ profile_name: 'm' }] } },
    ref: 'mac_auth_profile:m',
    row: 'login_profile',
    classic: 'unsupported',
    new: 'conditional',
  },
  'a MAC-auth profile with a setting is not bare': {
    parts: { aaa: { mac_auth_profiles: [{ profile_name: 'm', delimiter: 'colon' }] } },
    ref: 'mac_auth_profile:m',
    row: 'login_profile_settings',
    classic: 'unsupported',
    new: 'manual',
  },
  'Auth server RADIUS | unsupported | conditional': {
    parts: { aaa: { radius_servers: [radius('r')] } },
    ref: 'auth_server:radius:r',
    row: 'auth_server_radius',
    classic: 'unsupported',
    new: 'conditional',
  },
  'Auth server RadSec | unsupported | conditional (no field audit)': {
    parts: { aaa: { radius_servers: [radius('r', { enable_radsec: true })] } },
    ref: 'auth_server:radsec:r',
    row: 'auth_server_radsec',
    classic: 'unsupported',
    new: 'conditional',
  },
  'Auth server LDAP | unsupported | unsupported': {
    parts: { aaa: { ldap_servers: [{ ldap_server_name: 'l', host: 'h' }] } },
    ref: 'auth_server:ldap:l',
    row: 'auth_server_other',
    classic: 'unsupported',
    new: 'unsupported',
  },
  'Auth server TACACS | unsupported | unsupported': {
    parts: { aaa: { tacacs_servers: [{ tacacs_server_name: 't', host: 'h' }] } },
    ref: 'auth_server:tacacs:t',
    row: 'auth_server_other',
    classic: 'unsupported',
    new: 'unsupported',
  },
  'Server group | unsupported | conditional (homogeneous RADIUS)': {
    parts: { aaa: { radius_servers: [radius('r'), radius('s')], server_groups: [group('r', 's')] } },
    ref: 'server_group:g',
    row: 'server_group',
    classic: 'unsupported',
    new: 'conditional',
  },
  'Server group | unsupported | conditional (homogeneous LDAP)': {
    parts: { aaa: { ldap_servers: [{ name: 'l' }], server_groups: [group('l')] } },
    ref: 'server_group:g',
    row: 'server_group',
    classic: 'unsupported',
    new: 'conditional',
  },
  'Server group | unsupported | conditional (homogeneous TACACS)': {
    parts: { aaa: { tacacs_servers: [{ name: 't' }], server_groups: [group('t')] } },
    ref: 'server_group:g',
    row: 'server_group',
    classic: 'unsupported',
    new: 'conditional',
  },
  'a server group of mixed types is not homogeneous': {
    parts: { aaa: { radius_servers: [radius('r')], ldap_servers: [{ name: 'l' }], server_groups: [group('r', 'l')] } },
    ref: 'server_group:g',
    row: 'server_group_mixed',
    classic: 'unsupported',
    new: 'manual',
  },
  'a server group of RadSec members is not among the types': {
    parts: { aaa: { radius_servers: [radius('r', { enable_radsec: true })], server_groups: [group('r')] } },
    ref: 'server_group:g',
    row: 'server_group_mixed',
    classic: 'unsupported',
    new: 'manual',
  },
  'a server group with a member that nobody knows is not homogeneous': {
    parts: { aaa: { radius_servers: [radius('r')], server_groups: [group('r', 'gone')] } },
    ref: 'server_group:g',
    row: 'server_group_mixed',
    classic: 'unsupported',
    new: 'manual',
  },
  'Roles | unsupported | only allow-all accepted: allowall': {
    parts: { roles: [{ rname: 'r', role__acl: [{ pname: 'allowall' }] }] },
    ref: 'role:r',
    row: 'role_allow_all',
    classic: 'unsupported',
    new: 'conditional',
  },
  'Roles | unsupported | only allow-all accepted: sys_allow_all': {
    parts: { roles: [{ rname: 'r', role__acl: [{ pname: 'sys_allow_all' }] }] },
    ref: 'role:r',
    row: 'role_allow_all',
    classic: 'unsupported',
    new: 'conditional',
  },
  'Roles | unsupported | any custom ACL stays manual': {
    parts: { roles: [{ rname: 'r', role__acl: [{ pname: 'guest-internet' }] }] },
    ref: 'role:r',
    row: 'role',
    classic: 'unsupported',
    new: 'manual',
  },
  'a role with a custom ACL beside allow-all stays manual': {
    parts: { roles: [{ rname: 'r', role__acl: [{ pname: 'allowall' }, { pname: 'printers' }] }] },
    ref: 'role:r',
    row: 'role',
    classic: 'unsupported',
    new: 'manual',
  },
  'a role without any ACL stays manual': {
    parts: { roles: [{ rname: 'r' }] },
    ref: 'role:r',
    row: 'role',
    classic: 'unsupported',
    new: 'manual',
  },
  'Policies | unsupported | manual': {
    parts: { policies: [{ accname: 'p' }] },
    ref: 'policy:p',
    row: 'policy',
    classic: 'unsupported',
    new: 'manual',
  },
  'AP groups | unsupported | unsupported (no mapping exists)': {
    parts: { ap_groups: [{ profile_name: 'g' }] },
    ref: 'ap_group:g',
    row: 'ap_group',
    classic: 'unsupported',
    new: 'unsupported',
  },
  'Routes (gateway static IPv4) | unsupported | not verified': {
    parts: { routing: { ipv4_routes: [{ destip: '10.0.0.0', destmask: '255.0.0.0', nexthop: '10.1.1.1' }] } },
    ref: 'route:ipv4:10.0.0.0 255.0.0.0 10.1.1.1',
    row: 'route',
    classic: 'unsupported',
    new: 'manual',
  },
  'VRRP | unsupported | conditional': {
    parts: { routing: { vrrp: [{ id: 1, ip_address: '10.0.0.1' }] } },
    ref: 'vrrp:ipv4:1',
    row: 'vrrp',
    classic: 'unsupported',
    new: 'conditional',
  },
  'VRRP tracking | unsupported | unsupported': {
    parts: { routing: { vrrp: [{ id: 1, tracking: [{ type: 'interface', object: '0/0/0', value: 30 }] }] } },
    ref: 'vrrp:ipv4:1',
    row: 'vrrp_other',
    classic: 'unsupported',
    new: 'unsupported',
  },
  'VRRPv6 | unsupported | unsupported': {
    parts: { routing: { vrrp6: [{ id: 1 }] } },
    ref: 'vrrp:ipv6:1',
    row: 'vrrp_other',
    classic: 'unsupported',
    new: 'unsupported',
  },
  'controllers are in no row': {
    parts: { controllers: [{ ip: '10.0.0.1' }] },
    ref: 'controller:10.0.0.1',
    row: 'controller',
    classic: 'unsupported',
    new: 'unsupported',
  },
};

describe.each(TARGETS)('classification for the %s target', (target) => {
  test.each(Object.entries(TABLE))('%s', (_, { parts, ref, row, ...cells }) => {
    const candidate = only(planFor(parts), ref);
    expect(rowOf(candidate)).toBe(row);
    expect(classify(candidate, target).classification).toBe(cells[target]);
    const planned = planFor(parts).candidates[target].find((each) => `${each.object_type}:${each.identifier}` === ref);
    expect(planned).toMatchObject({ classification: cells[target], row });
  });
});

test('every row but that of access control has a case, and that one is manual by design', () => {
  const proven = new Set<string>([...Object.values(TABLE).map(({ row }) => row), 'reference', 'nac_profile']);
  expect(Object.keys(ROWS).filter((row) => !proven.has(row))).toEqual([]);
  expect(ROWS.nac_profile.new).toBe('manual');
});

test.each([
  ['exact', true],
  ['conditional', true],
  ['manual', false],
  ['unsupported', false],
] as const)('rows classed %s are in automatic writes: %s', (value, automatic) => {
  expect(isAutomatic(value)).toBe(automatic);
});

test.each([
  ['wlan_transition', ['classic', 'new']],
  ['wlan_wpa3_enterprise', ['classic']],
] as const)('%s is dry-run-only on %j', (row, targets) => {
  expect(ROWS[row].dryRunOnly).toEqual(targets);
  expect(Object.values(ROWS).filter((each) => 'dryRunOnly' in each)).toHaveLength(2);
});

describe('apply order', () => {
  test.each([
    ['vlan', 10],
    ['auth_server', 10],
    ['dot1x_auth_profile', 20],
    ['mac_auth_profile', 20],
    ['server_group', 20],
    ['policy', 20],
    ['role', 30],
    ['aaa_profile', 40],
    ['wlan', 50],
    ['ap_group', 60],
    ['route', 70],
    ['vrrp', 80],
    ['controller', 90],
  ] as const)('%s %i', (type, order) => expect(APPLY_ORDER[type]).toBe(order));
});
