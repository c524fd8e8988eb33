/** One operation that adds, changes and deletes: which of them a call is, its body says. */
import { describe, expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { openCatalog } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver, nobody } from '../test/support/approvers.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { sampleNetwork } from '../test/support/sample-network.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import type { Result } from './dispatch-call.ts';
import { asCalled } from './escalate.ts';
import { openDispatch } from './open-dispatch.ts';

const escalates = { field: '_action', values: { delete: 'destructive', peek: 'read' } } as const;
const set = toolOf({ name: 'legacy_set_vlan', method: 'POST', capability: 'write', escalates }).tool;

describe('the class of a call', () => {
  test.each([
    ['an addition', { _action: 'add', id: 1 }, 'write'],
    ['no word at all', { id: 1 }, 'write'],
    ['a delete', { _action: 'delete', id: 1 }, 'destructive'],
    ['a delete in a list', [{ _action: 'add' }, { _action: 'delete' }], 'destructive'],
    ['a delete deep inside', { objects: { vlan: [{ _action: 'delete' }] } }, 'destructive'],
    ['several words at once', { _action: ['add', 'delete'] }, 'destructive'],
    ['a word that would make it milder', { _action: 'peek' }, 'write'],
    ['the word in another field', { action: 'delete' }, 'write'],
  ])('%s', (_, body, capability) => {
    expect(asCalled(set, { body }).capability).toBe(capability);
  });

  test('carries its evidence, and a tool without such a field stays what it is', () => {
    expect(asCalled(set, { body: { _action: 'delete' } }).evidence).toEqual({
      by: 'arguments',
      detail: '_action: delete',
    });
    const plain = toolOf({ name: 'a', capability: 'write' }).tool;
    expect(asCalled(plain, { body: { _action: 'delete' } })).toBe(plain);
  });
});

describe('an action that the body of a user’s document names', () => {
  const text = { type: 'string' };
  const write = {
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { action: text } } } } },
    responses: { 200: { description: 'Done' } },
  };
  const inPath = { parameters: [{ name: 'id', in: 'path', required: true, schema: text }] };

  test.each([
    ['/devices/{id}/actions', 'RESTART', 'destructive'],
    ['/devices/{id}/actions', 'POWER_CYCLE', 'destructive'],
    ['/instances/{id}/state', 'stop', 'destructive'],
    ['/instances/{id}/state', 'start', 'write'],
    ['/devices/{id}/actions', 'LOCATE', 'write'],
    // What a rule does to packets.
    ['/firewall/rules/{id}', 'block', 'write'],
  ])('%s with %s', async (path, action, capability) => {
    const paths = { [path]: { ...inPath, post: write } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    const [tool] = tools as [Tool];
    expect(asCalled(tool, { id: '1', body: { action } }).capability).toBe(capability);
  });

  const kind = (name: string) => ({ type: 'object', properties: { [name]: text } });
  test.each([
    ['one of several kinds of body has', [kind('image'), kind('action')], { action: 'evict' }],
    ['is called the type of the action', [kind('type')], { type: 'power_off' }],
    ['is so called in one kind', [kind('size'), { allOf: [kind('type'), kind('size')] }], { type: 'shutdown' }],
  ])('a word that %s', async (_, anyOf, body) => {
    const post = { ...write, requestBody: { content: { 'application/json': { schema: { anyOf } } } } };
    const paths = { '/servers/{id}/actions': { ...inPath, post }, '/servers/{id}': { ...inPath, put: post } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    const classes = (tools as Tool[]).map((tool) => asCalled(tool, { id: '1', body }).capability);
    expect(classes).toEqual(['destructive', 'write']);
  });
});

describe('a word of the body of a user’s document, wherever it is sent', () => {
  const oneOf = (...values: string[]) => ({ type: 'string', enum: values });
  const calledWith = async (path: string, schema: object, body: unknown) => {
    const requestBody = { content: { 'application/json': { schema } } };
    const paths = { [path]: { put: { requestBody, responses: { 200: { description: 'Done' } } } } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    return asCalled((tools as [Tool])[0], { body }).capability;
  };
  const fields = (properties: object) => ({ type: 'object', properties });

  test.each([
    ['/inventory', fields({ op: oneOf('assign', 'unassign', 'delete') }), { op: 'delete' }, 'destructive'],
    ['/inventory', fields({ op: oneOf('assign', 'unassign', 'delete') }), { op: 'assign' }, 'write'],
    [
      '/tuples',
      { type: 'array', items: fields({ action: oneOf('insert', 'delete') }) },
      [{ action: 'delete' }],
      'destructive',
    ],
    ['/rules', fields({ action: oneOf('accept', 'drop') }), { action: 'drop' }, 'write'],
    ['/rules', fields({ action: { type: 'string' } }), { action: 'drop' }, 'write'],
    [
      '/items',
      { type: 'array', items: fields({ op: oneOf('add', 'remove', 'replace') }) },
      [{ op: 'remove' }],
      'write',
    ],
    ['/ports/3/power', fields({ state: oneOf('on', 'off') }), { state: 'off' }, 'destructive'],
    ['/ports/3/power', fields({ state: oneOf('on', 'off') }), { state: 'on' }, 'write'],
    ['/ports/3/admin-state', fields({ enabled: { type: 'boolean' } }), { enabled: false }, 'destructive'],
    ['/ports/3', fields({ enabled: { type: 'boolean' } }), { enabled: false }, 'write'],
  ])('%s with %j, called with %j, is a %s', async (path, schema, body, capability) => {
    expect(await calledWith(path, schema, body)).toBe(capability);
  });
});

describe('an action that the path or the query of a user’s document names', () => {
  const text = { type: 'string' };
  const parameter = (name: string, where: string) => ({ name, in: where, required: true, schema: text });
  const operation = (where: string, more: object = {}) => ({
    parameters: [parameter('id', 'path'), parameter('action', where)],
    responses: { 200: { description: 'Done' } },
    ...more,
  });

  test.each([
    ['post', '/vms/{id}/{action}', 'path', 'Reboot', 'destructive'],
    ['post', '/vms/{id}/{action}', 'path', 'start', 'write'],
    ['put', '/vms/{id}', 'query', 'power-off', 'destructive'],
    ['get', '/vms/{id}/{action}', 'path', 'reboot', 'destructive'],
  ])('%s %s with %s %s is %s', async (method, path, where, action, capability) => {
    const paths = { [path]: { [method]: operation(where) } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    const [tool] = tools as [Tool];
    expect(asCalled(tool, { id: '1', action }).capability).toBe(capability);
  });

  test.each([
    [['on', 'off', 'reboot'], true],
    [['start', 'locate'], false],
    [['CreateTopic'], false],
  ])('that is one of %j can be of a stricter class: %s', async (values, expected) => {
    const action = { ...parameter('action', 'query'), schema: { ...text, enum: values } };
    const paths = { '/vms': { post: { parameters: [action], responses: { 200: { description: 'Done' } } } } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    expect((tools as Tool[]).map(({ escalates }) => escalates !== undefined)).toEqual([expected]);
  });

  test('is a filter of an operation that says that it reads', async () => {
    const get = operation('query', { operationId: 'listEvents' });
    const paths = { '/vms/{id}/events': { get } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    const [tool] = tools as [Tool];
    expect(asCalled(tool, { id: '1', action: 'delete' }).capability).toBe('read');
  });

  test('is one of a list of commands', async () => {
    const properties = { commands: { type: 'array', items: text } };
    const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } };
    const paths = { '/devices/{id}/commands': { post: { requestBody, responses: { 200: { description: 'Done' } } } } };
    const { tools } = await importedApi({ 'a.json': { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths } });
    const [tool] = tools as [Tool];
    const called = (...commands: string[]) => asCalled(tool, { body: { commands } }).capability;
    expect([called('show version'), called('show version', 'reload in 5')]).toEqual(['write', 'destructive']);
  });
});

function bench(confirmation: 'elicit' | 'token') {
  const installation = sampleInstallation();
  const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
  installation.writeDocument('config-objects.json', {
    openapi: '3.1.0',
    info: { title: 'Objects', version: '1' },
    paths: {
      '/object/vlan': {
        post: {
          operationId: 'setVlan',
          summary: 'Add, change or delete one VLAN',
          requestBody: body({
            type: 'object',
            properties: { id: { type: 'integer' }, _action: { type: 'string', enum: ['add', 'delete'] } },
          }),
          responses: { 200: { description: 'done' } },
          'x-svc-escalates': { field: '_action', values: { delete: 'ruinous' } },
        },
      },
      '/object/vlan/search': {
        post: {
          operationId: 'searchVlans',
          summary: 'Search VLANs',
          requestBody: body({ type: 'object', properties: { purge: { type: 'boolean' } } }),
          responses: { 200: { description: 'done' } },
          'x-svc-escalates': { field: 'purge', values: { true: 'destructive' } },
        },
      },
    },
  });
  const network = sampleNetwork();
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1', SVC_MCP_CONFIRMATION: confirmation });
  const { catalog } = openCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  return {
    network,
    run: (
      name: string,
      args: object,
      who = approver(),
      dispatcher: 'invoke_tool' | 'invoke_read_tool' = 'invoke_tool',
    ) => dispatch.invoke({ dispatcher, name, arguments: { ...args }, principal: 'local', approver: who }),
    [Symbol.dispose]: () => {
      catalog.close();
      network[Symbol.dispose]();
      installation[Symbol.dispose]();
    },
  };
}
const ended = (result: Result) =>
  result.kind === 'done' ? result.result : result.kind === 'refused' ? result.refusal : {};

describe('in dispatch', () => {
  const DELETE = { body: { id: 7, _action: 'delete' } };

  test('preview, contract and question say what it is; an unknown class counts as the strictest', async () => {
    using b = bench('elicit');
    const preview = ended(await b.run('mgmt_set_vlan', DELETE)) as Record<string, unknown>;
    expect(preview).toMatchObject({ contract: { capability: 'destructive' } });
    const somebody = approver('declined');
    const refusal = await b.run(
      'mgmt_set_vlan',
      { ...DELETE, dry_run: false, confirm: true, plan_token: preview['plan_token'] },
      somebody,
    );
    expect(somebody.asked[0]).toMatch(/^Send this destructive request/);
    expect(ended(refusal)).toMatchObject({ code: 'declined', contract: { capability: 'destructive' } });
    expect(ended(await b.run('mgmt_set_vlan', { body: { id: 7, _action: 'add' } }))).toMatchObject({
      contract: { capability: 'write' },
    });
    expect(b.network.calls).toEqual([]);
  });

  test('with tokens alone the object has to be named for a delete, and not for an addition', async () => {
    using b = bench('token');
    const apply = async (args: object, more: object = {}) => {
      const { plan_token } = ended(await b.run('mgmt_set_vlan', args)) as { plan_token: string };
      return ended(
        await b.run(
          'mgmt_set_vlan',
          { ...args, dry_run: false, confirm: true, plan_token, ...more },
          { ...nobody, asked: [] },
        ),
      );
    };
    expect(await apply(DELETE)).toMatchObject({ code: 'confirmation_required' });
    expect(b.network.calls).toEqual([]);
    expect(await apply(DELETE, { confirm_object: '7' })).toMatchObject({
      contract: { capability: 'destructive' },
    });
    expect(await apply({ body: { id: 7, _action: 'add' } })).toMatchObject({
      contract: { capability: 'write' },
    });
    expect(b.network.calls).toHaveLength(2);
  });

  test('a read that its arguments make a delete is refused by the dispatcher of reads', async () => {
    using b = bench('elicit');
    const run = (purge: boolean) => b.run('mgmt_search_vlans', { body: { purge } }, approver(), 'invoke_read_tool');
    expect((await run(false)).kind).toBe('done');
    expect(ended(await run(true))).toMatchObject({ code: 'blocked', capability: 'destructive' });
    expect(b.network.calls).toHaveLength(1);
  });
});
