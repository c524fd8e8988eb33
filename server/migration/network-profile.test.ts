/** The set and delete helpers reject static routes and VRRP interfaces; the get helper reads them (specification 4.3). */
import { expect, test } from 'vitest';
import { libraryObject } from './adapters/new/shared.ts';
import {
  deleteNetworkProfile,
  getNetworkProfile,
  NETWORK_PROFILES,
  type NetworkProfileType,
  setNetworkProfile,
} from './network-profile.ts';

const READ_ONLY = ['static-route', 'vrrp-interface'];
const WRITABLE = Object.keys(NETWORK_PROFILES).filter((type) => !READ_ONLY.includes(type)) as NetworkProfileType[];
const CONTEXT = { target: 'new', scope_id: 'site', persona: 'MOBILITY_GW' } as const;

test('a profile is read, set and deleted under its own key', () => {
  expect(getNetworkProfile('wlan-ssids', 'Lab')).toEqual({ tool: 'mgmt_get_wlan_ssid', arguments: { ssid: 'Lab' } });
  expect(setNetworkProfile('create', 'roles', 'staff', { 'allow-all': true })).toEqual({
    tool: 'mgmt_create_role',
    arguments: { name: 'staff', body: { 'allow-all': true } },
  });
  expect(setNetworkProfile('update', 'dot1xauth', 'eap', {}).tool).toBe('mgmt_update_dot1x_auth_profile');
  expect(deleteNetworkProfile('overlay-wlan', 'Lab')).toEqual({
    tool: 'mgmt_delete_overlay_wlan',
    arguments: { profile: 'Lab' },
  });
});

test.each(WRITABLE)('%s: what an adapter sends are these calls', (type) => {
  const [object] = libraryObject(type, 'x', { a: 1 }, { a: 1 }, CONTEXT);
  expect(object).toMatchObject({
    create: setNetworkProfile('create', type, 'x', { a: 1 }),
    update: setNetworkProfile('update', type, 'x', { a: 1 }),
    read: getNetworkProfile(type, 'x'),
    undo: deleteNetworkProfile(type, 'x'),
  });
});

test.each([
  ['static-route', 'r', 'mgmt_get_static_route'],
  ['vrrp-interface', '7', 'mgmt_get_vrrp_group'],
] as const)('%s is read and never written', (type, name, tool) => {
  expect(getNetworkProfile(type, name)).toEqual({ tool, arguments: { name } });
  expect(() => setNetworkProfile('create', type, name, {})).toThrow('can be read only');
  expect(() => setNetworkProfile('update', type, name, {})).toThrow('can be read only');
  expect(() => deleteNetworkProfile(type, name)).toThrow('can be read only');
  expect(() => libraryObject(type, name, {}, {}, CONTEXT)).toThrow('can be read only');
});

test('a type that is none is refused by name', () => {
  expect(() => getNetworkProfile('printers' as 'roles', 'x')).toThrow('the type should be');
  expect(() => getNetworkProfile('constructor' as 'roles', 'x')).toThrow('the type should be');
});
