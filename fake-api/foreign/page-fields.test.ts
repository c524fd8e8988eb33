/** Fields about a page under the names that platforms have for them: none contradicts another, and who follows them meets every entry once. */
import { describe, expect, it } from 'vitest';
import {
  answering,
  type ForeignTestbed,
  foreignDocument,
  foreignTestbed,
  type Part,
} from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const flag = { type: 'boolean' };
const orNull = (schema: Part): Part => ({ ...schema, type: [schema['type'], 'null'] });
const rows = {
  type: 'array',
  items: { type: 'object', required: ['id', 'name'], properties: { id: number, name: text } },
};
const object = (properties: Part, more: Part = {}): Part => ({ type: 'object', properties, ...more });

/** A list of three with these query parameters. */
function paged(schema: Part, parameters: Record<string, Part>): Promise<ForeignTestbed> {
  const query = Object.entries(parameters).map(([name, each]) => ({ name, in: 'query', schema: each }));
  return foreignTestbed(foreignDocument({ '/tasks': { get: answering(schema, { parameters: query }) } }));
}

type Body = Record<string, unknown>;

/** Answers without their entries, from the first page on until `next` gives no query, and the ids on them. */
function followed({ call }: ForeignTestbed, first: string, next: (body: Body) => string | undefined) {
  const pages: Body[] = [];
  const ids: unknown[] = [];
  for (let query: string | undefined = first; query !== undefined && pages.length < 9; ) {
    const { body, status } = call('GET', `/tasks?${query}`);
    expect(status).toBe(200);
    ids.push(...[body.items ?? body.data ?? body.content ?? body.results].flat().map(({ id }: Body) => id));
    pages.push(Object.fromEntries(Object.entries(body as Body).filter(([, value]) => !Array.isArray(value))));
    query = next(body);
  }
  return { pages, ids, different: new Set(ids).size };
}

const complete = { ids: { length: 3 }, different: 3 };

describe('the way to the next page', () => {
  it.each([
    ['nextCursor', 'cursor', 'limit', text],
    ['next_page_token', 'page_token', 'page_size', text],
    ['NextToken', 'NextToken', 'MaxResults', text],
    ['continuationToken', 'continuationToken', 'top', orNull(text)],
  ])('%s leads from page to page, and the last page has none', async (field, parameter, size, schema) => {
    await using testbed = await paged(
      object({ items: rows, [field]: schema, hasMore: flag }, { required: ['items'] }),
      {
        [parameter]: text,
        [size]: number,
      },
    );
    const walk = followed(testbed, `${size}=2`, (body) =>
      body[field] ? `${size}=2&${parameter}=${body[field]}` : undefined,
    );
    expect(walk).toMatchObject(complete);
    const last = schema === text ? {} : { [field]: null };
    expect(walk.pages).toEqual([
      { [field]: expect.any(String), hasMore: true },
      { ...last, hasMore: false },
    ]);
  });

  it('is empty on the last page where the answer must have it as a text', async () => {
    await using testbed = await paged(object({ items: rows, nextCursor: text }, { required: ['nextCursor'] }), {
      cursor: text,
      limit: number,
    });
    expect(testbed.call('GET', '/tasks?limit=3').body.nextCursor).toBe('');
  });

  it('stands in objects beside the list', async () => {
    const answer = object({
      data: rows,
      pagination: object({ next_cursor: orNull(text), has_more: flag }),
      links: object({ next: orNull(text), prev: orNull(text), self: text }),
    });
    await using testbed = await paged(answer, { cursor: text, limit: number });
    const next = (body: Body) => (body['pagination'] as Body)['next_cursor'];
    const walk = followed(testbed, 'limit=2', (body) => (next(body) ? `limit=2&cursor=${next(body)}` : undefined));
    expect(walk).toMatchObject(complete);
    const [first, last] = walk.pages;
    expect(first).toMatchObject({
      pagination: { has_more: true },
      links: { next: `/tasks?limit=2&cursor=${next(first as Body)}`, prev: null, self: '/tasks?limit=2' },
    });
    expect(last).toMatchObject({ pagination: { next_cursor: null, has_more: false }, links: { next: null } });
  });

  it('is an address, which the first and the last page have on one side only', async () => {
    const address = { ...orNull(text), format: 'uri' };
    await using testbed = await paged(object({ count: number, next: address, previous: address, results: rows }), {
      limit: number,
      offset: number,
    });
    const walk = followed(testbed, 'limit=2', ({ next }) => (next ? String(next).split('?')[1] : undefined));
    expect(walk).toMatchObject(complete);
    expect(walk.pages).toEqual([
      { count: 3, next: 'https://api.example/tasks?limit=2&offset=2', previous: null },
      { count: 3, next: null, previous: 'https://api.example/tasks?limit=2&offset=0' },
    ]);
  });
});

describe('numbers of pages', () => {
  it('agree with each other and with the parameters', async () => {
    const answer = object({
      items: rows,
      total: number,
      page: number,
      pageSize: number,
      totalPages: number,
      nextPage: orNull(number),
    });
    await using testbed = await paged(answer, { page: number, pageSize: number });
    const walk = followed(testbed, 'pageSize=2', ({ nextPage }) =>
      nextPage ? `pageSize=2&page=${nextPage}` : undefined,
    );
    expect(walk).toMatchObject(complete);
    const both = { total: 3, pageSize: 2, totalPages: 2 };
    expect(walk.pages).toEqual([
      { ...both, page: 1, nextPage: 2 },
      { ...both, page: 2, nextPage: null },
    ]);
  });

  it('count from zero where the parameter does', async () => {
    const answer = object({
      content: rows,
      ...{ totalElements: number, totalPages: number, number, size: number, numberOfElements: number },
      ...{ first: flag, last: flag, empty: flag },
    });
    await using testbed = await paged(answer, { page: { ...number, default: 0 }, size: { ...number, default: 2 } });
    const walk = followed(testbed, '', (body) => (body['last'] ? undefined : `page=${Number(body['number']) + 1}`));
    expect(walk).toMatchObject(complete);
    const both = { totalElements: 3, totalPages: 2, size: 2, empty: false };
    expect(walk.pages).toEqual([
      { ...both, number: 0, numberOfElements: 2, first: true, last: false },
      { ...both, number: 1, numberOfElements: 1, first: false, last: true },
    ]);
  });

  it('stand in the metadata of the answer, with addresses of the first and the last page', async () => {
    const answer = object({
      data: rows,
      links: object({ first: text, last: text, prev: orNull(text), next: orNull(text) }),
      meta: object({
        current_page: number,
        from: orNull(number),
        last_page: number,
        per_page: number,
        to: number,
        total: number,
      }),
    });
    await using testbed = await paged(answer, { page: number, per_page: number });
    expect(testbed.call('GET', '/tasks?per_page=2&page=2').body).toMatchObject({
      links: {
        first: '/tasks?per_page=2&page=1',
        last: '/tasks?per_page=2&page=2',
        prev: '/tasks?per_page=2&page=1',
        next: null,
      },
      meta: { current_page: 2, from: 3, last_page: 2, per_page: 2, to: 3, total: 3 },
    });
  });
});

describe('numbers called like what is listed', () => {
  it.each([
    ['tasks', 'tasks_count', 3],
    ['tasks', 'taskCount', 3],
    ['tasks', 'totalTasks', 3],
    ['tasks', 'total_task_count', 3],
    ['items', 'number_of_tasks', 3],
    ['data', 'num_tasks', 3],
  ])('beside %s, %s is the number of all', async (list, name, all) => {
    await using testbed = await paged(object({ [list]: rows, [name]: number }), { limit: number, offset: number });
    expect(testbed.call('GET', '/tasks?limit=2').body).toMatchObject({ [list]: { length: 2 }, [name]: all });
  });

  it('are those of the page where another field beside them is the total', async () => {
    await using testbed = await paged(object({ tasks: rows, tasks_count: number, total: number }), { limit: number });
    expect(testbed.call('GET', '/tasks?limit=2').body).toMatchObject({ tasks_count: 2, total: 3 });
  });

  it('tell nothing of the page where they are of something else', async () => {
    const few = { ...number, minimum: 70, maximum: 70 };
    await using testbed = await paged(object({ tasks: rows, owner_count: few }), { limit: number });
    expect(testbed.call('GET', '/tasks?limit=2').body).toMatchObject({ owner_count: 70 });
  });
});

describe('the size of a page', () => {
  it('is the stated default where the caller asks for none', async () => {
    await using testbed = await paged(object({ items: rows, page_size: number, count: number }), {
      page: number,
      page_size: { ...number, default: 2 },
    });
    const { body } = testbed.call('GET', '/tasks');
    expect([body.items.length, body.page_size, body.count]).toEqual([2, 2, 3]);
  });

  it('is that of the whole list where no parameter can ask for the rest', async () => {
    const item = object({ id: number, name: text });
    const post = {
      requestBody: { required: true, content: { 'application/json': { schema: object({ name: text }) } } },
      responses: { 201: { description: '', content: { 'application/json': { schema: item } } } },
    };
    await using testbed = await foreignTestbed(
      foreignDocument({ '/tasks': { get: answering(object({ items: rows, total: number })), post } }),
    );
    for (let at = 0; at < 40; at += 1) testbed.call('POST', '/tasks', { name: `Task ${at}` });
    const { body } = testbed.call('GET', '/tasks');
    expect([body.items.length, body.total]).toEqual([43, 43]);
  });
});

it('headers say of the page what fields beside a list do', async () => {
  const header = (schema: Part): Part => ({ schema });
  const headers = {
    Link: header(text),
    'X-Total-Count': header(number),
    'X-Total-Pages': header(number),
    'X-Page': { $ref: '#/components/headers/Page' },
    'X-Next-Page': header(text),
    'X-RateLimit-Limit': header(number),
  };
  const parameters = ['page', 'per_page'].map((name) => ({ name, in: 'query', schema: number }));
  const content = { 'application/json': { schema: rows } };
  await using testbed = await foreignTestbed(
    foreignDocument(
      { '/tasks': { get: { parameters, responses: { 200: { description: '', headers, content } } } } },
      { components: { headers: { Page: header(number) } } },
    ),
  );
  const [first, last] = [1, 2].map((page) => testbed.call('GET', `/tasks?per_page=2&page=${page}`).headers);
  const both = { 'x-total-count': '3', 'x-total-pages': '2' };
  expect(first).toMatchObject({ ...both, 'x-page': '1', 'x-next-page': '2' });
  expect(first?.['link']).toBe('</tasks?per_page=2&page=2>; rel="next", </tasks?per_page=2&page=2>; rel="last"');
  expect(last).toMatchObject({ ...both, 'x-page': '2' });
  expect(last?.['link']).toBe('</tasks?per_page=2&page=1>; rel="prev", </tasks?per_page=2&page=1>; rel="first"');
  for (const name of ['x-next-page', 'x-ratelimit-limit']) expect(last).not.toHaveProperty(name);
});
