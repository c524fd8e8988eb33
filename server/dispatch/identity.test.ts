import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { identityOf } from './identity.ts';

const of = (key: string | null): Pick<Tool, 'resource' | 'path'> => ({
  path: '/monitoring/v1/switches/{serialNumber}/reboot',
  resource: { name: 'things', noun: 'thing', plural: 'things', key },
});

test.each([
  [
    'a device of one platform',
    { serialNumber: 'CN1', deviceName: 'ap-lobby', deviceType: 'ACCESS_POINT', model: 'AP-505', siteName: 'Harbour' },
    { id: 'CN1', name: 'ap-lobby', type: 'ACCESS_POINT', model: 'AP-505', site: 'Harbour' },
  ],
  [
    'a device that is down',
    { serialNumber: 'CN1', deviceName: 'ap-lobby', status: 'Offline', state: 'claimed' },
    { id: 'CN1', name: 'ap-lobby', status: 'Offline' },
  ],
  [
    'one of another, wrapped, with its site as an object',
    { data: { id: 7, hostname: 'edge', site: { id: 3, name: 'Quay' }, owner: { name: 'Ada' } } },
    { id: '7', name: 'edge', site: 'Quay', owner: 'Ada' },
  ],
  ['one beside its success', { success: true, result: { id: 7, hostname: 'edge' } }, { id: '7', name: 'edge' }],
  [
    'one beside the HTTP status of its answer',
    { type: 'sync', status: 'Success', status_code: 200, operation: '', metadata: { name: 'edge', status: 'Stopped' } },
    { name: 'edge', status: 'Stopped' },
  ],
  [
    'a state beside the HTTP status of its answer',
    { type: 'sync', status: 'Success', status_code: 200, metadata: { status: 'Frozen', status_code: 110, cpu: {} } },
    { status: 'Frozen' },
  ],
  [
    'a check that looks for an HTTP status',
    { id: 7, status: 'Up', status_code: 200, request: { name: 'edge' } },
    { id: '7', status: 'Up' },
  ],
  [
    'a place whose state is that of its country',
    { id: 7, name: 'Harbour', city: 'Portland', state: 'Oregon', country: 'US' },
    { id: '7', name: 'Harbour' },
  ],
  ['one in a list of one', { errors: [], data: [{ id: 7, hostname: 'edge' }] }, { id: '7', name: 'edge' }],
  [
    'a profile whose name is its key',
    { serialNumber: 'guest', name: 'guest', type: 'WLAN' },
    { id: 'guest', type: 'WLAN' },
  ],
  [
    'a device whose name is called after it',
    { serialNumber: 'CN1', switchName: 'core-1', stackName: 'stack', model: 'S-48' },
    { id: 'CN1', name: 'core-1', model: 'S-48' },
  ],
  ['something without any of it', { uptime: 7 }, undefined],
  ['a list', [{ name: 'a' }], undefined],
  ['text', 'name: a', undefined],
])('%s', (_, object, identity) => {
  expect(identityOf(of('serialNumber'), object)).toEqual(identity);
});

test('a long name says how long it is, and a secret stays masked', () => {
  const identity = identityOf(of(null), { name: 'n'.repeat(500), label: 'x', owner: 'password=hunter22' });
  expect(identity?.name).toMatch(/^n{120}… \[120 of 500 characters shown\]$/);
  expect(JSON.stringify(identity)).not.toContain('hunter22');
});
