import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { MASK } from '../telemetry/redact.ts';
import { type Effect, effectOf, impactOf as impactFor, withoutSecrets } from './impact.ts';
import type { TargetRead } from './write-target.ts';

const tool = (change: Partial<Tool>): Tool =>
  ({
    method: 'PATCH',
    path: '/things/{id}',
    reader: 'get_thing',
    secrets: [],
    line: 'Change a thing',
    ...change,
  }) as Tool;
const found = (object: unknown): TargetRead => ({ kind: 'found', source: 'GET /things/1', object, etag: undefined });
const source = 'GET /things/1';
const impactOf = (of: Tool, effect: Effect, read: TargetRead, body: unknown, writable?: ReadonlySet<string>) =>
  impactFor(of, effect, read, body, 'person', writable);

test.each([
  ['PATCH with a read of its own', tool({}), false, 'changes'],
  ['PUT', tool({ method: 'PUT' }), false, 'replaces'],
  ['PUT that takes no body', tool({ method: 'PUT', path: '/transactions/{id}', body: null }), false, 'acts'],
  ['PATCH that takes no body', tool({ body: null }), false, 'acts'],
  ['DELETE', tool({ method: 'DELETE', body: null }), false, 'removes'],
  ['DELETE of a member that no read shows', tool({ method: 'DELETE', reader: undefined as never }), false, 'acts'],
  ['POST with the key in its path', tool({ method: 'POST' }), false, 'creates'],
  ['POST to a singleton', tool({ method: 'POST', path: '/settings' }), false, 'changes'],
  ['POST to a list', tool({ method: 'POST', path: '/things', reader: undefined as never }), true, 'creates'],
  [
    'POST below an object',
    tool({ method: 'POST', path: '/things/{id}/reboot', reader: undefined as never }),
    false,
    'acts',
  ],
])('%s', (_, subject, lists, effect) => {
  expect(effectOf(subject, lists)).toBe(effect);
});

test('every field that changes is named with its old and its new value, however deep; equal ones are not', () => {
  const before = { name: 'a', radio: { power: { min: 5, max: 20 }, band: '5' }, vlan: 10 };
  const body = { radio: { power: { min: 5, max: 17 } }, vlan: null, note: 'x' };
  expect(impactOf(tool({}), 'changes', found(before), body)).toEqual({
    source,
    would_add: [{ field: 'note', to: 'x' }],
    would_change: [
      { field: 'radio.power.max', from: 20, to: 17 },
      { field: 'vlan', from: 10, to: null },
    ],
  });
  expect(impactOf(tool({}), 'changes', found(before), { vlan: 10 })).toEqual({ source, unchanged: true });
});

const STEPS = [
  { op: 'test', path: '/name', value: 'old' },
  { op: 'replace', path: '/name', value: 'new' },
  { op: 'remove', path: '/note' },
  { op: 'add', path: '/labels/a~1b', value: 'x' },
  { op: 'add', path: '/ports/0', value: { id: 1 } },
  { op: 'move', from: '/vlan', path: '/tag' },
];
const SWITCH = { name: 'old', note: 'n', labels: {}, ports: [{ id: 2 }], vlan: 5 };

test.each([
  ['bare', SWITCH],
  ['inside of an envelope', { data: { id: 7, ...SWITCH } }],
])('the steps of a JSON patch are told by what they do to the object, %s', (_, answer) => {
  expect(impactOf(tool({}), 'changes', found(answer), STEPS)).toEqual({
    source,
    would_add: [
      { field: 'labels.a/b', to: 'x' },
      { field: 'tag', to: 5 },
    ],
    would_change: [
      { field: 'name', from: 'old', to: 'new' },
      { field: 'ports', from: [{ id: 2 }], to: [{ id: 1 }, { id: 2 }] },
    ],
    would_remove: [
      { field: 'note', from: 'n' },
      { field: 'vlan', from: 5 },
    ],
  });
});

test.each([
  ['a place that is not there', { op: 'remove', path: '/gone' }],
  ['an entry past the end', { op: 'add', path: '/ports/5', value: {} }],
  ['an entry that is no number', { op: 'remove', path: '/ports/length' }],
  ['a test that fails', { op: 'test', path: '/name', value: 'other' }],
  ['a move without a place', { op: 'move', path: '/tag' }],
])('a step that does not fit is only sent: %s', (_, step) => {
  expect(impactOf(tool({}), 'changes', found(SWITCH), [step])).toEqual({
    source,
    would_send: [{ field: '[0]', to: step }],
    warning: expect.stringMatching(/^unknown: a step does not fit/),
  });
});

test('a merge patch is told by what it merges: an empty object changes nothing, and null takes away', () => {
  const merge = tool({ body: { required: true, contentType: 'application/merge-patch+json' } });
  const before = { limits: { up: 1, down: { peak: 2, mean: 1 } }, note: 'keep', tags: ['a'] };
  const impact = (body: unknown) => impactOf(merge, 'changes', found(before), body);
  expect(impact({ limits: {} })).toEqual({ source, unchanged: true });
  expect(impact({ gone: null })).toEqual({ source, unchanged: true });
  expect(impact({ limits: { up: 5, down: null }, note: null, tags: [], label: {} })).toEqual({
    source,
    would_add: [{ field: 'label', to: {} }],
    would_change: [
      { field: 'limits.up', from: 1, to: 5 },
      { field: 'tags', from: ['a'], to: [] },
    ],
    would_remove: [
      { field: 'limits.down.peak', from: 2 },
      { field: 'limits.down.mean', from: 1 },
      { field: 'note', from: 'keep' },
    ],
  });
});

test('a step that changes nothing says so, and one that sets a secret repeats it to no agent', () => {
  const same = [{ op: 'replace', path: '/vlan', value: 5 }];
  expect(impactOf(tool({}), 'changes', found(SWITCH), same)).toEqual({ source, unchanged: true });
  const secret = [{ op: 'add', path: '/snmp/password', value: 'not-for-agents' }];
  const shown = impactFor(tool({}), 'changes', found({ snmp: {}, token: 'held' }), secret, 'agent');
  expect(shown.would_change).toEqual([{ field: 'snmp.password', from: MASK, to: '*'.repeat(14) }]);
  expect(withoutSecrets(secret, tool({}))).toEqual([{ op: 'add', path: '/snmp/password', value: '*'.repeat(14) }]);
});

test('an empty object in place of one takes away all of it', () => {
  const before = { blog: { port: 80 }, wiki: { port: 81 } };
  expect(impactOf(tool({ method: 'PUT' }), 'replaces', found(before), {})).toEqual({
    source,
    would_remove: [
      { field: 'blog.port', from: 80 },
      { field: 'wiki.port', from: 81 },
    ],
  });
});

test.each([
  ['a text', 'old', 'new'],
  ['a number', 5, 6],
  ['a switch', true, false],
  ['a list', [1, 2], [2]],
])('%s in place of another is a change of the whole', (_, from, to) => {
  const put = tool({ method: 'PUT' });
  const would_change = [{ field: 'value', from, to }];
  expect(impactOf(put, 'replaces', found(from), to)).toEqual({ source, would_change });
  expect(impactOf(put, 'replaces', found(from), from)).toEqual({ source, unchanged: true });
});

test.each([
  ['a text beside an object', 'PUT', 'replaces', 'new', [{ field: 'value', to: 'new' }]],
  ['a list beside an object', 'PUT', 'replaces', [{ id: 1 }], [{ field: '[0]', to: { id: 1 } }]],
] as const)('of %s only what is sent is told', (_, method, effect, body, would_send) => {
  const warning = expect.stringMatching(/^unknown: what is sent cannot be compared/);
  expect(impactOf(tool({ method }), effect, found({ name: 'old' }), body)).toEqual({ source, would_send, warning });
});

test('entries of a list that a change names say nothing of the others', () => {
  const body = [{ id: 1, name: 'new' }];
  expect(impactOf(tool({}), 'changes', found([{ id: 1, name: 'old' }, { id: 2 }]), body)).toEqual({
    source,
    would_send: [{ field: '[0]', to: { id: 1, name: 'new' } }],
    warning: expect.stringMatching(/^unknown: /),
  });
});

const WRITABLE = new Set(['name', 'description']);
const HOST = { name: 'old', description: 'd' };

test.each([
  ['an only field', { data: HOST }],
  ['a result beside its success', { success: true, result: HOST }],
  ['a list of one', { data: [HOST] }],
  ['a list of one beside what went wrong', { errors: [], data: [HOST] }],
  ['an envelope in an envelope', { status: 200, response: { data: HOST } }],
  ['a field of its own noun', { thing: HOST, took: 3 }],
  ['a bare list of one', [HOST]],
  ['an answer that repeats its HTTP status', { type: 'sync', status: 'Success', status_code: 200, metadata: HOST }],
])('an object inside of %s is compared as the bare object is', (_, answer) => {
  const put = tool({ method: 'PUT' });
  for (const writable of [undefined, WRITABLE])
    expect(impactOf(put, 'replaces', found(answer), { name: 'new' }, writable)).toEqual({
      source,
      would_change: [{ field: 'name', from: 'old', to: 'new' }],
      would_remove: [{ field: 'description', from: 'd' }],
    });
  expect(impactOf(tool({}), 'changes', found(answer), HOST)).toEqual({ source, unchanged: true });
  const move = tool({ method: 'POST', path: '/things/{id}/move' });
  expect(impactOf(move, 'acts', found(answer), { name: 'new' }).would_change).toHaveLength(1);
});

test('a delete shows the fields of the object inside, and of nothing less than the object', () => {
  const removed = (answer: unknown) =>
    impactOf(tool({ method: 'DELETE' }), 'removes', found(answer), undefined).would_remove?.map(({ field }) => field);
  expect(removed({ success: true, result: HOST })).toEqual(['name', 'description']);
  expect(removed({ id: 5, name: 'x', data: { name: 'y' } })).toEqual(['id', 'name', 'data.name']);
  expect(removed({ title: 'x', owner: { name: 'y' } })).toEqual(['title', 'owner.name']);
});

test('a field that the object lacks is added, although something inside of it has one of that name', () => {
  const added = (object: unknown, body: unknown, writable?: ReadonlySet<string>) =>
    impactOf(tool({}), 'changes', found(object), body, writable);
  const would_add = [{ field: 'name', to: 'new' }];
  expect(added({ id: 5, owner: { name: 'Ada' } }, { name: 'new' })).toEqual({ source, would_add });
  expect(added({ description: 'd', owner: { name: 'Ada' } }, { name: 'new' }, WRITABLE)).toEqual({ source, would_add });
  expect(added({ data: { description: 'd' } }, { name: 'new' }, WRITABLE)).toEqual({ source, would_add });
  const own = new Set(['name', 'data']);
  expect(added({ id: 5, data: { name: 'Ada' } }, { name: 'new' }, own)).toEqual({ source, would_add });
});

test.each([
  ['several rows', { data: [HOST, HOST] }],
  ['several objects', { data: HOST, result: HOST }],
  ['something that no envelope is called', { owner: HOST, at: 3 }],
  ['something without a letter in its name', { 主: HOST, at: 3 }],
  ['something beside an identifier', { id: 5, data: HOST }],
])('where the object may be in %s, nothing is said to be added', (_, answer) => {
  expect(impactOf(tool({}), 'changes', found(answer), { name: 'new' })).toEqual({
    source,
    would_send: [{ field: 'name', to: 'new' }],
    warning: expect.stringMatching(/^unknown: /),
  });
});

test('a create says that the object is there already, also where it may be one of several', () => {
  const answer = { data: [HOST, HOST] };
  expect(impactOf(tool({ method: 'POST' }), 'creates', found(answer), { name: 'new' })).toEqual({
    source,
    would_send: [{ field: 'name', to: 'new' }],
    warning: expect.stringMatching(/^the object already exists; unknown: /),
  });
});

test('what is replaced by another kind of value is a change, and nothing below it is named again', () => {
  const put = tool({ method: 'PUT' });
  expect(impactOf(put, 'replaces', found({ a: { b: 1 }, c: 2 }), { a: null })).toEqual({
    source,
    would_change: [{ field: 'a', from: { b: 1 }, to: null }],
    would_remove: [{ field: 'c', from: 2 }],
  });
  expect(impactOf(put, 'replaces', found({ a: 1, uptime: 7 }), { b: 2 }, new Set(['a', 'b'])).would_remove).toEqual([
    { field: 'a', from: 1 },
  ]);
});

test('fields are added where a read says that nothing is there, and only sent where nothing was read', () => {
  const create = tool({ method: 'POST' });
  const fields = [{ field: 'id', to: 20 }];
  expect(impactOf(create, 'creates', { kind: 'missing', source }, { id: 20 })).toEqual({ source, would_add: fields });
  expect(impactOf(create, 'creates', { kind: 'none' }, { id: 20 })).toEqual({
    source: 'the request alone',
    would_send: fields,
  });
});

test('an action sets fields of its target, adds none and never leaves it unchanged', () => {
  const move = tool({ method: 'POST', path: '/things/{id}/move', line: 'Move a thing' });
  expect(impactOf(move, 'acts', found({ group: 'north' }), { group: 'south', reason: 'x' })).toEqual({
    source,
    does: 'Move a thing',
    would_change: [{ field: 'group', from: 'north', to: 'south' }],
  });
  expect(impactOf(move, 'acts', found({ group: 'south' }), { group: 'south' })).toEqual({
    source,
    does: 'Move a thing',
  });
});

const SECRETS = { key: 'new-key', login: { password: 'new-password' }, users: [{ name: 'a', psk: 'new-psk' }] };
const HELD = { key: 'old-key', psk: 'old-psk', login: { password: 'old-password' } };

test('secrets of the platform are masked, the caller’s own are shown to the person as sent', () => {
  const keep = tool({ secrets: ['key'] });
  expect(impactOf(keep, 'changes', found(HELD), SECRETS)).toMatchObject({
    would_add: [{ field: 'users', to: SECRETS.users }],
    would_change: [
      { field: 'key', from: '******', to: 'new-key' },
      { field: 'login.password', from: '******', to: 'new-password' },
    ],
  });
  const removed = impactOf(tool({ method: 'DELETE', secrets: ['key'] }), 'removes', found(HELD), undefined);
  expect(JSON.stringify(removed)).not.toMatch(/old-/);
});

test('a secret that the read of the object does not show is no new one: the platform may hold one', () => {
  const keep = tool({ secrets: ['key'] });
  expect(impactOf(keep, 'changes', found({ name: 'a' }), { key: 'new-key', note: 'x' })).toEqual({
    source,
    would_add: [{ field: 'note', to: 'x' }],
    would_change: [{ field: 'key', to: 'new-key' }],
  });
  expect(impactOf(keep, 'creates', { kind: 'missing', source }, { key: 'new-key' })).toEqual({
    source,
    would_add: [{ field: 'key', to: 'new-key' }],
  });
});

test('an answer to the agent repeats no secret, only its length', () => {
  const impact = impactFor(tool({ secrets: ['key'] }), 'changes', found(HELD), SECRETS, 'agent');
  expect(impact).toMatchObject({
    would_add: [{ field: 'users', to: [{ name: 'a', psk: '*******' }] }],
    would_change: [
      { field: 'key', from: '******', to: '*******' },
      { field: 'login.password', from: '******', to: '************' },
    ],
  });
});

test('a secret of six letters in a list is told to the agent as a change', () => {
  const users = (psk: string, more = '') =>
    Array.from({ length: 6 }, (_, at) => ({ id: at, psk, note: `note ${at}${more}` }));
  for (const held of [users('old-psk'), users('old-psk', ' of a list that is too long to be shown twice')]) {
    const sent = held.map((user) => ({ ...user, psk: 'n3w-66' }));
    const { unchanged, would_change } = impactFor(
      tool({}),
      'changes',
      found({ users: held }),
      { users: sent },
      'agent',
    );
    expect([unchanged, would_change?.length]).toEqual([undefined, 1]);
    expect(JSON.stringify(would_change)).toContain('psk');
  }
});

test('what is not shown is counted, and a cut value says how long it is', () => {
  const body = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, i]));
  const many = impactOf(tool({}), 'changes', found({}), body);
  expect(many.would_add).toHaveLength(50);
  expect(many.not_shown).toBe(10);
  const long = `${'a'.repeat(400)}X${'b'.repeat(400)}`;
  const { would_change } = impactOf(tool({}), 'changes', found({ text: long.replace('X', 'Y') }), { text: long });
  expect(would_change?.[0]?.from, 'the place where they differ is in sight').toContain('Y');
  expect(would_change?.[0]?.to).toMatch(/aXb.*… \[160 of 801 characters shown\]$/);
});

test('a long list is told by what comes and goes, or by its order', () => {
  const rules = Array.from({ length: 30 }, (_, i) => ({ position: i, action: 'deny', from: `10.0.${i}.0/24` }));
  const more = { position: 30, action: 'allow', from: '0.0.0.0/0' };
  expect(impactOf(tool({}), 'changes', found({ rules }), { rules: [more, ...rules.slice(1)] }).would_change).toEqual([
    { field: 'rules', from: '30 entries', to: '30 entries', added: [more], removed: [rules[0]] },
  ]);
  expect(impactOf(tool({}), 'changes', found({ rules }), { rules: [...rules].reverse() }).would_change).toEqual([
    { field: 'rules', from: '30 entries', to: '30 entries in another order' },
  ]);
});

test('fields that no entry of a long list is sent with are told once and hide no change', () => {
  const ports = Array.from({ length: 24 }, (_, i) => ({ id: i, name: `eth${i}`, vlan: 1, live: { up: true, rx: i } }));
  const sent = ports.map(({ name, vlan }) => ({ name, vlan: name === 'eth23' ? 30 : vlan }));
  expect(impactOf(tool({}), 'changes', found({ ports }), { ports: sent }).would_change).toEqual([
    {
      field: 'ports',
      from: '24 entries',
      to: '24 entries',
      changed: [{ name: 'eth23', field: 'vlan', from: 1, to: 30 }],
      left_out: ['id', 'live.up', 'live.rx'],
    },
  ]);
  const [first, ...rest] = sent;
  const dotted = [{ ...first, 'a.b': 1, a: { b: 2 } }, ...rest];
  const after = [{ ...first, 'a.b': 3, a: { b: 2 } }, ...rest];
  expect(impactOf(tool({}), 'changes', found({ dotted }), { dotted: after }).would_change).toMatchObject([
    { changed: [{ name: 'eth0', field: 'a.b', from: 1, to: 3 }] },
  ]);
});

test('of a long list whose entries have names, the fields of an entry are told', () => {
  const rules = Array.from({ length: 30 }, (_, i) => ({
    id: `r${i}`,
    action: 'deny',
    match: { from: `10.0.${i}.0/24` },
  }));
  const [first, second, third, ...rest] = rules;
  const sent = [second, { ...first, action: 'allow', log: true }, ...rest];
  expect(impactOf(tool({}), 'changes', found({ rules }), { rules: sent }).would_change).toEqual([
    {
      field: 'rules',
      from: '30 entries',
      to: '29 entries in another order',
      changed: [
        { id: 'r0', field: 'action', from: 'deny', to: 'allow' },
        { id: 'r0', field: 'log', to: true },
      ],
      removed: [third],
    },
  ]);
  const twice = [...rules, first];
  expect(impactOf(tool({}), 'changes', found({ rules }), { rules: twice }).would_change).toEqual([
    { field: 'rules', from: '30 entries', to: '31 entries', added: [first] },
  ]);
});

test('an object that could not be read is unknown, one that is not there is added', () => {
  expect(impactOf(tool({}), 'changes', { kind: 'unknown', source, why: 'the platform answered 500' }, {})).toEqual({
    source,
    warning: 'unknown: the platform answered 500',
  });
  expect(impactOf(tool({ method: 'POST' }), 'creates', { kind: 'missing', source }, { a: { b: 1 } })).toEqual({
    source,
    would_add: [{ field: 'a.b', to: 1 }],
  });
});

test('an SNMP community is repeated to no agent, and one of BGP is', () => {
  const body = { snmp: { v2: { community: 'not-for-agents' } }, bgp: { community: '65000:1' } };
  expect(withoutSecrets(body, tool({}))).toEqual({
    snmp: { v2: { community: '*'.repeat(14) } },
    bgp: { community: '65000:1' },
  });
  const shown = impactFor(tool({}), 'changes', found({ snmp: { v2: { community: MASK } } }), body, 'agent');
  expect(JSON.stringify(shown)).not.toContain('not-for-agents');
});
