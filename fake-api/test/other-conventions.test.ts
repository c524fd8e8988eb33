/** Ways to an object beside its own path: a second field, a shape at another place, parts, bulk, references, history. */
import { describe, expect, it } from 'vitest';
import { judgedTestbed } from './judged-testbed.ts';

const common =
  '  aliases: [part]\n  questions: [what is here]\n  distinguish: one of several kinds\n  impact: it is gone\n';

const model = [
  'users:',
  '  noun: [user, users]',
  common,
  '  key: id int(1..) ro -- Number',
  '  also-by: [login]',
  '  ops: crud',
  '  references: true',
  '  history: true',
  '  bulk: [create, patch, delete]',
  '  fields:',
  '    login: str(1..20)! uniq list -- Name typed at the door',
  '    floor: int(0..9)=0 list -- Where the desk stands',
  '    addedAt: datetime ro -- Day of the contract',
  '  views:',
  '    presence: {title: presence, questions: [is he in], distinguish: seen today, fields: {seen: "bool -- At the door", floor: "int(0..9) -- Desk"}}',
  '    census: {at: collection, title: census, questions: [how many], distinguish: all of them, fields: {heads: "int(0..99)! -- People"}}',
  '  settings:',
  '    desk: {title: desk settings, ops: GP, questions: [which desk], distinguish: where he sits, fields: {row: "int(1..9)! -- Line of desks", lamp: "bool=true -- Light on it"}}',
  '    badge: {title: badge settings, questions: [which badge], distinguish: what is printed, fields: {colour: "enum(red|blue)! -- Print", text: "str(1..9)=guest -- Words"}}',
  'keys:',
  '  noun: [key, keys]',
  common,
  '  key: tag str(1..9) -- Number on the key',
  '  ops: LGCPD',
  '  fields:',
  '    owner: ref(users.login)! list -- Who carries it',
  '    doors: int(1..9)! list -- Doors it opens',
  'floor-keys:',
  '  like: keys',
  '  noun: [floor key, floor keys]',
  common,
  '  path: floors/{floor}/keys/{tag}',
  '  parameters: {floor: "int(0..9) -- Storey"}',
  '  ops: LGCD',
].join('\n');

function testbedOf() {
  const testbed = judgedTestbed(
    model.replace(/\n+/g, '\n'),
    'case: camel\ncreate: {location: true}\nlist: {extras: [total]}',
  );
  const created = testbed.call('POST', '/api/users', { login: 'ada', floor: 3 });
  expect([created.status, created.headers['location']]).toEqual([201, '/api/users/1']);
  return testbed;
}

describe('a further unique field', () => {
  it('reads, changes, replaces and deletes the same object', () => {
    const testbed = testbedOf();
    expect(testbed.call('GET', '/api/users/login/ada').json).toMatchObject({ id: 1, floor: 3 });
    expect(testbed.call('PATCH', '/api/users/login/ada', { floor: 4 }).json).toMatchObject({ id: 1, floor: 4 });
    expect(testbed.call('PUT', '/api/users/login/ada', { login: 'eve' }).json).toMatchObject({ id: 1, floor: 0 });
    expect(testbed.call('GET', '/api/users/1').json).toMatchObject({ login: 'eve' });
    expect(testbed.call('DELETE', '/api/users/login/eve').status).toBe(204);
    expect(testbed.call('GET', '/api/users/1').status).toBe(404);
  });

  it('answers 404 with the field and the value that nobody has', () => {
    const { status, body } = testbedOf().call('GET', '/api/users/login/bob');
    expect([status, body]).toEqual([404, expect.stringContaining('users entry with login \\"bob\\"')]);
  });
});

describe('a shape at another place', () => {
  it('keeps rows of its own', () => {
    const testbed = testbedOf();
    expect(testbed.call('POST', '/api/floors/2/keys', { tag: 'k1', owner: 'ada', doors: 2 }).status).toBe(201);
    expect(testbed.call('GET', '/api/floors/2/keys').json).toMatchObject({ total: 1, items: [{ tag: 'k1' }] });
    expect(testbed.call('GET', '/api/floors/3/keys').json).toMatchObject({ total: 0 });
    expect(testbed.call('GET', '/api/keys').json).toMatchObject({ total: 0 });
  });
});

describe('parts of an object', () => {
  it('are there without being stored, and gone with the object', () => {
    const testbed = testbedOf();
    const presence = testbed.call('GET', '/api/users/1/presence');
    expect(presence.json).toMatchObject({ floor: 3 });
    expect(testbed.call('GET', '/api/users/1/presence').json).toEqual(presence.json);
    expect(testbed.call('GET', '/api/users/census').json).toHaveProperty('heads');
    expect(testbed.call('GET', '/api/users/2/presence').status).toBe(404);
  });

  it('are read back as they were written', () => {
    const testbed = testbedOf();
    expect(testbed.call('GET', '/api/users/1/badge').json).toHaveProperty('colour');
    expect(testbed.call('PUT', '/api/users/1/badge', { colour: 'red' }).status).toBe(200);
    expect(testbed.call('GET', '/api/users/1/badge').json).toEqual({ colour: 'red', text: 'guest' });
    expect(testbed.call('PUT', '/api/users/1/badge', { colour: 'green' }).status).toBe(400);
  });
});

it('a part that only changes starts from what it was', () => {
  const testbed = testbedOf();
  const before = testbed.call('GET', '/api/users/1/desk').json as { row: number };
  expect(testbed.call('PATCH', '/api/users/1/desk', { lamp: false }).json).toEqual({ row: before.row, lamp: false });
  expect(testbed.call('GET', '/api/users/1/desk').json).toEqual({ row: before.row, lamp: false });
});

describe('what is known about an object', () => {
  it('names whatever refers to it, by field', () => {
    const testbed = testbedOf();
    expect(testbed.call('GET', '/api/users/1/references').json).toEqual({ items: [] });
    testbed.call('POST', '/api/keys', { tag: 'k1', owner: 'ada', doors: 2 });
    expect(testbed.call('GET', '/api/users/1/references').json).toEqual({
      items: [{ resource: 'keys', key: 'k1', field: 'owner' }],
    });
  });

  it('names its revisions, the newest first, until it is gone', () => {
    const testbed = testbedOf();
    testbed.call('PATCH', '/api/users/1', { floor: 5 });
    expect(testbed.call('GET', '/api/users/1/history').json).toMatchObject({
      items: [
        { revision: 2, action: 'changed', fields: ['floor'], at: '2026-03-02T09:00:01Z' },
        { revision: 1, action: 'created', fields: ['floor', 'login'] },
      ],
    });
    testbed.call('DELETE', '/api/users/1');
    expect(testbed.call('GET', '/api/users/1/history').status).toBe(404);
  });
});

it('a bulk change has one outcome per entry', () => {
  const testbed = testbedOf();
  const items = [
    { id: 1, changes: { floor: 9 } },
    { id: 2, changes: { floor: 9 } },
  ];
  expect(testbed.call('PATCH', '/api/users/bulk', { items }).json).toMatchObject({
    done: 1,
    failed: 1,
    items: [
      { key: '1', status: 'done' },
      { key: '2', status: 'failed' },
    ],
  });
  expect(testbed.call('GET', '/api/users/1').json).toMatchObject({ floor: 9 });
  expect(testbed.call('PATCH', '/api/users/bulk', { items: [{ id: 1, changes: { floor: 99 } }] }).status).toBe(400);
});
