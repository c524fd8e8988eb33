/**
 * The calls that read, set and delete a profile of the new generation, by type and name; adapters make their steps of them.
 * Static routes and VRRP interfaces can be read only: no way to write them is verified, and the older form of a route is
 * another contract (specification 4.3).
 */
import { RouterError } from '../errors.ts';
import type { ToolCall } from './adapters/adapter.ts';

interface Kind {
  /** The word in the tool names. */
  noun: string;
  /** Path parameter that holds the name. */
  key: string;
  readOnly?: true;
}

const named = (noun: string): Kind => ({ noun, key: 'name' });

/** By the kind that assignments call them. */
export const NETWORK_PROFILES = {
  'aaa-profile': named('aaa_profile'),
  dot1xauth: named('dot1x_auth_profile'),
  macauth: named('mac_auth_profile'),
  'auth-servers': named('auth_server'),
  'server-groups': named('server_group'),
  roles: named('role'),
  'wlan-ssids': { noun: 'wlan_ssid', key: 'ssid' },
  'overlay-wlan': { noun: 'overlay_wlan', key: 'profile' },
  'vlan-interfaces': named('vlan_interface'),
  'static-route': { ...named('static_route'), readOnly: true },
  'vrrp-interface': { ...named('vrrp_group'), readOnly: true },
} as const satisfies Record<string, Kind>;

export type NetworkProfileType = keyof typeof NETWORK_PROFILES;

/** The name as it stands in calls and answers: `{ssid: 'Lab'}`. */
export const profileKey = (type: NetworkProfileType, name: string): Record<string, string> => ({
  [kindOf(type).key]: name,
});

export const getNetworkProfile = (type: NetworkProfileType, name: string): ToolCall => ({
  tool: `mgmt_get_${kindOf(type).noun}`,
  arguments: profileKey(type, name),
});

/** USAGE for what can only be read. */
export const setNetworkProfile = (
  verb: 'create' | 'update',
  type: NetworkProfileType,
  name: string,
  body: Readonly<Record<string, unknown>>,
): ToolCall => ({ tool: `mgmt_${verb}_${writable(type).noun}`, arguments: { ...profileKey(type, name), body } });

/** USAGE for what can only be read. */
export const deleteNetworkProfile = (type: NetworkProfileType, name: string): ToolCall => ({
  tool: `mgmt_delete_${writable(type).noun}`,
  arguments: profileKey(type, name),
});

function kindOf(type: string): Kind {
  if (Object.hasOwn(NETWORK_PROFILES, type)) return NETWORK_PROFILES[type as NetworkProfileType];
  const known = Object.keys(NETWORK_PROFILES).join(', ');
  throw new RouterError('USAGE', `the type should be ${known}, got ${JSON.stringify(type.slice(0, 40))}`);
}

function writable(type: string): Kind {
  const kind = kindOf(type);
  if (kind.readOnly) throw new RouterError('USAGE', `${type} can be read only: no way to write it is verified`);
  return kind;
}
