/** The set and delete helpers reject static routes and VRRP interfaces; the get helper reads them (specification 4.3). */
import { expect, test } from 'vitest';
import {
  deleteNetworkProfile,
  getNetworkProfile,
  NETWORK_PROFILES,
  type NetworkProfileType,
  setNetworkProfile,
} from './network-profile.ts';
import { memoryTarget } from './testing/memory-target.ts';

const READ_ONLY = ['static-route', 'vrrp-interface'];
const WRITABLE = Object.keys(NETWORK_PROFILES).filter((type) => !READ_ONLY.includes(type)) as NetworkProfileType[];

test.each(WRITABLE)('%s is created, changed, read and deleted', async (type) => {
  const target = memoryTarget();
  expect(await getNetworkProfile(type, 'x', target)).toEqual({ is: 'absent' });
  expect(await setNetworkProfile(type, 'x', { a: 1 }, target)).toMatchObject({ is: 'done' });
  expect(await setNetworkProfile(type, 'x', { a: 2 }, target)).toMatchObject({ is: 'done' });
  expect(await getNetworkProfile(type, 'x', target)).toMatchObject({ is: 'found', value: { a: 2 } });
  expect(await deleteNetworkProfile(type, 'x', target)).toMatchObject({ is: 'done' });
  expect(target.objects.size).toBe(0);
});

test.each([
  ['static-route', 'r', 'mgmt_get_static_route'],
  ['vrrp-interface', '7', 'mgmt_get_vrrp_group'],
] as const)('%s is read and never written', async (type, name, tool) => {
  const asked: string[] = [];
  const target = {
    ...memoryTarget(),
    read: async (call: { tool: string }) => {
      asked.push(call.tool);
      return { is: 'found' as const, value: {} };
    },
  };
  expect(await getNetworkProfile(type, name, target)).toMatchObject({ is: 'found' });
  await expect(setNetworkProfile(type, name, {}, target)).rejects.toThrow('can be read only');
  await expect(deleteNetworkProfile(type, name, target)).rejects.toThrow('can be read only');
  expect([asked, target.written]).toEqual([[tool], []]);
});

test('what cannot be read is not written either', async () => {
  const target = { ...memoryTarget(), read: async () => ({ is: 'unknown' as const, message: 'no answer' }) };
  expect(await setNetworkProfile('roles', 'x', {}, target)).toEqual({ is: 'refused', message: 'no answer' });
  await expect(getNetworkProfile('printers' as 'roles', 'x', target)).rejects.toThrow('the type should be');
});
