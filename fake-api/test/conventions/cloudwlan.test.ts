/** The cloud WLAN: bare arrays with totals in headers, searches with a cursor, short errors, no announced limits. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, operation, play, onePerPage } = await waysTestbed('cloudwlan');

it('wants its own word before the token', () => {
  const refused = stranger(open()).get('/api/v1/msps');
  expect([refused.status, refused.json]).toEqual([
    401,
    { detail: 'header "Authorization": expected an API token, got nothing' },
  ]);
  const bearer = stranger(open()).get('/api/v1/msps', { authorization: 'Bearer demo-token' });
  expect(bearer.json).toEqual({ detail: 'header "Authorization": expected "Token <token>", got another form' });
});

it('answers a list as a bare array, with the totals in headers', () => {
  const client = open();
  const { pages, entries } = onePerPage(client, 'listMsps', '/api/v1/msps');
  expect(pages.filter(({ json }) => (json as unknown[]).length === 1)).toHaveLength(entries.length);
  const whole = client.get('/api/v1/msps');
  expect(whole.headers).toMatchObject({
    'x-page-total': `${entries.length}`,
    'x-page-limit': '100',
    'x-page-page': '1',
  });
  expect(pages[1]!.headers).toMatchObject({ 'x-page-limit': '1', 'x-page-page': '2' });
  expect(entries).toEqual(whole.json);
});

it('searches with a cursor, a window and a total', () => {
  const client = open();
  const search = operation('searchOrgDevices');
  const path = play(client, search.id).path;
  const { pages, entries } = onePerPage(client, search.id, path);
  const whole = client.get(path).json as { results: unknown[]; total: number };
  expect(whole).toMatchObject({ next: null, start: expect.any(String), end: '2026-03-02T09:00:00Z' });
  expect([entries.length, pages.length]).toEqual([whole.total, Math.max(1, whole.total)]);
});

it('changes by whole replacement with 200, and deletes with 200', () => {
  const client = open();
  const created = play(client, 'createOrgSiteGroup');
  const group = created.json as { sitegroup_id: string; name: string };
  const item = `${created.path}/${group.sitegroup_id}`;
  expect([created.status, group.sitegroup_id]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(client.call('PUT', item, { name: 'north' }).status).toBe(200);
  expect(client.get(item).json).toHaveProperty('name', 'north');
  expect(client.platform.operations.filter(({ kind }) => kind === 'patch')).toHaveLength(0);
  expect(client.call('DELETE', item).status).toBe(200);
  expect(client.get(item)).toMatchObject({
    status: 404,
    json: { detail: expect.stringContaining('expected an existing one') },
  });
});

it('starts device tests with 200 and a session that collects the output', () => {
  const client = open();
  const started = play(client, 'startDeviceArpTable');
  const { session_id: id, location } = started.json as { session_id: string; location: string };
  expect([started.status, location]).toEqual([200, `${started.path}/sessions/${id}`]);
  expect(client.get(location).json).toMatchObject({ status: 'running' });
  expect(client.get(location).json).toMatchObject({ status: 'completed', progress: 100 });
});
