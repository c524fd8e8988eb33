import { describe, expect, it } from 'vitest';
import { ASYNC, type ModelTestbed, modelTestbed, VLANS } from '../../test/model-testbed.ts';

const ALL = `${ASYNC}
    poll: /api/jobs/{task}
    id: [Job, Jobs]
    noun: [task, tasks]
    aliases: [job]
    questions: [is it done]
    distinguish: one task, whatever started it`;
const STYLES = `
    plain:
      create: {at: collection, status: 201, location: true}
      patch: {media: application/merge-patch+json, if-match: true}
      delete: {body: task}
      list: {property: items, paging: none}`;
const TASK_LIST = `
  tasks:
    noun: [task, tasks]
    aliases: [job]
    questions: [what is running]
    distinguish: everything that was started
    key: id uuid ro -- Task
    ops: read
    derive: {tasks: true}
    actions: {cancel: {does: give it up, derive: {set: {state: BROKEN}}}}
    fields:
      state: str! -- How far it is
      name: str! -- What was started
      begun: datetime! -- Start
`;
const ACTIONS = `
    ops: crud
    actions:
      duplicate: {does: copy it, derive: {clone: true}, input: {new-name: "str(1..40) -- Name of the copy"}}
      retire: {does: take it away, capability: destructive, derive: {remove: true}}
      test:
        title: test
        does: try it
        async: true
        derive: {set: {tested-at: $now, mtu: $input.mtu}}
        input: {mtu: "int(68..9216)=1400 -- Frame to try"}
        result: {mtu: "int! -- Frame that fits"}
      import:
        at: collection
        does: take over many
        derive: {import: true}
        input: {vlans: "obj(Entry)[](1..50)! -- What to take over"}
        result: {created: "int! -- Taken over", skipped: "int! -- Known", failed: "int! -- Refused"}
`;
const HEAD = `objects:\n        Entry: {name: "str(1..40)! -- Name", number: "int! -- Tag"}\n`;

function shared(): ModelTestbed {
  return modelTestbed(VLANS + ACTIONS + TASK_LIST, { async: ALL, styles: STYLES }, HEAD);
}

const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('one poll for all tasks', () => {
  it('reads whatever was started, under the names the platform gives', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const started = testbed.call('POST', '/api/vlans/guests/test', { mtu: 1300 });
    const location = `/api/jobs/${started.json['id']}`;
    expect([started.status, started.headers['location'], started.json['state']]).toEqual([202, location, 'QUEUED']);
    expect(testbed.call('GET', location).json).toMatchObject({
      state: 'ACTIVE',
      percent: 50,
      ended: null,
      found: null,
    });
    expect(testbed.call('GET', '/api/vlans/guests').json['mtu']).toBe(1500);
    expect(testbed.call('GET', location).json).toMatchObject({
      state: 'DONE',
      percent: 100,
      because: null,
      found: { mtu: 1300 },
    });
    expect(testbed.call('GET', '/api/vlans/guests').json).toMatchObject({
      mtu: 1300,
      'tested-at': '2026-03-02T09:00:02Z',
    });
    expect(testbed.records.at(-2)).toMatchObject({ capability: 'poll', template: '/api/jobs/{task}' });
  });

  it('is one operation of a document of its own', () => {
    const { tasks, things } = shared().documents;
    expect(Object.keys(tasks?.paths ?? {})).toEqual(['/api/jobs/{task}']);
    expect(tasks?.paths['/api/jobs/{task}']?.['get']).toMatchObject({ operationId: 'getJob', 'x-svc-poll': true });
    expect(things?.paths['/api/vlans/{name}/test']?.['post']).toMatchObject({
      'x-svc-async': {
        poll: 'getJob',
        state: 'state',
        terminal: ['DONE', 'BROKEN'],
        values: { because: 'reason', found: 'output', id: 'id' },
        result: { $ref: '#/components/schemas/VlanTestResult' },
      },
    });
  });

  it('knows them all in a list, where the model has one', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const { json } = testbed.call('POST', '/api/vlans/guests/test', {});
    testbed.call('GET', `/api/jobs/${json['id']}`);
    expect(testbed.call('GET', '/api/tasks').json['items']).toEqual([
      { id: json['id'], state: 'ACTIVE', name: 'test', begun: '2026-03-02T09:00:01Z' },
    ]);
  });
});

describe('a task of the list', () => {
  it('can be given up, and then its effect never happens', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const { id } = testbed.call('POST', '/api/vlans/guests/test', { mtu: 1300 }).json;
    expect(testbed.call('POST', `/api/tasks/${id}/cancel`).status).toBe(204);
    expect(testbed.call('GET', `/api/tasks/${id}`).json).toMatchObject({ id, state: 'BROKEN', name: 'test' });
    for (const _ of [1, 2]) expect(testbed.call('GET', `/api/jobs/${id}`).json['state']).toBe('BROKEN');
    expect(testbed.call('GET', '/api/vlans/guests').json['mtu']).toBe(1500);
  });
});

describe('a deletion that is a task', () => {
  it('takes the object away when the task completes', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const started = testbed.call('DELETE', '/api/vlans/guests');
    const location = String(started.headers['location']);
    expect([started.status, testbed.call('GET', '/api/vlans/guests').status]).toEqual([202, 200]);
    testbed.call('GET', location);
    expect(testbed.call('GET', '/api/vlans/guests').status).toBe(200);
    expect(testbed.call('GET', location).json['state']).toBe('DONE');
    expect(testbed.call('GET', '/api/vlans/guests').status).toBe(404);
  });

  it('fails when another took it away meanwhile, and says why', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const locations = [1, 2].map(() => String(testbed.call('DELETE', '/api/vlans/guests').headers['location']));
    const states = locations.map((location) => [1, 2].map(() => testbed.call('GET', location).json).at(-1));
    expect(states.map((json) => json?.['state'])).toEqual(['DONE', 'BROKEN']);
    expect(states[1]?.['because']).toMatch(/expected an existing entry "guests"/);
  });

  it('of nothing is refused at once', () => {
    expect(shared().call('DELETE', '/api/vlans/ghost').status).toBe(404);
  });
});

describe('a poll below each action', () => {
  it('answers under the path that the platform states, with the status it states', () => {
    const testbed = modelTestbed(
      VLANS + ACTIONS,
      { async: `${ASYNC}\n    poll: "{action}/sessions/{task}"\n    status: 200` },
      HEAD,
    );
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const started = testbed.call('POST', '/api/vlans/guests/test', {});
    expect(started.status).toBe(200);
    const location = `/api/vlans/guests/test/sessions/${started.json['id']}`;
    expect(started.headers['location']).toBe(location);
    testbed.call('GET', location);
    expect(testbed.call('GET', location).json).toMatchObject({ state: 'DONE', found: { mtu: 1400 } });
  });
});

describe('what an action declares to do', () => {
  it('copies, with what the input says, the secret of the original and values nobody else has', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20, mtu: 9000, passphrase: 'not-a-real-one' });
    const copy = testbed.call('POST', '/api/vlans/guests/duplicate', { 'new-name': 'visitors' });
    expect([copy.status, copy.headers['location']]).toEqual([201, '/api/vlans/visitors']);
    expect(copy.json).toMatchObject({ name: 'visitors', number: 21, mtu: 9000, 'passphrase-configured': true });
    expect(testbed.call('POST', '/api/vlans/guests/duplicate', {}).json).toMatchObject({
      name: 'guests-copy',
      number: 22,
    });
    expect(testbed.call('POST', '/api/vlans/guests/duplicate', { 'new-name': 'visitors' }).status).toBe(409);
  });

  it('removes', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    expect(testbed.call('POST', '/api/vlans/guests/retire').status).toBe(204);
    expect(testbed.call('GET', '/api/vlans/guests').status).toBe(404);
  });

  it('imports what is new, skips what is known and counts what does not fit', () => {
    const testbed = shared();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const entries = [
      { name: 'guests', number: 20 },
      { name: 'staff', number: 30 },
      { name: 'voice', number: 5000 },
    ];
    expect(testbed.call('POST', '/api/vlans/import', { vlans: entries }).json).toEqual({
      created: 1,
      skipped: 1,
      failed: 1,
    });
    expect(testbed.call('GET', '/api/vlans/staff').json).toMatchObject({ number: 30, mtu: 1500 });
  });
});

describe('headers of an object', () => {
  it('say where a new one is', () => {
    const created = shared().call('POST', '/api/vlans', { name: 'guest net', number: 20 });
    expect([created.status, created.headers['location']]).toEqual([201, '/api/vlans/guest%20net']);
  });

  it('tag its state, and a change made for another state is refused', () => {
    const testbed = shared();
    const created = testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const tag = String(testbed.call('GET', '/api/vlans/guests').headers['etag']);
    expect(created.headers['etag']).toBe(tag);
    const changed = testbed.call('PATCH', '/api/vlans/guests', { mtu: 9000 }, { ...MERGE, 'if-match': tag });
    expect([changed.status, changed.headers['etag'] === tag]).toEqual([200, false]);
    const stale = testbed.call('PATCH', '/api/vlans/guests', { mtu: 1400 }, { ...MERGE, 'if-match': tag });
    expect([stale.status, stale.json['errorCode']]).toEqual([412, 'STALE_REVISION']);
    expect(testbed.call('PATCH', '/api/vlans/guests', { mtu: 1400 }, MERGE).status).toBe(200);
    expect(testbed.call('PATCH', '/api/vlans/guests', { mtu: 1300 }, { ...MERGE, 'if-match': '*' }).status).toBe(200);
  });
});

describe('a key that the platform gives', () => {
  it.each([
    ['/^[0-9]{1,5}$/', ['1', '2']],
    ['/^[0-9]{1,3}\\.NE$/', [expect.stringMatching(/^\d{1,3}\.NE$/), expect.stringMatching(/^\d{1,3}\.NE$/)]],
    ['/^[0-9a-f]{32}$/', [expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]],
  ])("fits %s and is nobody else's", (pattern, keys) => {
    const testbed = modelTestbed(
      VLANS.replace('key: name str(1..40) -- Name', `key: 'id str(${pattern}) ro -- Number'`).concat('    ops: crud\n'),
    );
    const given = [1, 2].map((number) => testbed.call('POST', '/api/vlans', { number }).json['id']);
    expect(given).toEqual(keys);
    expect(new Set(given).size).toBe(2);
  });
});
