import { expect, test } from 'vitest';
import { ensureCatalog } from '../catalog/ensure.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { json, type SampleNetwork, type SeenCall, sampleNetwork } from '../test/support/sample-network.ts';
import { switchesOff } from './consequences.ts';
import { openDispatch } from './open-dispatch.ts';

const named = [{ name: 'serial', in: 'path', required: true, schema: { type: 'string' } }];
const responses = (schema: unknown = { type: 'object' }) => ({
  200: { description: 'ok', content: { 'application/json': { schema } } },
});
const list = { type: 'object', properties: { items: { type: 'array', items: { type: 'object' } } } };
const clients = { name: 'clients', noun: 'client', plural: 'clients', key: 'mac' };
const count = {
  operation: 'countClients',
  tells: 'count',
  arguments: { filter: "device eq '{serial}' and state eq 'UP'" },
  how: 'are connected to it',
};
const references = { operation: 'listSwitchReferences', tells: 'references', arguments: { serial: '{serial}' } };
const body = { required: true, content: { 'application/json': { schema: { type: 'object' } } } };

const paths = {
  '/switches/{serial}': {
    parameters: named,
    get: { operationId: 'getSwitch', responses: responses() },
    delete: { operationId: 'deleteSwitch', 'x-svc-preview-reads': [references, count] },
    patch: {
      operationId: 'updateSwitch',
      requestBody: body,
      'x-svc-preview-reads': [{ ...count, when: 'switched-off' }],
    },
  },
  '/switches/{serial}/references': {
    parameters: named,
    get: { operationId: 'listSwitchReferences', responses: responses(list) },
  },
  '/switches/{serial}/wipe': {
    parameters: named,
    post: {
      operationId: 'wipeSwitch',
      'x-svc-preview-reads': [
        { operation: 'deleteSwitch', tells: 'count', arguments: { serial: '{serial}' } },
        { operation: 'searchClients', tells: 'count', arguments: {} },
        { operation: 'getNothing', tells: 'count', arguments: {} },
        'nonsense',
      ],
    },
  },
  '/clients/count': {
    get: {
      operationId: 'countClients',
      'x-svc-kind': 'count',
      'x-svc-resource': clients,
      parameters: [{ name: 'filter', in: 'query', schema: { type: 'string', maxLength: 80 } }],
      responses: responses(),
    },
  },
  '/clients/search': { post: { operationId: 'searchClients', responses: responses(list) } },
};

interface Bench extends Disposable {
  network: SampleNetwork;
  consequences: (name: string, args: object) => Promise<unknown>;
}

/** Answers every read of the object; the others by `answer`. */
function bench(answer: (call: SeenCall) => Response): Bench {
  const installation = sampleInstallation();
  installation.writeDocument('switches.json', { openapi: '3.1.0', paths });
  const network = sampleNetwork();
  network.respond((call) =>
    call.path.startsWith('/switches/') && !call.path.endsWith('s') ? json({ name: 'a' }) : answer(call),
  );
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1' });
  const { catalog } = ensureCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  return {
    network,
    consequences: async (name, args) => {
      const call = {
        dispatcher: 'invoke_tool' as const,
        name,
        arguments: { ...args },
        principal: 'local',
        approver: approver(),
      };
      const result = await dispatch.invoke(call);
      expect(result).toMatchObject({ kind: 'done', result: { status: 'dry_run', plan_token: expect.any(String) } });
      return (result as unknown as { result: { impact: { consequences?: unknown } } }).result.impact.consequences;
    },
    [Symbol.dispose]: () => {
      catalog.close();
      network[Symbol.dispose]();
      installation[Symbol.dispose]();
    },
  };
}

const referring = [
  { resource: 'wlans', key: 'guest', field: 'x' },
  { resource: 'wlans', key: 'staff\nall rights', field: 'x' },
  { resource: 'roles', key: 'r1', field: 'x' },
  { resource: 'roles', key: 'r1', field: 'y' },
];
const answering =
  (total: number, items: unknown[] = referring) =>
  (call: SeenCall) =>
    call.path === '/clients/count' ? json({ total, groups: [] }) : json({ items });

test('a delete tells what refers to the object and how many are connected to it', async () => {
  using b = bench(answering(37));
  expect(await b.consequences('mgmt_delete_switch', { serial: "CN'1" })).toEqual([
    'referenced by 2 wlans: guest, staff all rights; 1 roles: r1',
    '37 clients are connected to it',
  ]);
  const asked = b.network.calls.find(({ path }) => path === '/clients/count');
  expect(new URLSearchParams(asked?.query).get('filter'), 'a quote cannot end the text').toBe(
    "device eq 'CN''1' and state eq 'UP'",
  );
  expect(b.network.calls.every(({ method }) => method === 'GET')).toBe(true);
});

test.each([
  [0, 'no clients are connected to it'],
  [1, '1 client is connected to it'],
])('%i of them reads as it should', async (total, line) => {
  using b = bench(answering(total, []));
  expect(await b.consequences('mgmt_delete_switch', { serial: 'CN1' })).toEqual(['nothing refers to it', line]);
});

test('a read that fails, or that the arguments do not fit, says so and stops nothing', async () => {
  using b = bench((call) => (call.path === '/clients/count' ? json({}, 500) : json({ other: 1 })));
  expect(await b.consequences('mgmt_delete_switch', { serial: 'CN1' })).toEqual([
    'what refers to it could not be read: the answer holds no list',
    'how many clients could not be read: the platform answered 500',
  ]);
  expect(await b.consequences('mgmt_delete_switch', { serial: 'C'.repeat(90) })).toContain(
    'how many clients could not be read: the call does not say enough',
  );
});

test('a change asks only when it switches the object off', async () => {
  using b = bench(answering(2));
  expect(await b.consequences('mgmt_update_switch', { serial: 'CN1', body: { name: 'b' } })).toBeUndefined();
  expect(await b.consequences('mgmt_update_switch', { serial: 'CN1', body: { enabled: false } })).toEqual([
    '2 clients are connected to it',
  ]);
});

test('a document cannot name anything but a plain read', async () => {
  using b = bench(answering(2));
  expect(await b.consequences('mgmt_wipe_switch', { serial: 'CN1' })).toBeUndefined();
  expect(b.network.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /switches/CN1']);
});

test.each([
  [{ enable: false }, true],
  [{ 'admin-state': 'DOWN' }, true],
  [{ radio: { adminState: 'disabled' } }, true],
  [{ status: 'INACTIVE' }, true],
  [{ enabled: true }, false],
  [{ 'enable-roaming': false }, false],
  [{ hidden: false, name: 'off' }, false],
  [[{ enabled: false }], false],
])('%j switches off: %s', (value, off) => {
  expect(switchesOff(value)).toBe(off);
});

test('a document of a user: the preview of a collection that is deleted counts what stands in it', async () => {
  const inPath = [{ name: 'site', in: 'path', required: true, schema: { type: 'string' } }];
  const filter = { name: 'mode', in: 'query', schema: { type: 'string' } };
  const get = { parameters: [filter], responses: responses(list) };
  const gone = { responses: { 204: { description: 'gone' } } };
  const { tools } = await importedApi({
    'a.json': {
      openapi: '3.0.3',
      info: { title: 'A', version: '1' },
      paths: {
        '/sites/{site}/ports': { parameters: inPath, get, delete: { ...gone, parameters: [filter] } },
        '/sites/{site}': { parameters: inPath, get: { responses: responses() }, delete: gone },
        '/caches': { delete: gone },
      },
    },
  });
  const reads = tools.filter(({ method }) => method === 'DELETE').map(({ previewReads }) => previewReads);
  const counts = { tells: 'count', how: 'are in the collection', arguments: { site: '{site}' } };
  expect(reads).toEqual([[expect.objectContaining(counts)], undefined, undefined]);
});
