/** The security edge: a fixed bearer token, counted pages, and one stage for everybody until a commit. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, onePerPage } = await waysTestbed('sse');
const TAGS = '/api/v1.0/ApplicationTags';
const CHANGES = '/api/v1.0/Operations/Changes';
const COMMITS = '/api/v1.0/Operations/Commits';

/** A tag that waits for the commit. */
function edited() {
  const client = open();
  const created = client.call('POST', TAGS, { label: 'cameras' });
  return { client, created, item: `${TAGS}/${(created.json as { id: string }).id}` };
}

it('refuses with a code, a message and the fields that are at fault', () => {
  expect(stranger(open()).get(TAGS)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    json: { code: 'UNAUTHORIZED', message: 'header "Authorization": expected a bearer token, got nothing' },
  });
  expect(open().call('POST', TAGS, {}).json).toMatchObject({ fieldErrors: [{ field: 'label' }] });
});

it('numbers its pages and counts the records', () => {
  const { pages, entries } = onePerPage(open(), 'listApplicationTags', TAGS);
  expect(pages[1]!.json).toMatchObject({
    pageNumber: 2,
    pageSize: 1,
    totalRecords: entries.length,
    data: [entries[1]],
  });
});

it('puts an edit live only with a commit', () => {
  const { client, created, item } = edited();
  expect(created.status).toBe(201);
  expect([client.get(item).status, client.get(`${item}?view=live`).status]).toEqual([200, 404]);
  expect(client.get(CHANGES).json).toMatchObject({ data: [{ objectType: 'application-tags', operation: 'Created' }] });
  expect(client.call('POST', `${CHANGES}/commit`).json).toMatchObject({ version: 1, total: 1 });
  expect(client.get(`${item}?view=live`).status).toBe(200);
  expect(client.get(CHANGES).json).toMatchObject({ totalRecords: 0 });
  expect(client.get(`${COMMITS}/1`).json).toMatchObject({ version: 1, objectCount: 1 });
});

it('discards edits and takes commits back', () => {
  const { client, item } = edited();
  expect(client.call('POST', `${CHANGES}/discard`).json).toMatchObject({ discarded: 1 });
  expect(client.get(item).status).toBe(404);
  const again = client.call('POST', TAGS, { label: 'cameras' }).json as { id: string };
  client.call('POST', `${CHANGES}/commit`);
  client.call('DELETE', `${TAGS}/${again.id}`);
  expect(client.get(`${TAGS}/${again.id}?view=live`).status).toBe(200);
  client.call('POST', `${CHANGES}/commit`);
  expect(client.get(`${TAGS}/${again.id}?view=live`).status).toBe(404);
  expect(client.call('POST', `${COMMITS}/1/rollback`).json).toMatchObject({ touched: 1 });
  expect(client.get(`${TAGS}/${again.id}?view=live`).status).toBe(200);
});
