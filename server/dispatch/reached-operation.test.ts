/** A value that makes the path of another operation does not carry a call past the class of that one, over real MCP. */
import { describe, expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { documentRouter } from '../test/support/document-router.ts';
import { stricterAt } from './reached-operation.ts';

const ANSWERED = { responses: { 200: { description: 'done' } } };
const ids = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
const BODY = {
  content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
};
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1', 'x-svc-platform': 'mgmt', 'x-svc-document': 'things' },
  servers: [{ url: '/' }],
  paths: {
    '/things/{id}': {
      get: { operationId: 'getThing', parameters: ids('id'), ...ANSWERED },
      head: { operationId: 'headThing', parameters: ids('id'), ...ANSWERED },
      patch: { operationId: 'updateThing', parameters: ids('id'), requestBody: BODY, ...ANSWERED },
      put: { operationId: 'setThing', parameters: ids('id'), requestBody: BODY, ...ANSWERED },
    },
    '/things/all': {
      put: {
        operationId: 'setAllThings',
        requestBody: BODY,
        ...ANSWERED,
        'x-svc-escalates': { field: 'name', values: { none: 'destructive' } },
      },
    },
    '/{kind}/shutdown': { get: { operationId: 'shutdownKind', parameters: ids('kind'), ...ANSWERED } },
    '/thin{kind}/wipe': { get: { operationId: 'wipeKind', parameters: ids('kind'), ...ANSWERED } },
    '/things/reboot': { get: { operationId: 'rebootThings', ...ANSWERED } },
    '/sites/{site}/things/{id}': { get: { operationId: 'getSiteThing', parameters: ids('site', 'id'), ...ANSWERED } },
    '/sites/{site-id}/things/reboot': {
      get: { operationId: 'rebootSiteThings', parameters: ids('site-id'), ...ANSWERED },
    },
    '/things/{id}/reset': { get: { operationId: 'resetThing', parameters: ids('id'), ...ANSWERED } },
    '/things/{id}/state': { get: { operationId: 'getThingState', parameters: ids('id'), ...ANSWERED } },
    '/things/reboot/{slot}': { get: { operationId: 'rebootSlot', parameters: ids('slot'), ...ANSWERED } },
  },
};

async function open() {
  const router = await documentRouter(DOCUMENT);
  const { upstream } = router;
  upstream.object = () => ({ status: 200, body: { name: 'one' } });
  const sent = () => [...upstream.reads, ...upstream.writes].map(({ method, target }) => `${method} ${target}`);
  return { ...router, sent };
}

test.each([
  ['mgmt_get_thing', { id: 'reboot' }, 'mgmt_reboot_things'],
  ['mgmt_head_thing', { id: 'reboot' }, 'mgmt_reboot_things'],
  ['mgmt_get_site_thing', { site: '7', id: 'reboot' }, 'mgmt_reboot_site_things'],
  ['mgmt_get_site_thing', { site: '7', id: 'Reboot' }, 'mgmt_reboot_site_things'],
  ['mgmt_get_thing', { id: '7/reset' }, 'mgmt_reset_thing'],
  ['mgmt_get_thing_state', { id: 'reboot' }, 'mgmt_reboot_slot'],
  ['mgmt_get_thing', { id: 'shutdown' }, 'mgmt_shutdown_kind'],
  ['mgmt_head_thing', { id: 'shutdown' }, 'mgmt_shutdown_kind'],
  ['mgmt_get_thing', { id: 'wipe' }, 'mgmt_wipe_kind'],
])('a read does not reach what only looks like an object: %s %j', async (name, args, other) => {
  await using b = await open();
  for (const dispatcher of ['invoke_read_tool', 'invoke_tool'])
    expect(await b.call(dispatcher, name, args)).toMatchObject({
      code: 'invalid_arguments',
      expected: expect.stringMatching(
        new RegExp(`^should not make the path of ${other}, which is (write|destructive): only that tool calls it$`),
      ),
    });
  expect(b.sent()).toEqual([]);
});

test('nor does the preview of a write, which reads its target', async () => {
  await using b = await open();
  await b.call('invoke_tool', 'mgmt_update_thing', { id: 'reboot', body: { name: 'x' } });
  expect(b.sent()).toEqual([]);
});

test('nor does a write what its arguments make stricter', async () => {
  await using b = await open();
  const set = (id: string, name: string) => b.call('invoke_tool', 'mgmt_set_thing', { id, body: { name } });
  expect(await set('all', 'none')).toMatchObject({
    code: 'invalid_arguments',
    expected: 'should not make the path of mgmt_set_all_things, which is destructive: only that tool calls it',
  });
  expect(b.sent()).toEqual([]);
  expect(await set('all', 'some')).toMatchObject({ status: 'dry_run' });
  expect(await set('one', 'none')).toMatchObject({ status: 'dry_run' });
});

test('any other value is an object', async () => {
  await using b = await open();
  for (const id of ['one', 'reboots', '1/1/12', '7/set'])
    expect(await b.call('invoke_read_tool', 'mgmt_get_thing', { id })).toEqual({ name: 'one' });
  expect(b.sent()).toEqual(['one', 'reboots', '1%2F1%2F12', '7%2Fset'].map((id) => `GET /things/${id}`));
});

describe('the templates that a path fits', () => {
  const tool = { method: 'GET', path: '/a/{x}/b/{y}', platform: 'p', capability: 'read' } as Tool;
  const at = (path: string, known: string) =>
    stricterAt(tool, path, { stricterThan: () => [{ ...tool, name: 'other', capability: 'write', path: known }] })
      ?.name;
  const fanned = 'A%3Ab.json%2F'.repeat(5);
  test.each([
    ['/a/1/b/wipe', '/a/{i}/b/wipe'],
    ['/a/all/b/wipe', '/a/all/b/wipe'],
    ['/a/wipe/b/2', '/a/wipe/{what}/{j}'],
    ['/a/wipe/b/2', '/a/wipe/B/{j}'],
    ['/a/1/b/2%3Acancel', '/a/{i}/b/{j}:cancel'],
    ['/a/1/b/2%2F3%3Acancel', '/a/{i}/b/{j}:cancel'],
    ['/a/1/b/2%2F%2Fwipe', '/a/{i}/b/{j}/wipe'],
    ['/a/1%2F2/b/wipe', '/a/{i}/{j}/b/wipe'],
    ['/a/1/b/2%5Cwipe', '/a/{i}/b/{j}/wipe'],
    ['/a/1/b/wipe%00x', '/a/{i}/b/wipe'],
    ['/a/1/b/Wipe.%20', '/a/{i}/b/wipe'],
    ['/a/1/b/wipeall', '/a/{i}/b/wipeAll'],
    ['/a/1/b/wipe.json', '/a/{i}/b/wipe'],
    ['/a/1/b/wipe%3Bx=1', '/a/{i}/b/wipe'],
    ['/a/1/b/wipe%3Fx=1', '/a/{i}/b/wipe'],
    ['/a/1/b/%EF%BD%97ipe', '/a/{i}/b/wipe'],
    ['/a/1/b/2%252Fwipe', '/a/{i}/b/{j}/wipe'],
    [`/a/${fanned}/b/wipe.json`, '/a/{i}/b/wipe'],
  ])('%s is %s', (path, known) => {
    expect(at(path, known)).toBe('other');
  });
  test.each([
    ['/a/1/b/wipes', '/a/{i}/b/wipe'],
    ['/a/1/b/2', '/a/{i}/b/{j}/wipe'],
    ['/a/1/b/2', '/a/{i}/b/{j}'],
    ['/a/1/b/2', '/a/{i}/{what}/{j}'],
    ['/a/wipe/b/2', '/a/wipe/c/{j}'],
    ['/a/1/b/2%2Fwipe', '/a/{i}/b/{j}/{k}/wipe'],
  ])('%s is not %s', (path, known) => {
    expect(at(path, known)).toBeUndefined();
  });
  test.each([
    ['dots', `/a/1/b/${'.'.repeat(300_000)}x`],
    ['segments', `/a/1/b/${'x%2F'.repeat(50_000)}wipe`],
    ['readings of two values', `/a/${fanned}/b/${fanned}`],
  ])('and many %s take no time', (_, path) => {
    const started = performance.now();
    expect(at(path, '/a/{i}/b/wipe')).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
