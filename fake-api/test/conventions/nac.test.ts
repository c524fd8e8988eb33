/** The access policy server: HAL pages, whole numbers with text twins, problem bodies, actions that are read by their id. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, play, onePerPage } = await waysTestbed('nac');

it('refuses a caller without a token by a problem body of its own media type', () => {
  const refused = stranger(open()).get('/api/endpoint');
  expect([refused.status, refused.headers['content-type']]).toEqual([401, 'application/problem+json']);
  expect(refused.json).toEqual({
    type: 'https://errors.example/unauthorized',
    title: 'Unauthorized',
    status: 401,
    detail: 'header "Authorization": expected a bearer token, got nothing',
  });
});

it('tells per field what a body lacks', () => {
  expect(open().call('POST', '/api/local-user', {}).json).toMatchObject({
    status: 400,
    validation_messages: { role_id: expect.stringContaining('the field is required') },
  });
});

it('leads through a list by links, and counts only on request', () => {
  const client = open();
  const { pages, entries } = onePerPage(client, 'listEndpoints', '/api/endpoint');
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, at) => at + 1));
  expect(pages).toHaveLength(entries.length);
  expect(pages[1]!.json).toMatchObject({
    _links: {
      prev: { href: '/api/endpoint?limit=1&offset=0' },
      self: { href: '/api/endpoint?limit=1&offset=1' },
      next: { href: '/api/endpoint?limit=1&offset=2' },
    },
  });
  expect(pages[0]!.json).not.toHaveProperty('count');
  const { count } = client.get('/api/endpoint?calculate_count=true').json as { count: number };
  expect(count).toBeGreaterThanOrEqual(entries.length);
});

it('takes a filter in JSON and a signed sort', () => {
  const filter = encodeURIComponent(JSON.stringify({ status: { $in: ['Known', 'Disabled'] } }));
  const answer = open().get(`/api/endpoint?filter=${filter}&sort=-updated_at`);
  const items = (answer.json as { _embedded: { items: { updated_at: string; status: string }[] } })._embedded.items;
  expect(items.map(({ updated_at }) => updated_at)).toEqual(
    items
      .map(({ updated_at }) => updated_at)
      .sort()
      .reverse(),
  );
  expect(items.every(({ status }) => ['Known', 'Disabled'].includes(status))).toBe(true);
});

it('numbers what is created, says where it is and finds it by its name as well', () => {
  const client = open();
  const created = play(client, 'createEstProfile');
  const { id, name } = created.json as { id: number; name: string };
  expect([created.status, created.headers['location']]).toEqual([201, `/api/est-profile/${id}`]);
  const byName = `/api/est-profile/name/${encodeURIComponent(name)}`;
  expect(client.get(byName).json).toEqual(client.get(`/api/est-profile/${id}`).json);
  expect(client.call('DELETE', byName).status).toBe(204);
  expect(client.get(`/api/est-profile/${id}`).status).toBe(404);
});

it('carries actions out under an id that can be read', () => {
  const client = open();
  const started = client.call('POST', '/api/simulation/1/run', {});
  const { action_id: id } = started.json as { action_id: string };
  expect([started.status, started.headers['location']]).toEqual([202, `/api/action/${id}`]);
  expect(client.get(`/api/action/${id}`).json).toMatchObject({ status: 'running', percent: 50 });
  expect(client.get(`/api/action/${id}`).json).toMatchObject({ status: 'completed', percent: 100 });
});
