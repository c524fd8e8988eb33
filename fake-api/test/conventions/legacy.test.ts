/** The legacy controller: a session with a CSRF token, one POST for every write, refusals inside a 200, and a save. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';
import type { PlatformClient } from '../platform-client.ts';

const { open, onePerPage } = await waysTestbed('legacy');
const BASE = '/v1/configuration/object';
const VLANS = `${BASE}/vlan_id`;

const ids = (client: PlatformClient, query = ''): number[] =>
  (client.get(`${VLANS}${query}`).json as { _data: { vlan_id: { id: number }[] } })._data.vlan_id.map(({ id }) => id);

it('wants a session for reads and its CSRF token for writes', () => {
  const client = open();
  const session = client.pass;
  client.pass = { headers: {}, query: session.query };
  expect(client.get(VLANS).status).toBe(200);
  expect(client.call('POST', VLANS, { _action: 'add', id: 3999 })).toMatchObject({
    status: 401,
    json: { status: 401, status_str: 'header "X-CSRF-Token": expected the CSRF token of the session, got nothing' },
  });
  expect(stranger(client).get(VLANS).status).toBe(401);
  client.pass = session;
  expect(client.call('POST', '/v1/api/logout').status).toBeLessThan(300);
  expect(client.get(VLANS).status).toBe(401);
});

it('keeps the session id out of what is recorded', () => {
  const client = open();
  client.get(`${VLANS}?limit=1`);
  expect(client.records.at(-1)).toMatchObject({ query: 'limit=1' });
});

it('counts from one and tells counts beside the data', () => {
  const { pages, entries } = onePerPage(open(), 'listVlanIds', VLANS);
  expect(pages[0]!.json).toMatchObject({ _count: 1, _total: entries.length, _data: { vlan_id: [entries[0]] } });
  expect(entries.map(({ id }) => id)).toEqual(ids(open()));
  expect(ids(open(), '?limit=1&offset=2')).toEqual([entries[1]?.['id']]);
});

it('adds, changes and deletes by a word in the body, and refuses inside a success', () => {
  const client = open();
  const write = (body: object) => client.call('POST', VLANS, { id: 3999, ...body });
  const twice = [write({ _action: 'add' }), write({ _action: 'add' })];
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect(twice.map(({ json }) => (json as { _global_result: { status: number } })._global_result.status)).toEqual([
    0, 409,
  ]);
  write({ _action: 'modify', descr: 'cameras' });
  expect(client.get(`${VLANS}?limit=1000`).body).toContain('"descr":"cameras"');
  expect(write({ _action: 'delete' }).json).toMatchObject({ _result: { key: '3999', action: 'delete' } });
  expect(client.records.at(-1)).toMatchObject({ capability: 'destructive' });
  expect(ids(client)).not.toContain(3999);
  expect(write({ _action: 'delete' }).json).toMatchObject({ _global_result: { status: 404 } });
});

it('keeps changes pending per node until that node is saved', () => {
  const client = open();
  client.call('POST', `${VLANS}?config_path=/md/branch`, { _action: 'add', id: 3999 });
  const committed = () => ids(client, '?type=committed').includes(3999);
  const pending = (node: string) =>
    (client.get(`${BASE}/show_pending?config_path=${node}`).json as { changes: unknown[] }).changes;
  expect([pending('/md'), pending('/md/branch')]).toMatchObject([[], [{ kind: 'created', key: '3999' }]]);
  expect(client.call('POST', `${BASE}/write_memory?config_path=/md`).json).toMatchObject({ changes: 0 });
  expect(committed()).toBe(false);
  expect(client.call('POST', `${BASE}/write_memory?config_path=/md/branch`).json).toMatchObject({ changes: 1 });
  expect(committed()).toBe(true);
});

it('purges what is pending and rolls back what was saved', () => {
  const client = open();
  client.call('POST', VLANS, { _action: 'add', id: 3999 });
  expect(client.call('POST', `${BASE}/purge_pending`).json).toEqual({ changes: 1 });
  expect(ids(client)).not.toContain(3999);
  client.call('POST', VLANS, { _action: 'add', id: 3998 });
  client.call('POST', `${BASE}/write_memory`);
  expect(client.call('POST', `${BASE}/config_rollback`, { version: 0 }).json).toEqual({ changes: 1 });
  expect(ids(client, '?type=committed')).not.toContain(3998);
});
