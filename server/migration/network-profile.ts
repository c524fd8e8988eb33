/**
 * Profiles of the new generation by type and name, for whoever works on one at a time. Static routes and VRRP interfaces can be
 * read only: no way to write them is verified, and the older form of a route is another contract.
 */
import { RouterError } from '../errors.ts';
import type { ReadAnswer, TargetPort, WriteAnswer } from './target-port.ts';

interface Kind {
  /** The word in the tool names. */
  noun: string;
  /** Path parameter that holds the name. */
  key: string;
  readOnly?: true;
}

const named = (noun: string): Kind => ({ noun, key: 'name' });

export const NETWORK_PROFILES = {
  'aaa-profile': named('aaa_profile'),
  dot1xauth: named('dot1x_auth_profile'),
  macauth: named('mac_auth_profile'),
  'auth-servers': named('auth_server'),
  'server-groups': named('server_group'),
  roles: named('role'),
  'wlan-ssids': { noun: 'wlan_ssid', key: 'ssid' },
  'static-route': { ...named('static_route'), readOnly: true },
  'vrrp-interface': { ...named('vrrp_group'), readOnly: true },
} as const satisfies Record<string, Kind>;

export type NetworkProfileType = keyof typeof NETWORK_PROFILES;

export const getNetworkProfile = async (
  type: NetworkProfileType,
  name: string,
  port: TargetPort,
): Promise<ReadAnswer> => {
  const { noun, key } = kindOf(type);
  return port.read({ tool: `mgmt_get_${noun}`, arguments: { [key]: name } });
};

/** Creates the profile, or changes the one that is there. Refused with USAGE for what can only be read; nothing is sent then. */
export async function setNetworkProfile(
  type: NetworkProfileType,
  name: string,
  body: Readonly<Record<string, unknown>>,
  port: TargetPort,
): Promise<WriteAnswer> {
  const { noun, key } = writable(type);
  const seen = await getNetworkProfile(type, name, port);
  // Nobody knows which of the two calls is the right one.
  if (seen.is === 'unknown') return { is: 'refused', message: seen.message };
  const verb = seen.is === 'found' ? 'update' : 'create';
  return port.write({ tool: `mgmt_${verb}_${noun}`, arguments: { [key]: name, body } });
}

export async function deleteNetworkProfile(
  type: NetworkProfileType,
  name: string,
  port: TargetPort,
): Promise<WriteAnswer> {
  const { noun, key } = writable(type);
  return port.write({ tool: `mgmt_delete_${noun}`, arguments: { [key]: name } });
}

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
