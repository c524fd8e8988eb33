/** Roles of devices in a picture: synonyms, icon, and distance from the Internet. */
import { modelNamed } from '../hardware/models.ts';

export interface Role {
  id: string;
  /** Row of a topology from the outside in; things of one row stand side by side. */
  tier: number;
  /** Other words for it, in lower case. */
  aliases: readonly string[];
}

const role = (tier: number, id: string, ...aliases: string[]): Role => ({ id, tier, aliases });

/** The id of a role is the id of its icon. */
export const ROLES: readonly Role[] = [
  role(0, 'internet', 'isp', 'wan cloud', 'provider'),
  role(0, 'cloud', 'saas', 'cloud service'),
  role(0, 'sse', 'security service edge', 'security edge'),
  role(
    0,
    'management',
    'mgmt',
    'orchestrator',
    'cloudwlan',
    'cloud wlan',
    'management cloud',
    'workspace',
    'analytics',
  ),
  role(1, 'router', 'wan router', 'cpe'),
  role(1, 'wan-edge', 'sd-wan', 'sdwan', 'sd-wan edge', 'wan edge', 'edge appliance', 'branch edge'),
  role(2, 'firewall', 'fw', 'ngfw'),
  role(2, 'gateway', 'gw', 'vpn gateway', 'branch gateway'),
  role(3, 'core-switch', 'core', 'core router', 'backbone switch'),
  role(3, 'spine-switch', 'spine'),
  role(4, 'distribution-switch', 'distribution', 'aggregation', 'aggregation switch'),
  role(4, 'leaf-switch', 'leaf', 'tor', 'top of rack'),
  role(4, 'wlan-controller', 'wlc', 'wireless controller', 'mobility controller', 'controller', 'legacy'),
  role(5, 'access-switch', 'switch', 'edge switch', 'poe switch', 'idf switch'),
  role(5, 'nac', 'radius', 'radius server', 'aaa server', 'policy manager', 'access policy server'),
  role(5, 'server', 'host', 'vm', 'dns server', 'dhcp server'),
  role(5, 'hypervisor', 'vm host', 'compute'),
  role(6, 'access-point', 'ap', 'wap', 'wireless access point'),
  role(7, 'sensor', 'experience sensor', 'probe', 'sensors'),
  role(7, 'client', 'laptop', 'station', 'endpoint', 'user', 'pc', 'computer'),
  role(7, 'phone', 'handset', 'voip phone', 'mobile'),
  role(7, 'printer', 'mfp'),
  role(7, 'iot', 'camera', 'thing', 'badge reader', 'iot device'),
  role(7, 'site', 'branch', 'location', 'building', 'campus'),
  role(7, 'device', 'generic', 'unknown'),
];

/** Names of the platforms that may manage a device, with the colour each has in a picture. */
export const MAKERS: Readonly<Record<string, string>> = {
  generic: '#1f3a5f',
  mgmt: '#0b6e4f',
  cloudwlan: '#7a3e9d',
  legacy: '#8a6d1d',
  sdwan: '#b3541e',
  fabric: '#14746f',
  nac: '#9b2226',
  sse: '#3d5a80',
  sensors: '#6a4c93',
  workspace: '#4a4e69',
  analytics: '#386641',
};

export interface Resolved {
  role: Role;
  colour: string;
  /** Which of the words decided. */
  by: 'role' | 'alias' | 'model' | 'fallback';
}

const keyed = (text: string) => text.trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ');

/** The role of what is asked for: the model decides only where the role says nothing. */
export function resolveRole(asked: { role?: string; vendor?: string; model?: string }): Resolved {
  const maker = keyed(asked.vendor ?? 'generic');
  const colour = MAKERS[Object.hasOwn(MAKERS, maker) ? maker : 'generic'] as string;
  const wanted = keyed(asked.role ?? '');
  const exact = ROLES.find(({ id }) => id === wanted.replaceAll(' ', '-'));
  if (exact) return { role: exact, colour, by: 'role' };
  const known = ROLES.find(({ aliases }) => aliases.includes(wanted));
  if (known) return { role: known, colour, by: 'alias' };
  const model = modelNamed(asked.model ?? '') ?? modelNamed(asked.role ?? '');
  const ofModel = model && ROLES.find(({ id }) => id === model.role);
  if (ofModel) return { role: ofModel, colour, by: 'model' };
  return { role: ROLES.at(-1) as Role, colour, by: 'fallback' };
}
