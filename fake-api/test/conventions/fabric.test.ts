/** The data-centre fabric: a login token, blueprints that are edited in a stage, compared, deployed and taken back. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';
import type { PlatformClient } from '../platform-client.ts';

const { open, play, onePerPage } = await waysTestbed('fabric');

/** A security zone created in the first blueprint. */
function edited() {
  const client = open();
  const created = play(client, 'createSecurityZone');
  const blueprint = created.path.split('/').slice(0, 4).join('/');
  const zone = Object.entries(created.json as object).find(([name]) => name === 'id')?.[1] as string;
  return { client, created, blueprint, item: `${created.path}/${zone}` };
}

const diff = (client: PlatformClient, blueprint: string) => client.get(`${blueprint}/diff-status`).json;

it('refuses with a map of errors, and after the logout', () => {
  const client = open();
  expect(client.call('POST', '/api/user/logout').status).toBe(204);
  expect(client.get('/api/blueprints')).toMatchObject({
    status: 401,
    json: { errors: {}, error_code: 'UNAUTHORIZED' },
  });
  expect(stranger(client).get('/api/blueprints').json).toMatchObject({ message: expect.stringContaining('AuthToken') });
  expect(open().call('POST', '/api/resources/vlan-pools', {})).toMatchObject({
    status: 400,
    json: { errors: expect.objectContaining({}), error_code: 'INVALID_FIELD' },
  });
});

it('pages by offset in items', () => {
  const { pages, entries } = onePerPage(open(), 'listBlueprints', '/api/blueprints');
  expect(pages[1]!.json).toMatchObject({ count: 1, offset: 1, total: entries.length });
});

it('shows an edit in the stage at once, and as deployed only after the deployment', () => {
  const { client, created, blueprint, item } = edited();
  expect(created.status).toBe(201);
  expect([client.get(item).status, client.get(`${item}?type=deployed`).status]).toEqual([200, 404]);
  expect(diff(client, blueprint)).toMatchObject({ has_changes: true, created: 1, changed: 0, deleted: 0 });
  const deployment = client.call('POST', `${blueprint}/deploy`, { description: 'a zone for cameras' });
  const task = deployment.headers['location'] ?? '';
  expect([deployment.status, task]).toEqual([202, expect.stringMatching(/^\/api\/tasks\//)]);
  expect([client.get(task).json, client.get(`${item}?type=deployed`).status]).toMatchObject([
    { status: 'in_progress' },
    404,
  ]);
  expect([client.get(task).json, client.get(`${item}?type=deployed`).status]).toMatchObject([
    { status: 'succeeded' },
    200,
  ]);
  expect(diff(client, blueprint)).toMatchObject({ has_changes: false, deployed_version: 1 });
});

it('reverts a stage to what is deployed, and leaves other blueprints alone', () => {
  const { client, blueprint, item } = edited();
  const others = (client.get('/api/blueprints').json as { items: { blueprint_id: string }[] }).items
    .map(({ blueprint_id }) => `/api/blueprints/${blueprint_id}`)
    .filter((path) => path !== blueprint);
  expect(client.call('POST', `${others[0]}/revert`).json).toMatchObject({ changes: 0 });
  expect(client.get(item).status).toBe(200);
  expect(client.call('POST', `${blueprint}/revert`).json).toMatchObject({ changes: 1 });
  expect(client.get(item).status).toBe(404);
});

it('rolls a blueprint back to an earlier version', () => {
  const { client, blueprint, item } = edited();
  const { headers } = client.call('POST', `${blueprint}/deploy`, { description: 'a zone for cameras' });
  for (let polls = 0; polls < 2; polls += 1) client.get(headers['location'] ?? '');
  const revisions = client.get(`${blueprint}/revisions`).json as { items: unknown[] };
  expect(revisions.items).toHaveLength(1);
  const rolled = client.call('POST', `${blueprint}/revisions/rollback`, { revision_id: 0 });
  expect(rolled.json).toMatchObject({ changes: 1, version: 2 });
  expect(client.get(`${item}?type=deployed`).status).toBe(404);
});
