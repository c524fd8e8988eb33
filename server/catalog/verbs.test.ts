/** GETs that change something, by their verb; and how many of those that only read are taken for them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { publicDocument } from '#bench/packages';
import { type Choice, changingVerb } from './verbs.ts';

const verb = (path: string, operationId: string | null = null, summary?: string, choices?: readonly Choice[]) =>
  changingVerb({ path, operationId, summary, choices })?.capability;

test.each([
  ['/shutdown', 'destructive'],
  ['/shutdown/{id}', 'destructive'],
  ['/reboot/{id}', 'destructive'],
  ['/users/{id}/remove', 'destructive'],
  ['/disable', 'destructive'],
  ['/power_off', 'destructive'],
  ['/powerOff', 'destructive'],
  ['/factory-reset', 'destructive'],
  ['/devices:reboot', 'destructive'],
  ['/devices/{id}:powerOff', 'destructive'],
  ['/DELETE/{id}', 'destructive'],
  ['/%64elete/{id}', 'destructive'],
  ['/reboot.cgi', 'destructive'],
  ['/delete-user/{id}', 'destructive'],
  ['/user_delete', 'destructive'],
  ['/deleteall', 'destructive'],
  ['/reboot2', 'destructive'],
  ['/force-reboot', 'destructive'],
  ['/delete/{kind}/{id}', 'destructive'],
  ['/wipe;now=1', 'destructive'],
  ['/delete/user/{id}', 'destructive'],
  ['/löschen/{id}', 'destructive'],
  ['/supprimer', 'destructive'],
  ['/eliminar/{id}', 'destructive'],
  ['/удалить', 'destructive'],
  ['/再起動', 'destructive'],
  ['/reset', 'destructive'],
  ['/stop/{id}', 'destructive'],
  ['/create', 'write'],
  ['/cache/refresh', 'write'],
  ['/session/logout', 'write'],
  ['/enable/{id}', 'write'],
  ['/start', 'write'],
])('GET %s without another word is %s', (path, capability) => {
  expect(verb(path)).toBe(capability);
});

test.each([
  ['/things/{id}', 'deleteThing', undefined],
  ['/things/{id}', 'things/delete', undefined],
  ['/things/{id}', 'things.delete', undefined],
  ['/things/{id}', 'Things_Delete', undefined],
  ['/things/{id}', 'getThing', 'Deletes a thing'],
  ['/things/{id}', null, 'Remove the thing'],
  ['/things/{id}', null, 'Stops the thing'],
  ['/things/{id}', null, 'Block a client'],
  ['/things/{id}', 'getThing', 'Power off the thing'],
  ['/clients/{id}/block', 'blockClient', undefined],
  ['/clients/{id}/release', 'releaseClient', undefined],
  ['/shutdown', 'getShutdown', 'Read-only status'],
  ['/remove', 'listRemove', 'List what is there'],
])('GET %s (%s, %s) is destructive', (path, operationId, summary) => {
  expect(verb(path, operationId, summary)).toBe('destructive');
});

test.each([
  ['/release', null, undefined],
  ['/release/{id}', 'getRelease', 'Release notes'],
  ['/releases/latest', null, 'Release'],
  ['/blocks', null, undefined],
  ['/blocks/{hash}', null, 'Block by hash'],
  ['/block/{number}', 'getBlock', undefined],
  ['/drops', 'listDrops', 'Drops'],
  ['/results', 'testResults', 'Test results'],
  ['/export', 'export', 'Export'],
  ['/stops', 'listStops', 'Stops near a place'],
  ['/stop/{id}', 'getStop', 'Get one stop'],
  ['/reset', 'listResets', undefined],
  ['/clears', null, 'Clearing times'],
  ['/deleted', 'listDeleted', 'Deleted items'],
  ['/removed-users', null, 'Removed users'],
  ['/disabled', null, undefined],
  ['/shutdown-status', 'getShutdownStatus', 'Shutdown status'],
  ['/reboot-history', 'listRebootHistory', 'Reboot history'],
  ['/devices/{id}/reboot/history', 'getRebootHistory', undefined],
  ['/commits/{sha}', 'getCommit', 'Commit'],
  ['/updates', 'listUpdates', 'Updates of the software'],
  ['/orders', null, 'Orders'],
  ['/containers', 'containers', 'Containers'],
  ['/search', 'searchAll', 'Search everything'],
  ['/killed', null, undefined],
])('GET %s (%s, %s) only reads', (path, operationId, summary) => {
  expect(verb(path, operationId, summary)).toBeUndefined();
});

test.each([
  ['/vms/{id}/power/off', null, 'destructive'],
  ['/vms/{id}', 'vmPowerOff', 'destructive'],
  ['/pairs/{id}', 'failover', 'destructive'],
  ['/calls/{id}', 'hangupCall', 'destructive'],
  ['/sites/{site}/optimize', 'optimizeInstallerRrm', 'write'],
  ['/self/two_factor/token', 'generateSecretFor2faVerification', 'write'],
  ['/self/update/verify/{token}', 'verifySelfEmail', 'write'],
  ['/keys/{id}/rotate', null, 'write'],
  ['/alarms/{id}/ack', null, 'write'],
  ['/add_ons', 'findAllAddOns', undefined],
  ['/add_ons/{code}', 'findAddOn', undefined],
  ['/add-ons', null, undefined],
  ['/blacklist', 'getBlacklistDeviceList', undefined],
  ['/blacklist/{serialNumber}', null, undefined],
  ['/power/schedule', 'getPowerOffSchedule', undefined],
  ['/issues/{id}', 'findIssue', undefined],
  ['/reports/generate-report', 'reports/generate-report', undefined],
] as const)('GET %s called %s is %s', (path, operationId, capability) => {
  expect(verb(path, operationId)).toBe(capability);
});

describe('a query parameter that says which action', () => {
  const action = (required: boolean, ...values: string[]) => [
    { name: 'action', in: 'query' as const, required, values },
  ];
  test('raises where one of its values is a verb', () => {
    expect(verb('/cgi', null, undefined, action(true, 'status', 'reboot'))).toBe('destructive');
    expect(verb('/cgi', null, undefined, action(false, 'user.delete'))).toBe('destructive');
  });
  test('is a filter where a list may be asked by it', () => {
    expect(verb('/events', 'listEvents', undefined, action(false, 'create', 'delete'))).toBeUndefined();
    expect(verb('/cgi', null, undefined, action(true, 'status', 'version'))).toBeUndefined();
  });
  test('raises where the caller writes it, unless it is optional or the operation says that it reads', () => {
    const command = (required: boolean) => [{ name: 'cmd', in: 'query' as const, required, values: [] }];
    expect(verb('/devices/{id}/cli', null, undefined, command(true))).toBe('write');
    expect(verb('/devices/{id}/cli', null, undefined, command(false))).toBeUndefined();
    expect(verb('/devices/{id}/cli', 'showDevice', undefined, command(true))).toBeUndefined();
    const task = [{ name: 'task', in: 'query' as const, required: true, values: [] }];
    expect(verb('/status', null, undefined, task)).toBeUndefined();
  });
});

test.each([
  [['status', 'reboot'], null, 'destructive'],
  [['status', 'start'], null, 'write'],
  [['status', 'version'], null, undefined],
  [[], null, 'write'],
  [['create', 'delete'], 'listPermissions', undefined],
] as const)('a name in the path that is one of %j, of %s, makes a GET %s', (values, operationId, capability) => {
  const choices = [{ name: 'action', in: 'path' as const, required: true, values }];
  expect(verb('/vms/{id}/{action}', operationId, undefined, choices)).toBe(capability);
});

/**
 * 1,511 GETs of public documents were looked at by hand: this one's 639, and 872 of documents that npm packages and public
 * repositories ship. One path was raised, `GET /user/logout` of two copies of one example, and rightly.
 */
test('of the 639 GETs of a public document none is raised', () => {
  const file = publicDocument();
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
  const reads = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, get }] : []));
  const raised = reads.filter(({ path, get }) => {
    const query = (get.parameters ?? []).flatMap(({ in: where, name, required, schema }) =>
      (where === 'path' || where === 'query') && name
        ? [{ name, in: where, required: where === 'path' || required === true, values: schema?.enum ?? [] } as const]
        : [],
    );
    return verb(path, get.operationId, get.summary, query) !== undefined;
  });
  expect(reads).toHaveLength(639);
  expect(raised.map(({ path }) => path)).toEqual([]);
});

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { in?: string; name?: string; required?: boolean; schema?: { enum?: string[] } }[];
}
