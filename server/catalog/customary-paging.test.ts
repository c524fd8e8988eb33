import { expect, test } from 'vitest';
import { importedApi } from '../test/support/imported-api.ts';
import { document } from '../test/support/malformed-documents.ts';

const whole = (more: object = {}) => ({ type: 'integer', ...more });
const list = {
  description: 'ok',
  content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } },
};

async function layoutOf(query: Record<string, object>) {
  const parameters = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }));
  const get = { operationId: 'listThings', parameters, responses: { 200: list } };
  const api = await importedApi({ 'api.json': document({ '/things': { get } }) });
  return api.tools[0]?.list;
}

test.each([
  [{ per_page: whole({ default: 30 }), page: whole({ default: 1 }) }, { limit: 30, parameters: { limit: 'per_page', page: 'page' } }],
  [{ size: whole(), limit: whole() }, { parameters: { limit: 'limit' } }],
  [{ pageSize: whole({ default: 50 }), pageNumber: whole({ minimum: 0 }) }, { limit: 50, parameters: { limit: 'pageSize', page: 'pageNumber' }, first: 0 }],
  [{ max_results: whole(), startIndex: whole({ default: 1 }) }, { parameters: { limit: 'max_results', offset: 'startIndex' }, first: 1 }],
  [{ limit: whole({ default: 20 }), page_token: { type: 'string' } }, { limit: 20, parameters: { limit: 'limit', cursor: 'page_token' } }],
  [{ count: { type: 'boolean' }, start: { type: 'string', format: 'date' }, name: { type: 'string' } }, {}],
])('a list with %j pages by %j', async (query, paging) => {
  expect(await layoutOf(query)).toEqual({ property: null, ...paging });
}); // biome-ignore format: a case a line

test('what a document states of its list counts alone', async () => {
  const stated = { property: null, default: 10, parameters: { limit: 'rows' } };
  const parameters = [{ name: 'limit', in: 'query', schema: whole({ default: 99 }) }];
  const get = { operationId: 'listThings', parameters, responses: { 200: list }, 'x-svc-list': stated };
  const api = await importedApi({ 'api.json': document({ '/things': { get } }) });
  expect(api.tools[0]?.list).toEqual({ property: null, limit: 10, parameters: { limit: 'rows' } });
});
