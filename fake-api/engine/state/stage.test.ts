import { describe, expect, it } from 'vitest';
import { startFakeApi } from '../../fake.ts';
import { ASYNC, type ModelTestbed, modelTestbed, VLANS } from '../../test/model-testbed.ts';

const VIEW = '{key: null, view: {parameter: state, edited: staging, committed: deployed}}';
const CHANGE_LIST = `
          kind: enum(created|changed|deleted) -- What happened
          resource: str -- Kind of object
          key: str -- Its name
          fields: str[] -- Settings that differ`;
const ACTIONS = `
    ops: crud
    actions:
      commit: {at: collection, does: make the changes take effect, derive: {stage: commit}, result: {version: "int! -- Number", changes: "int! -- How many"}}
      discard: {at: collection, does: undo the changes, derive: {stage: discard}, result: {changes: "int! -- How many"}}
      changes: {at: collection, does: list the changes, capability: read, derive: {stage: list}, result: {items: "obj(Change)[]! -- What waits"}}
      rollback: {at: collection, does: return to an earlier commit, derive: {stage: rollback}, input: {version: "int(0..)! -- Commit"}, result: {changes: "int! -- How many"}}
`;
const HEAD = `staged: true\nobjects:\n        Change: ${CHANGE_LIST}\n`;

function staged(stage = VIEW, actions = ACTIONS): ModelTestbed {
  return modelTestbed(VLANS + actions, { stage, async: ASYNC }, HEAD);
}

const names = (testbed: ModelTestbed, view = ''): string[] =>
  (testbed.call('GET', `/api/vlans${view}`).json['items'] as { name: string }[]).map((row) => row.name);
const changes = (testbed: ModelTestbed): unknown => testbed.call('POST', '/api/vlans/changes').json['items'];

describe('a staged write', () => {
  it('is seen at once as edited, and as committed only after the commit', () => {
    const testbed = staged();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    expect([names(testbed), names(testbed, '?state=staging'), names(testbed, '?state=deployed')]).toEqual([
      ['guests'],
      ['guests'],
      [],
    ]);
    expect(testbed.call('POST', '/api/vlans/commit').json).toEqual({ version: 1, changes: 1 });
    expect(names(testbed, '?state=deployed')).toEqual(['guests']);
    testbed.call('PATCH', '/api/vlans/guests', { mtu: 9000 });
    expect(testbed.call('GET', '/api/vlans/guests').json['mtu']).toBe(9000);
    expect(testbed.call('GET', '/api/vlans/guests?state=deployed').json['mtu']).toBe(1500);
    expect(testbed.call('GET', '/api/vlans/guests').json['mtu']).toBe(9000);
    testbed.call('DELETE', '/api/vlans/guests');
    expect([names(testbed), names(testbed, '?state=deployed')]).toEqual([[], ['guests']]);
  });

  it('is listed with the settings that differ, and never with a secret', () => {
    const testbed = staged();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans', { name: 'staff', number: 30 });
    testbed.call('POST', '/api/vlans/commit');
    testbed.call('PATCH', '/api/vlans/guests', { mtu: 9000, passphrase: 'not-a-real-one' });
    testbed.call('DELETE', '/api/vlans/staff');
    testbed.call('POST', '/api/vlans', { name: 'voice', number: 40 });
    expect(changes(testbed)).toEqual([
      { kind: 'changed', resource: 'vlans', key: 'guests', fields: ['mtu', 'passphrase'] },
      { kind: 'deleted', resource: 'vlans', key: 'staff', fields: expect.arrayContaining(['number']) },
      { kind: 'created', resource: 'vlans', key: 'voice', fields: expect.arrayContaining(['number']) },
    ]);
    expect(JSON.stringify(changes(testbed))).not.toContain('not-a-real-one');
  });

  it('that was undone by hand is no change', () => {
    const testbed = staged();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('DELETE', '/api/vlans/guests');
    expect(changes(testbed)).toEqual([]);
    expect(testbed.call('POST', '/api/vlans/commit').json).toEqual({ version: 0, changes: 0 });
  });

  it('goes with a discard, as if it had never been', () => {
    const testbed = staged();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans/commit');
    const before = testbed.call('GET', '/api/vlans/guests').body;
    testbed.call('PATCH', '/api/vlans/guests', { mtu: 9000 });
    testbed.call('PATCH', '/api/vlans/guests', { mtu: 1400 });
    testbed.call('POST', '/api/vlans', { name: 'voice', number: 40 });
    expect(testbed.call('POST', '/api/vlans/discard').json).toEqual({ changes: 2 });
    expect(names(testbed)).toEqual(['guests']);
    expect(testbed.call('GET', '/api/vlans/guests').body).toBe(before);
  });
});

describe('a rollback', () => {
  it('brings back the state of the commit it names, as a commit of its own', () => {
    const testbed = staged();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans/commit');
    testbed.call('PATCH', '/api/vlans/guests', { mtu: 9000 });
    testbed.call('POST', '/api/vlans', { name: 'voice', number: 40 });
    testbed.call('POST', '/api/vlans/commit');
    testbed.call('DELETE', '/api/vlans/guests');
    expect(testbed.call('POST', '/api/vlans/rollback', { version: 1 }).json).toEqual({ changes: 2 });
    expect(names(testbed, '?state=deployed')).toEqual(['guests']);
    expect(testbed.call('GET', '/api/vlans/guests').json['mtu']).toBe(1500);
    testbed.call('POST', '/api/vlans/rollback', { version: 2 });
    expect(names(testbed)).toEqual(['guests', 'voice']);
  });

  it('to a commit that never was is refused', () => {
    const answer = staged().call('POST', '/api/vlans/rollback', { version: 3 });
    expect([answer.status, answer.json['message']]).toEqual([
      404,
      'version: expected one of 0 to 0, the commits of this stage, got 3',
    ]);
  });
});

describe('a stage of its own', () => {
  const keyed = `${ACTIONS}    query: {create: {path: "str(1..64)=/top -- Place"}, action: {path: "str(1..64)=/top -- Place"}}\n`;

  it('belongs to each value of its parameter', () => {
    const testbed = staged('{key: path}', keyed);
    testbed.call('POST', '/api/vlans?path=/top/one', { name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans', { name: 'staff', number: 30 });
    expect(testbed.call('POST', '/api/vlans/discard?path=/top/one').json).toEqual({ changes: 1 });
    expect(names(testbed)).toEqual(['staff']);
    expect(testbed.call('POST', '/api/vlans/commit').json).toEqual({ version: 1, changes: 1 });
    expect(testbed.call('POST', '/api/vlans/commit?path=/top/one').json).toEqual({ version: 0, changes: 0 });
  });
});

describe('a commit that takes its time', () => {
  const slow = `
    ops: crud
    actions:
      deploy: {at: collection, title: deployment, does: make the changes take effect, async: true, derive: {stage: commit}, result: {version: "int! -- Number", changes: "int! -- How many"}}
`;

  it('takes effect when its task completes', () => {
    const testbed = staged(VIEW, slow);
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const started = testbed.call('POST', '/api/vlans/deploy');
    const poll = () => testbed.call('GET', String(started.headers['location'])).json;
    expect([started.status, poll()['state'], names(testbed, '?state=deployed')]).toEqual([202, 'ACTIVE', []]);
    expect(poll()).toMatchObject({ state: 'DONE', found: { version: 1, changes: 1 } });
    expect(names(testbed, '?state=deployed')).toEqual(['guests']);
  });
});

describe('what follows from a stage', () => {
  const around = `
    ops: crud
    actions: {commit: {at: collection, does: make it take effect, derive: {stage: commit}, input: {description: "str(1..40) -- Reason"}}}
  pending:
    noun: [pending change, pending changes]
    aliases: [open edit]
    questions: [what waits]
    distinguish: not yet in effect
    key: id str ro -- Change
    ops: list
    derive: {stage: list}
    fields: {operation: "enum(ADD|UPDATE|REMOVE)! -- What happened", objectType: "str! -- Kind", objectId: "str! -- Name", at: "datetime! -- Since"}
  versions:
    noun: [version, versions]
    aliases: [revision]
    questions: [what was committed]
    distinguish: one commit
    key: number int(1..) ro -- Number
    ops: read
    derive: {stage: versions}
    fields: {at: "datetime! -- Moment", changes: "int! -- How many", deleted: "int! -- How many went", description: "str null -- Reason", author: "str! -- Who", errors: "str[]! -- What failed", objects: "str[]! -- What changed"}
    actions: {restore: {does: return to it, derive: {stage: rollback}}}
  difference:
    noun: [difference, differences]
    aliases: [diff]
    questions: [what differs]
    distinguish: edited against committed
    singleton: true
    ops: G
    fields: {pending: "bool! -- Whether anything waits", changes: "obj(Change)[]! -- What waits"}
    overrides: {singleton-get: {derive: {stage: diff}}}
  release:
    noun: [release, releases]
    aliases: [deployment]
    questions: [how is it deployed]
    distinguish: what is in effect
    singleton: true
    ops: GR
    fields: {note: "str(1..40)! -- Reason", version: "int ro -- In effect"}
    overrides: {singleton-put: {derive: {stage: commit}}}
`;
  const opened = (): ModelTestbed => staged(VIEW, around);

  it('is listed where a model says so, and is empty again after the commit', () => {
    const testbed = opened();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('PATCH', '/api/vlans/guests', { mtu: 9000 });
    const difference = { kind: 'created', resource: 'vlans', key: 'guests', fields: expect.any(Array) };
    expect(testbed.call('GET', '/api/difference').json).toEqual({ pending: true, changes: [difference] });
    expect(testbed.call('GET', '/api/pending').json['items']).toEqual([
      { id: 'vlans:guests', operation: 'ADD', objectType: 'vlans', objectId: 'guests', at: '2026-03-02T09:00:01Z' },
    ]);
    expect(testbed.call('PUT', '/api/release', { note: 'guests' }).json).toEqual({ note: 'guests', version: 1 });
    expect(testbed.call('GET', '/api/pending').json['items']).toEqual([]);
    expect(testbed.call('GET', '/api/difference').json).toEqual({ pending: false, changes: [] });
  });

  it('is one version per commit, which can be read and returned to', () => {
    const testbed = opened();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    testbed.call('POST', '/api/vlans/commit', { description: 'first' });
    testbed.call('DELETE', '/api/vlans/guests');
    testbed.call('POST', '/api/vlans/commit', { description: 'no guests any more' });
    expect(testbed.call('GET', '/api/versions/2').json).toEqual({
      number: 2,
      at: '2026-03-02T09:00:03Z',
      changes: 1,
      deleted: 1,
      description: 'no guests any more',
      author: 'demo',
      errors: [],
      objects: ['vlans/guests'],
    });
    expect(testbed.call('GET', '/api/versions/3').status).toBe(404);
    expect(testbed.call('POST', '/api/versions/1/restore').status).toBe(204);
    expect([names(testbed), names(testbed, '?state=deployed')]).toEqual([['guests'], ['guests']]);
  });
});

describe('snapshots and hashes', () => {
  it('hold what is pending and what was committed', () => {
    const testbed = staged();
    const empty = testbed.state.hash();
    testbed.call('POST', '/api/vlans', { name: 'guests', number: 20 });
    const saved = testbed.state.save();
    const pending = testbed.state.hash();
    testbed.call('POST', '/api/vlans/commit');
    expect(testbed.state.hash()).not.toBe(pending);
    testbed.state.restore(saved);
    expect([testbed.state.hash(), names(testbed, '?state=deployed')]).toEqual([pending, []]);
    expect(pending).not.toBe(empty);
    expect(testbed.call('POST', '/api/vlans/discard').json).toEqual({ changes: 1 });
  });
});

describe('the control port', () => {
  it('shows state as edited, and as committed when asked', async () => {
    const testbed = staged();
    await using fake = await startFakeApi({
      documents: new Map([['demo', new Map(Object.entries(testbed.documents))]]),
      fixture: 'tiny',
    });
    const shown = async (view: string) => {
      const answer = await fetch(`${fake.control}/namespaces/default/state?platform=demo&resource=vlans&view=${view}`);
      return (await answer.json()) as { items?: { name: string }[]; message?: string };
    };
    const before = (await shown('edited')).items?.map((row) => row.name) ?? [];
    const body = JSON.stringify({ name: 'guests', number: 4094 });
    const headers = { authorization: 'Bearer demo-token', 'content-type': 'application/json' };
    await fetch(`${fake.platforms['demo']}/api/vlans`, { method: 'POST', headers, body });
    expect((await shown('edited')).items?.map((row) => row.name).sort()).toEqual([...before, 'guests'].sort());
    expect((await shown('committed')).items?.map((row) => row.name)).toEqual(before);
    expect((await shown('wished')).message).toBe('view: expected edited or committed, got "wished"');
  });
});
