/** The SD-WAN orchestrator: bare arrays and maps, whole replacements, text for errors, one place to read every action. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, play } = await waysTestbed('sdwan');

it('says in plain text why it refuses', () => {
  const refused = stranger(open()).get('/rest/appliance');
  expect([refused.status, refused.headers['content-type'], refused.body]).toEqual([
    401,
    'text/plain',
    'header "X-Auth-Token": expected an API token, got nothing',
  ]);
  const missing = open().get('/rest/appliance/99999.NE');
  expect([missing.status, missing.body]).toEqual([404, expect.stringContaining('appliances entry "99999.NE"')]);
});

it('answers short lists whole, as an array', () => {
  const rows = open().get('/rest/appliance').json as { applianceId: string }[];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ applianceId }) => /^\d+\.NE$/.test(applianceId))).toBe(true);
  expect(open().get('/rest/appliance?limit=1').status).toBe(400);
});

it('answers what is kept per appliance as a map from its key', () => {
  const client = open();
  const keyed = client.platform.operations.find(({ kind, list }) => kind === 'list' && list?.shape === 'map');
  const map = play(client, keyed?.id ?? '').json as Record<string, object>;
  expect(Array.isArray(map)).toBe(false);
  expect(Object.values(map).every((entry) => typeof entry === 'object')).toBe(true);
  expect(Object.keys(map).length).toBeGreaterThan(0);
});

it('creates and replaces whole with 200 and deletes with 204', () => {
  const client = open();
  const created = play(client, 'createAddressGroup');
  expect(created.status).toBe(200);
  expect(client.platform.operations.filter(({ kind }) => kind === 'patch')).toHaveLength(0);
  const name = (created.json as { addressGroupName: string }).addressGroupName;
  const item = `${created.path}/${encodeURIComponent(name)}`;
  expect(client.get(item).json).toEqual(created.json);
  expect([client.call('DELETE', item).status, client.get(item).status]).toEqual([204, 404]);
});

it('gives a key for every action, read at one place', () => {
  const client = open();
  const started = play(client, 'startReportRun');
  const { guid } = started.json as { guid: string };
  expect([started.status, started.json]).toMatchObject([200, { taskStatus: 'QUEUED' }]);
  const read = () => client.get(`/rest/action-status/${guid}`).json;
  expect(read()).toMatchObject({ taskStatus: 'IN_PROGRESS', percentComplete: 50 });
  expect(read()).toMatchObject({ taskStatus: 'SUCCEEDED', percentComplete: 100, failureReason: null });
});
