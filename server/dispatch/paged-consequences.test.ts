/** What a preview reads beside its object may be the first page of a longer list: its entries are not all of them. */
import { expect, test } from 'vitest';
import { documentRouter } from '../test/support/document-router.ts';

const row = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const rows = { type: 'object', properties: { items: { type: 'array', items: row }, next_cursor: { type: 'string' } } };
const answering = (schema: object) => ({
  responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } },
});

async function firstLines(tells: string, answer: object): Promise<string[]> {
  const read = { operation: 'listChanges', arguments: {}, tells, how: 'go into effect' };
  await using router = await documentRouter({
    openapi: '3.0.3',
    info: { title: 'Changes', version: '1' },
    paths: {
      '/changes': { get: { operationId: 'listChanges', summary: 'List all changes', ...answering(rows) } },
      '/commit': {
        post: { operationId: 'commit', summary: 'Commit all changes', 'x-svc-preview-reads': [read], ...answering({}) },
      },
    },
  });
  router.upstream.object = () => ({ status: 200, body: answer });
  const { impact } = await router.call('invoke_tool', 'mgmt_commit', {});
  return [impact.consequences[0], impact.consequences.at(-1)];
}

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'rule', name: `r${i}`, operation: 'update' }));

test.each([
  [
    'a page of a list',
    { items: entries(3), next_cursor: 'c' },
    'at least 3 changes that wait go into effect',
    'and more',
  ],
  ['a long page', { items: entries(25), count: 25, has_more: true }, /^at least 25 /, 'and at least 5 more'],
  ['a page beside the number of all', { items: entries(3), total: 45, next_cursor: 'c' }, /^45 /, 'and 42 more'],
  ['the last page', { items: entries(3), next_cursor: '' }, /^3 changes/, 'rule r2 update'],
])('changes that wait, by %s', async (_, answer, first, last) => {
  expect(await firstLines('changes', answer)).toEqual([expect.stringMatching(first), last]);
});

test('what refers to the object, and how many depend on it, by the first page', async () => {
  const answer = { items: entries(2), next_cursor: 'c' };
  expect((await firstLines('references', answer))[0]).toBe('referenced by 2 rule: r0, r1; and more');
  expect((await firstLines('count', answer))[0]).toMatch(/^at least 2 /);
});
