/** A write to a platform whose changes wait for a commit is never told as done. */
import { expect, test } from 'vitest';
import { ensureCatalog } from '../catalog/ensure.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { json, sampleNetwork } from '../test/support/sample-network.ts';
import { openDispatch } from './open-dispatch.ts';

const responses = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } };
const body = { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
const named = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
const staged = { name: 'rules', noun: 'rule', plural: 'rules', key: 'id', staged: true };
const commit = { operationId: 'commitChanges', 'x-svc-derive': { stage: 'commit' }, responses };
const document = (more: object = {}) => ({
  openapi: '3.1.0',
  paths: {
    '/rules/{id}': {
      parameters: named,
      get: { operationId: 'getRule', 'x-svc-resource': staged, responses },
      patch: { operationId: 'updateRule', 'x-svc-resource': staged, requestBody: body, responses },
    },
    '/changes/commit': { post: commit },
    ...more,
  },
});
const CHANGE = { id: 'r1', body: { on: false } };

const waiting = {
  get: {
    operationId: 'listChanges',
    parameters: [{ name: 'node', in: 'query', schema: { type: 'string' } }],
    responses,
  },
};
const states = { operation: 'listChanges', tells: 'changes', arguments: { node: '{node}' }, how: 'go live' };
const listed = {
  '/changes': waiting,
  '/changes/commit': {
    post: { ...commit, parameters: waiting.get.parameters, 'x-svc-preview-reads': [states] },
  },
};
/** The same of one object, which the commit is about. */
const node = [{ name: 'node', in: 'path', required: true, schema: { type: 'string' } }];
const ofNode = {
  '/nodes/{node}': { parameters: node, get: { operationId: 'getNode', responses } },
  '/nodes/{node}/changes': { parameters: node, get: { operationId: 'listChanges', responses } },
  '/nodes/{node}/commit': { parameters: node, post: { ...commit, 'x-svc-preview-reads': [states] } },
};
const change = (id: string, ...changedFields: string[]) => ({
  objectType: 'rules',
  objectId: id,
  operation: 'Changed',
  changedFields,
});

/** What the preview of a commit says, and how its apply ends once something else waits. */
async function committed(waits: readonly unknown[], later: readonly unknown[], args = {}, paths: object = listed) {
  using installation = sampleInstallation();
  installation.writeDocument('rules.json', paths === listed ? document(listed) : { openapi: '3.1.0', paths });
  using network = sampleNetwork();
  let now = waits;
  network.respond(({ path }) =>
    json(path.endsWith('/changes') ? { items: now.slice(0, 22), totalRecords: now.length } : { name: 'berlin' }),
  );
  const { catalog } = ensureCatalog(installation.config({ SVC_MCP_MGMT_WRITES: '1' }));
  const { dispatch } = openDispatch(installation.config({ SVC_MCP_MGMT_WRITES: '1' }), catalog, createLogger('silent'));
  const person = approver();
  const invoke = (more: object) =>
    dispatch.invoke({
      dispatcher: 'invoke_tool' as const,
      name: 'mgmt_commit_changes',
      principal: 'local',
      approver: person,
      arguments: { ...args, ...more },
    });
  const preview = (await invoke({})) as { result: Answer };
  now = later;
  const { plan_token } = preview.result;
  const applied = await invoke({ dry_run: false, confirm: true, plan_token });
  catalog.close();
  const sent = network.calls.filter(({ method }) => method === 'POST').length;
  return {
    ...preview.result,
    applied: applied.kind === 'refused' ? applied.refusal.code : applied.kind,
    sent,
    asked: person.asked[0],
  };
}

/** A dry run of the change and its apply, which a person approves. */
async function changed(paths: object) {
  using installation = sampleInstallation();
  installation.writeDocument('rules.json', paths);
  using network = sampleNetwork();
  network.respond(() => json({ id: 'r1', on: true }));
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1' });
  const { catalog } = ensureCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const person = approver();
  const invoke = async (name: string, args: object) => {
    const call = { dispatcher: 'invoke_tool' as const, name, principal: 'local', approver: person };
    return ((await dispatch.invoke({ ...call, arguments: { ...args } })) as { result: Answer }).result;
  };
  const preview = await invoke('mgmt_update_rule', CHANGE);
  const sent = { ...CHANGE, dry_run: false, confirm: true, plan_token: preview.plan_token };
  const { in_effect } = await invoke('mgmt_update_rule', sent);
  const { impact: commit } = await invoke('mgmt_commit_changes', {});
  catalog.close();
  expect(network.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  return { preview: preview.impact?.consequences, asked: person.asked[0], in_effect, commit: commit?.consequences };
}

interface Answer {
  plan_token?: string;
  impact?: { consequences?: string[] };
  in_effect?: string;
}

test('preview, question and answer name what puts it into effect', async () => {
  expect(await changed(document())).toEqual({
    preview: ['in effect only after mgmt_commit_changes as well'],
    asked: expect.stringContaining('Consequence: "in effect only after mgmt_commit_changes as well"'),
    in_effect: 'not yet: only after mgmt_commit_changes, which takes everything that waits',
    commit: undefined,
  });
});

test('where a document has two such operations, none is named', async () => {
  const another = { '/stages/commit': { post: { ...commit, operationId: 'commitStages' } } };
  const seen = await changed(document(another));
  expect(seen).toMatchObject({ preview: undefined, in_effect: undefined });
  expect(seen.asked).not.toContain('Consequence');
});

test('the preview of a commit lists what it puts into effect, and so does its question', async () => {
  const waits = [change('r1', 'on', 'order'), { resource: 'sites', key: '7', name: 's 2', kind: 'deleted' }, 7];
  const seen = await committed(waits, waits);
  const lines = [
    '3 changes that wait go live',
    'rules r1 Changed: on, order',
    'sites s 2 deleted',
    'a change without a name',
  ];
  expect(seen).toMatchObject({ impact: { source: 'GET /changes', consequences: lines }, applied: 'done', sent: 1 });
  for (const line of lines) expect(seen.asked).toContain(JSON.stringify(line));
  expect(seen).not.toHaveProperty('target');
});

test('what somebody edits after the preview of a commit was not approved', async () => {
  const seen = await committed([change('r1', 'on')], [change('r1', 'on'), change('r2', 'on')]);
  expect(seen).toMatchObject({ applied: 'plan_stale', sent: 0 });
});

test('nor was what waits by then behind the first page of a long list', async () => {
  const many = Array.from({ length: 26 }, (_, i) => change(`r${i}`));
  expect(await committed(many.slice(0, 25), many)).toMatchObject({ applied: 'plan_stale', sent: 0 });
  expect(await committed(many.slice(0, 25), many, { node: 'a' }, ofNode)).toMatchObject({
    applied: 'plan_stale',
    sent: 0,
  });
});

test('a long list is counted, an empty one said, and the place of the commit is the place that is read', async () => {
  const many = Array.from({ length: 25 }, (_, i) => change(`r${i}`));
  const { consequences = [] } = (await committed(many, many)).impact ?? {};
  expect(consequences).toHaveLength(22);
  expect(consequences.at(-1)).toBe('and 5 more');
  expect((await committed([], [], { node: '/a' })).impact).toMatchObject({
    source: 'GET /changes',
    consequences: ['no change waits'],
  });
});

test('a commit of one object is about the object, and about what waits there', async () => {
  const waits = [change('r1', 'on')];
  const one = (later: readonly unknown[]) => committed(waits, later, { node: 'a' }, ofNode);
  expect(await one(waits)).toMatchObject({
    target: { name: 'berlin' },
    impact: { source: 'GET /nodes/a', consequences: ['1 change that waits goes live', 'rules r1 Changed: on'] },
    applied: 'done',
    sent: 1,
  });
  expect(await one([...waits, change('r2', 'on')])).toMatchObject({ applied: 'plan_stale', sent: 0 });
});
