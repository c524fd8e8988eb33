/**
 * Classifies how far each object family can be migrated to each target: the table of specification 3.3, row by row.
 * The properties of a candidate select the row. A candidate without a row is manual.
 */
import type { Candidate } from './candidate.ts';
import { isAllowAll } from './candidates/role-candidate.ts';
import type { ServerEntry } from './candidates/server-group-candidate.ts';

export type Target = 'classic' | 'new';
export const TARGETS: readonly Target[] = ['classic', 'new'];

export type Class = 'exact' | 'conditional' | 'manual' | 'unsupported';

export interface Row {
  id: string;
  /** The row's first column. */
  family: string;
  classic: Class;
  new: Class;
  /** Shown, and refused for real. */
  dryRunOnly?: readonly Target[];
  /** What an operator must know or do. */
  note: string;
}

/** Only the classes of applied candidates are ever sent. */
export const isAutomatic = (value: Class): boolean => value === 'exact' || value === 'conditional';

const row = (id: string, family: string, classic: Class, next: Class, note: string, dryRunOnly?: Target[]): Row => ({
  id,
  family,
  classic,
  new: next,
  note,
  ...(dryRunOnly ? { dryRunOnly } : {}),
});

export const ROWS = {
  vlan: row('vlan', 'VLAN', 'unsupported', 'exact', 'number and remark are written as they are'),
  wlan_open: row('wlan_open', 'WLAN open', 'exact', 'exact', 'the network is written as it is'),
  wlan_wpa2: row('wlan_wpa2', 'WLAN WPA2 Personal', 'manual', 'conditional', 'the passphrase is entered again'),
  wlan_sae: row('wlan_sae', 'WLAN WPA3-SAE', 'conditional', 'conditional', 'the passphrase is entered again'),
  wlan_transition: row(
    'wlan_transition',
    'WLAN WPA2/WPA3 transition',
    'manual',
    'manual',
    'decide which of the two the new network is to be',
    ['classic', 'new'],
  ),
  wlan_enhanced_open: row(
    'wlan_enhanced_open',
    'WLAN Enhanced Open',
    'manual',
    'conditional',
    'no passphrase is needed',
  ),
  wlan_mac: row(
    'wlan_mac',
    'WLAN MAC-auth only, MAC-auth + PSK',
    'unsupported',
    'unsupported',
    'build the login at the target first, then the network by hand',
  ),
  wlan_wpa2_enterprise: row(
    'wlan_wpa2_enterprise',
    'WLAN enterprise 802.1X',
    'unsupported',
    'unsupported',
    'build the login at the target first, then the network by hand',
  ),
  wlan_wpa3_enterprise: row(
    'wlan_wpa3_enterprise',
    'WLAN enterprise 802.1X (WPA3)',
    'conditional',
    'unsupported',
    'needs an auth server that exists at the classic target; shown only',
    ['classic'],
  ),
  wlan_unknown: row('wlan_unknown', 'WLAN of unknown security', 'manual', 'manual', 'find out how clients join it'),
  aaa_profile: row(
    'aaa_profile',
    'AAA profile',
    'unsupported',
    'conditional',
    'first role, logins and accounting only',
  ),
  login_profile: row(
    'login_profile',
    '802.1X profile, MAC-auth profile',
    'unsupported',
    'conditional',
    'only the bare name is carried over',
  ),
  login_profile_settings: row(
    'login_profile_settings',
    '802.1X or MAC-auth profile with settings',
    'unsupported',
    'manual',
    'set timers and options by hand',
  ),
  auth_server_radius: row(
    'auth_server_radius',
    'Auth server RADIUS',
    'unsupported',
    'conditional',
    'the shared secret is entered again',
  ),
  auth_server_radsec: row(
    'auth_server_radsec',
    'Auth server RadSec',
    'unsupported',
    'conditional',
    'its fields were never audited: it is planned and not written',
  ),
  auth_server_other: row(
    'auth_server_other',
    'Auth server LDAP, TACACS',
    'unsupported',
    'unsupported',
    'create the server by hand',
  ),
  server_group: row('server_group', 'Server group', 'unsupported', 'conditional', 'all members are of one type'),
  server_group_mixed: row(
    'server_group_mixed',
    'Server group of mixed or unresolved members',
    'unsupported',
    'manual',
    'split it by type, or resolve its members',
  ),
  role_allow_all: row('role_allow_all', 'Role that allows everything', 'unsupported', 'conditional', 'becomes a flag'),
  role: row('role', 'Roles and policies', 'unsupported', 'manual', 'write the access rules by hand'),
  policy: row('policy', 'Policies', 'unsupported', 'manual', 'write the access rules by hand'),
  ap_group: row(
    'ap_group',
    'AP groups',
    'unsupported',
    'unsupported',
    'an AP group is no device group: assign by hand',
  ),
  route: row('route', 'Routes', 'unsupported', 'manual', 'not verified: create the route by hand'),
  vrrp: row('vrrp', 'VRRP', 'unsupported', 'conditional', 'planned only: create the instance by hand'),
  vrrp_other: row('vrrp_other', 'VRRPv6, tracking', 'unsupported', 'unsupported', 'create the instance by hand'),
  nac_profile: row(
    'nac_profile',
    'Central NAC style auth profiles',
    'unsupported',
    'manual',
    'belongs to access control: create it there',
  ),
  reference: row('reference', 'Reference-only families', 'unsupported', 'unsupported', 'nothing is made of it'),
  controller: row('controller', 'Controllers', 'unsupported', 'unsupported', 'controllers are replaced, not migrated'),
} as const satisfies Record<string, Row>;

export type RowId = keyof typeof ROWS;

export interface Classified {
  row: Row;
  classification: Class;
  dryRunOnly: boolean;
}

export function classify(candidate: Candidate, target: Target): Classified {
  const row: Row = ROWS[rowOf(candidate)];
  return { row, classification: row[target], dryRunOnly: row.dryRunOnly?.includes(target) ?? false };
}

export function rowOf(candidate: Candidate): RowId {
  const { object_type, identifier, payload, unsupported_fields, dependencies } = candidate;
  switch (object_type) {
    case 'vlan':
    case 'aaa_profile':
    case 'policy':
    case 'ap_group':
    case 'route':
    case 'controller':
      return object_type;
    case 'wlan':
      return wlanRow(payload);
    case 'dot1x_auth_profile':
    case 'mac_auth_profile':
      return Object.keys(unsupported_fields).length === 0 ? 'login_profile' : 'login_profile_settings';
    case 'auth_server':
      return serverRow(String(payload['server_type']));
    case 'server_group':
      return groupRow(payload, dependencies);
    case 'role':
      return isAllowAll(candidate) ? 'role_allow_all' : 'role';
    case 'vrrp':
      return identifier.startsWith('ipv6:') || payload['tracking'] !== undefined ? 'vrrp_other' : 'vrrp';
    default:
      return 'reference';
  }
}

function wlanRow({ security }: Candidate['payload']): RowId {
  switch (security?.mode) {
    case 'open':
      return 'wlan_open';
    case 'wpa2_personal':
      return 'wlan_wpa2';
    case 'wpa3_sae':
      return 'wlan_sae';
    case 'wpa3_transition_personal':
      return 'wlan_transition';
    case 'enhanced_open':
      return 'wlan_enhanced_open';
    case 'mac_auth_only':
    case 'mac_auth_psk':
      return 'wlan_mac';
    case 'enterprise_dot1x':
      return /wpa3/i.test(security.opmode ?? '') ? 'wlan_wpa3_enterprise' : 'wlan_wpa2_enterprise';
    default:
      return 'wlan_unknown';
  }
}

function serverRow(type: string): RowId {
  return type === 'radius' ? 'auth_server_radius' : type === 'radsec' ? 'auth_server_radsec' : 'auth_server_other';
}

/** Every member resolved, and all of one type that the row names. */
function groupRow(payload: Candidate['payload'], dependencies: readonly string[]): RowId {
  const members = new Set((payload['auth_server_entries'] as readonly ServerEntry[]).map(({ name }) => name));
  const types = new Set(dependencies.map((ref) => ref.split(':')[1]));
  const resolved = members.size > 0 && dependencies.length === members.size;
  const [type] = types;
  const named = type === 'radius' || type === 'ldap' || type === 'tacacs';
  return resolved && types.size === 1 && named ? 'server_group' : 'server_group_mixed';
}
