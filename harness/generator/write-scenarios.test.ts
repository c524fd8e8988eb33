/** What a generated change expects: the object as the API itself leaves it after the whole call. */
import { expect, test } from 'vitest';
import endState from '../grading/checks/end-state.ts';
import type { Change, Recording } from '../recording/recording.ts';
import { singleSteps } from '../scenario/scenario-steps.ts';
import { fillSlots } from '../scenario/seeded-slots.ts';
import type { ApiOperation, Json } from './api-document.ts';
import type { Probe } from './api-probe.ts';
import type { ApiResource } from './api-resources.ts';
import { writeDrafts } from './write-scenarios.ts';

const TASK = { id: 7, name: 'relabel', status: 'open', count: 3, psk: 'orchard-thistle' };
const operation = (method: string, required: string[] = []): ApiOperation => {
  const properties = Object.fromEntries(Object.entries(TASK).map(([name, value]) => [name, { type: typeof value }]));
  return {
    method,
    path: '/tasks/{taskId}',
    operationId: `${method} task`,
    texts: [],
    parameters: [],
    body: { properties, required, isRequired: true },
    security: [],
  };
};
const GET = operation('GET');

/** An API with one task. PUT replaces it, PATCH changes it; what is drawn at the first read counts as created by a write. */
function oneTask(): { probe: Probe; send: (write: ApiOperation, body: Json) => Promise<Change[]> } {
  let task: Json = TASK;
  let isWritten = false;
  const probe: Probe = {
    call: async ({ method }, { body }) => {
      if (method !== 'GET') {
        isWritten = true;
        task = { ...(method === 'PUT' ? {} : task), ...(body as Json) };
      }
      return { status: 200, json: task };
    },
    reset: async () => {
      task = TASK;
      isWritten = false;
    },
    changes: async () =>
      isWritten ? [{ platform: 'api', resource: 'task', kind: 'created', value: task, fields: [] }] : [],
  };
  const send = async (write: ApiOperation, body: Json) => {
    await probe.reset();
    await probe.call(write, { body });
    return probe.changes();
  };
  return { probe, send };
}

/** The verdict over the end state of the first change, when the call had this body. */
async function judged(write: ApiOperation, bodyOf: (own: Json) => Json): Promise<string> {
  const { probe, send } = oneTask();
  const item = { operation: GET, parameter: 'taskId', objects: [{ path: { taskId: 7 }, key: 7, json: TASK }] };
  const resource: ApiResource = { noun: 'task', nouns: 'tasks', item, writes: new Map([[write.method, write]]) };
  const [draft] = (await writeDrafts(resource, probe)).filter(({ kind }) => kind === 'change');
  expect(draft?.endState).toBeDefined();
  const own = singleSteps(draft?.steps ?? [])[0]?.arguments?.['body'] as Json;
  const changes = await send(write, bodyOf(own));
  const wanted = fillSlots(draft?.endState ?? [], draft?.values as never);
  const recording = {
    task: { end_state: wanted, side_effects: [], platforms: ['api'] },
    changes,
    endState: [{ resource: 'task', items: changes.map(({ value }) => value) }],
  };
  return JSON.stringify(endState.examine(recording as unknown as Recording));
}

test('a PUT that sends the whole object passes, and one that leaves fields out fails with what it lost', async () => {
  const put = operation('PUT', ['name']);
  expect(await judged(put, (own) => own)).toContain('pass');
  const lost = await judged(put, ({ name }) => ({ name }));
  expect(lost).toContain('fail');
  expect(lost).toContain('status is null');
  expect(lost).toContain('count is null');
});

test('a PUT may leave out the key, which its path has', async () => {
  expect(await judged(operation('PUT', ['id']), ({ id: _, ...own }) => own)).toContain('pass');
});

test('a secret that was sent along stands in no expectation', async () => {
  const { psk: _, ...shown } = TASK;
  expect(await judged(operation('PUT'), (own) => ({ ...shown, ...own, psk: 'another' }))).toContain('pass');
});

test('a PATCH of one field passes, and one that sends another value for what it must repeat fails', async () => {
  expect(await judged(operation('PATCH'), (own) => own)).toContain('pass');
  const patch = operation('PATCH', ['count']);
  expect(await judged(patch, (own) => own)).toContain('pass');
  expect(await judged(patch, (own) => ({ ...own, count: 4 }))).toContain('count is 4 instead of 3');
});

test('of an API that wraps every answer a field is changed, and an object is created', async () => {
  const { probe } = oneTask();
  const wrapping: Probe = {
    ...probe,
    call: async (...given) => {
      const { status, json } = await probe.call(...given);
      return { status, json: { data: json, status: 'success' } };
    },
  };
  const item = {
    operation: GET,
    parameter: 'taskId',
    objects: [{ path: { taskId: 7 }, key: 7, json: { data: TASK } }],
  };
  const create = { ...operation('POST'), path: '/tasks' };
  const list = { operation: { ...GET, path: '/tasks' }, path: {}, query: {}, rows: [TASK], isWhole: true };
  const writes = new Map([['PATCH', operation('PATCH')]]);
  const drafts = await writeDrafts({ noun: 'task', nouns: 'tasks', item, list, create, writes }, wrapping);
  expect(drafts.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'change tasks-1',
    'refusal tasks-1',
    'change tasks-creation',
  ]);
  const [changed, read] = singleSteps(drafts[0]?.steps ?? []);
  expect(changed?.arguments).toEqual({ taskId: 7, body: { name: 'quartz-harrier' } });
  expect(Object.values(read?.facts ?? {})).toEqual(['data.name']);
  expect(drafts[0]?.wordings[0]).toContain('Set the name of task');
  expect(Object.values(singleSteps(drafts[2]?.steps ?? [])[0]?.facts ?? {})).toEqual(['data.id']);
});
