/** The workspace platform: a workspace on every call, ETags, merge patches, deletions as tasks, two kinds of pages. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, play, onePerPage } = await waysTestbed('workspace');

it('wants a token, then a workspace', () => {
  const client = open();
  const { 'x-workspace-id': _workspace, ...token } = client.pass.headers;
  const lacking = stranger(client).get('/identity/v1/users', token);
  expect(lacking).toMatchObject({ status: 400, json: { errorCode: 'MISSING_HEADER', httpStatusCode: 400 } });
  expect(client.get('/identity/v1/users').json).toMatchObject({
    errorCode: 'UNAUTHORIZED',
    debugId: expect.any(String),
  });
});

it('pages by offset, with the totals beside the items', () => {
  const { pages, entries } = onePerPage(open(), 'listUsers', '/identity/v1/users');
  expect(pages[1]!.json).toMatchObject({ count: 1, offset: 1, total: entries.length });
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

it('pages its provisioning from one, in the envelope of that standard', () => {
  const client = open();
  const whole = client.get('/identity/scim/v2/Users?count=200').json as { Resources: unknown[]; totalResults: number };
  expect(whole.totalResults).toBe(whole.Resources.length);
  const second = client.get('/identity/scim/v2/Users?count=1&startIndex=2').json;
  expect(second).toMatchObject({ itemsPerPage: 1, Resources: [whole.Resources[1]] });
});

it('filters with and, or, not and comparisons', () => {
  const client = open();
  const count = (filter: string) =>
    (client.get(`/identity/v1/users?filter=${encodeURIComponent(filter)}`).json as { total: number }).total;
  const all = (client.get('/identity/v1/users').json as { total: number }).total;
  const invited = "status eq 'INVITED'";
  expect(count(`not (${invited})`)).toBe(all - count(invited));
  expect([count(`${invited} or not (${invited})`), count(`${invited} and not (${invited})`)]).toEqual([all, 0]);
  expect(client.get('/identity/v1/users?filter=status').json).toMatchObject({ httpStatusCode: 400 });
});

it('refuses a patch for a revision that is no more', () => {
  const client = open();
  const created = play(client, 'createTag');
  const path = created.headers['location'] ?? '';
  expect([created.status, path]).toEqual([201, expect.stringMatching(/^\/locations\/v1\/tags\//)]);
  const { etag = '' } = client.get(path).headers;
  const patch = (headers: Record<string, string>, description: string) =>
    client.call('PATCH', path, { description }, { media: 'application/merge-patch+json', headers }).status;
  expect([patch({ 'if-match': etag }, 'first'), patch({ 'if-match': etag }, 'second')]).toEqual([200, 412]);
  expect([client.get(path).json, patch({}, 'third')]).toMatchObject([{ description: 'first' }, 200]);
});

it('deletes by a task that is read elsewhere', () => {
  const client = open();
  const path = play(client, 'createTag').headers['location'] ?? '';
  const accepted = client.call('DELETE', path);
  const poll = accepted.headers['location'] ?? '';
  expect([accepted.status, poll]).toEqual([202, expect.stringMatching(/^\/devices\/v1\/async-operations\//)]);
  expect([client.get(poll).json, client.get(path).status]).toMatchObject([{ status: 'RUNNING' }, 200]);
  expect([client.get(poll).json, client.get(path).status]).toMatchObject([{ status: 'SUCCEEDED' }, 404]);
});

it('takes three hundred calls a minute when limits are enforced', () => {
  const client = open();
  client.state.enforced = true;
  const answers = Array.from({ length: 301 }, () => client.get('/identity/v1/users'));
  expect(answers.find(({ status }) => status === 429)).toMatchObject({ headers: { 'retry-after': '60' } });
  client.state.clock.advance(60);
  expect(client.get('/identity/v1/users').status).toBe(200);
});
