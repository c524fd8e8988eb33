import { expect, test } from 'vitest';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { ensureCatalog } from './ensure.ts';

const named = (...names: string[]) => names.map((name) => ({ name, in: 'path', required: true }));
const list = { type: 'object', properties: { items: { type: 'array', items: { type: 'object' } } } };
const responses = (schema: unknown = { type: 'object' }) => ({
  200: { description: 'ok', content: { 'application/json': { schema } } },
});
const get = (operationId: string) => ({ operationId, responses: responses() });
const of = (noun: string) => ({ 'x-svc-resource': { name: noun, noun, plural: `${noun}s`, key: 'serial' } });

const paths = {
  '/devices': {
    get: { operationId: 'listDevices', responses: responses(list) },
    post: { operationId: 'createDevice' },
  },
  '/devices/{serial}': { parameters: named('serial'), get: get('getDevice'), delete: { operationId: 'deleteDevice' } },
  '/devices/{serial}/power/off': { parameters: named('serial'), post: { operationId: 'powerOffDevice' } },
  '/devices/{serial}:wipe': { parameters: named('serial'), post: { operationId: 'wipeDevice' } },
  '/devices/{serial}/ping': {
    parameters: named('serial'),
    post: { operationId: 'pingDevice', 'x-svc-capability': 'diagnostic' },
  },
  '/devices/{serial}/tags': {
    parameters: named('serial'),
    get: { operationId: 'listDeviceTags', responses: responses(list) },
    post: { operationId: 'addDeviceTag' },
  },
  '/devices/{serial}/tags/import': { parameters: named('serial'), post: { operationId: 'importDeviceTags' } },
  '/monitoring/switches/{serial}': { parameters: named('serial'), get: { ...get('getSwitch'), ...of('switch') } },
  '/plans/switches/{serial}': { parameters: named('serial'), get: { ...get('getSwitchPlan'), ...of('switch plan') } },
  '/trouble/switches/{serial}/reboot': {
    parameters: named('serial'),
    post: { operationId: 'rebootSwitch', ...of('switch') },
  },
  '/trouble/switches/{id}/reset': { parameters: named('id'), post: { operationId: 'resetSwitch', ...of('switch') } },
  '/auth': { get: get('getLogin'), delete: { operationId: 'deleteLogin' } },
  '/auth/sessions/{id}': { parameters: named('id'), delete: { operationId: 'deleteSession' } },
  '/auth/sessions/{id}/end': { parameters: named('id'), post: { operationId: 'endSession' } },
  '/auth/keys/rotate': { post: { operationId: 'rotateKeys' } },
  '/jobs': { get: { operationId: 'listJobs', responses: responses(list) } },
  '/jobs/{serial}': { parameters: named('serial'), delete: { operationId: 'deleteJob' } },
  '/jobs/{serial}/stop': { parameters: named('serial'), post: { operationId: 'stopJob' } },
  '/jobs/{serial}/details': { parameters: named('serial'), get: get('getJobDetails') },
  '/jobs/{serial}/logs': { parameters: named('serial'), get: get('getJobLogs') },
  '/devices/{serial}/labels/{key}': {
    parameters: named('serial', 'key'),
    delete: { operationId: 'deleteDeviceLabel' },
  },
};

test.each([
  ['an action', 'mgmt_power_off_device', 'mgmt_get_device'],
  ['an action behind a colon', 'mgmt_wipe_device', 'mgmt_get_device'],
  ['an action whose resource is read elsewhere', 'mgmt_reboot_switch', 'mgmt_get_switch'],
  ['an action that names its object otherwise', 'mgmt_reset_switch', undefined],
  ['a diagnostic, which is not previewed', 'mgmt_ping_device', undefined],
  ['a new member of a collection', 'mgmt_add_device_tag', undefined],
  ['an action on a collection', 'mgmt_import_device_tags', undefined],
  ['a member of an object', 'mgmt_delete_device_label', 'mgmt_get_device'],
  ['an action below a singleton', 'mgmt_rotate_keys', 'mgmt_get_login'],
  ['a member of a collection below a singleton', 'mgmt_delete_session', undefined],
  ['an action on such a member', 'mgmt_end_session', undefined],
  ['an action on what only its details show', 'mgmt_stop_job', 'mgmt_get_job_details'],
  ['a delete of what only its details show', 'mgmt_delete_job', 'mgmt_get_job_details'],
  ['a write with a reader on its own path', 'mgmt_delete_device', undefined],
])('%s', (_, name, target) => {
  using installation = sampleInstallation();
  installation.writeDocument('devices.json', { openapi: '3.1.0', paths });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool(name)).toBeDefined();
  expect(catalog.tool(name)?.target).toBe(target);
  catalog.close();
});

test.each(['/', '.json'])('paths that all end in %s are read like the others', (ending) => {
  using installation = sampleInstallation();
  const ended = Object.fromEntries(Object.entries(paths).map(([path, item]) => [`${path}${ending}`, item]));
  installation.writeDocument('devices.json', { openapi: '3.1.0', paths: ended });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_get_device')?.list).toBeUndefined();
  expect(catalog.tool('mgmt_power_off_device')?.target).toBe('mgmt_get_device');
  expect(catalog.tool('mgmt_import_device_tags')?.target).toBeUndefined();
  catalog.close();
});

test('one of two equal paths may end in a slash', () => {
  using installation = sampleInstallation();
  const { '/devices/{serial}': item, ...others } = paths;
  const { get: read, parameters } = item;
  const mixed = { ...others, '/devices/{serial}': { parameters, get: read } };
  const remove = { '/devices/{serial}/': { parameters, delete: { operationId: 'deleteDevice' } } };
  installation.writeDocument('devices.json', { openapi: '3.1.0', paths: { ...mixed, ...remove } });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_delete_device')?.target).toBe('mgmt_get_device');
  catalog.close();
});
