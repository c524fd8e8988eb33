/** What is made is shown, however a document wraps it: in fields of its noun, in lists of one, in nested keys, or by a status alone. */
import { describe, expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const thing: Part = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, title: text, color: text },
};
const sent: Part = { type: 'object', properties: { title: text, color: text } };
const wrap = (name: string, schema: Part): Part => ({ type: 'object', properties: { [name]: schema } });
const listOf = (items: Part): Part => ({ type: 'array', items });
const idParameter = { name: 'id', in: 'path', required: true, schema: text };

interface Form {
  list: Part;
  item: Part;
  body: Part;
  /** Responses of the create. */
  made: Part;
  /** Of the list answer, its rows; of the item answer, its thing. */
  rows: (body: Part) => Part[];
  one: (body: Part) => Part;
  send: (fields: Part) => unknown;
}

const created = (schema: Part): Part => ({ 201: { description: '', content: { 'application/json': { schema } } } });
const at =
  (...names: string[]) =>
  (body: unknown) =>
    names.reduce<unknown>((value, name) => (value as Part | undefined)?.[name], body) as never;
const bare = (fields: Part): Part => fields;

const FORMS: Record<string, Form> = {
  'a field of the noun': {
    list: { type: 'object', properties: { projects: listOf(thing), total: { type: 'integer' } } },
    item: wrap('project', thing),
    body: wrap('project', sent),
    made: created(wrap('project', thing)),
    rows: at('projects'),
    one: at('project'),
    send: (project) => ({ project }),
  },
  'data and meta': {
    list: { type: 'object', properties: { data: listOf(thing), meta: { type: 'object' } } },
    item: { type: 'object', properties: { data: thing, meta: { type: 'object' } } },
    body: sent,
    made: created({ type: 'object', properties: { data: thing, success: { type: 'boolean' } } }),
    rows: at('data'),
    one: at('data'),
    send: bare,
  },
  'a map by their keys': {
    list: { type: 'object', additionalProperties: thing },
    item: thing,
    body: sent,
    made: created(thing),
    rows: (body) => Object.values(body) as Part[],
    one: at(),
    send: bare,
  },
  'a map in a field of the noun': {
    list: { type: 'object', properties: { projects: { type: 'object', additionalProperties: thing }, took: text } },
    item: thing,
    body: sent,
    made: created(thing),
    rows: (body) => Object.values(body['projects'] as Part) as Part[],
    one: at(),
    send: bare,
  },
  'a field that ends with the noun': {
    list: { type: 'object', properties: { site_projects: listOf(thing), errors: listOf(sent) } },
    item: { type: 'object', properties: { errors: listOf(sent), site_project: thing } },
    body: { type: 'object', properties: { once: text, site_project: sent } },
    made: created({ type: 'object', properties: { errors: listOf(sent), site_project: thing } }),
    rows: at('site_projects'),
    one: at('site_project'),
    send: (site_project) => ({ once: 'a', site_project }),
  },
  'an object beside errors': {
    list: listOf(thing),
    item: { type: 'object', properties: { errors: listOf(sent), plan: thing } },
    body: sent,
    made: created({ type: 'object', properties: { errors: listOf(sent), plan: thing } }),
    rows: at(),
    one: at('plan'),
    send: bare,
  },
  'items deep inside': {
    list: wrap('result', { type: 'object', properties: { items: listOf(thing), total: { type: 'integer' } } }),
    item: wrap('result', wrap('project', thing)),
    body: sent,
    made: created({ type: 'object', properties: { id: { type: 'integer' } } }),
    rows: at('result', 'items'),
    one: at('result', 'project'),
    send: bare,
  },
  'fields that the request alone calls writeOnly': {
    list: listOf(thing),
    item: thing,
    body: { type: 'object', properties: { title: { ...text, writeOnly: true }, color: { ...text, writeOnly: true } } },
    made: created({ type: 'object', properties: { id: { type: 'integer' } } }),
    rows: at(),
    one: at(),
    send: bare,
  },
  'a list of one': {
    list: wrap('Projects', listOf(thing)),
    item: wrap('Projects', listOf(thing)),
    body: wrap('Projects', listOf(sent)),
    made: { 200: { description: '', content: { 'application/json': { schema: wrap('Projects', listOf(thing)) } } } },
    rows: at('Projects'),
    one: at('Projects', '0'),
    send: (fields) => ({ Projects: [fields] }),
  },
  'rows that are wrapped': {
    list: wrap('list', listOf(wrap('project', thing))),
    item: wrap('project', thing),
    body: sent,
    made: created(wrap('project', thing)),
    rows: (body) => (at('list')(body) as Part[]).map(at('project')),
    one: at('project'),
    send: bare,
  },
  'a status and a place': {
    list: listOf(thing),
    item: thing,
    body: sent,
    made: { 204: { description: '' } },
    rows: (body) => body as unknown as Part[],
    one: (body) => body,
    send: bare,
  },
};

describe.each(Object.keys(FORMS))('%s', (name) => {
  const form = FORMS[name] as Form;
  const document = foreignDocument({
    '/projects': { get: answering(form.list), post: { requestBody: jsonBody(form.body), responses: form.made } },
    '/projects/{id}': {
      parameters: [idParameter],
      get: answering(form.item),
      patch: { requestBody: jsonBody(form.body), ...answering(form.item) },
      delete: { responses: { 204: { description: '' } } },
    },
  });

  test('create, list, read, change and remove', async () => {
    await using zoo = await foreignTestbed(document);
    const before = form.rows(zoo.call('GET', '/projects').body);
    expect(new Set(before.map(({ id }) => id)).size).toBe(3);
    const made = zoo.call('POST', '/projects', form.send({ title: 'New', color: 'red' }));
    expect(made.status).toBeLessThan(300);
    const place = made.headers['location'] as string;
    expect(form.one(zoo.call('GET', place).body)).toMatchObject({ title: 'New', color: 'red' });
    const rows = form.rows(zoo.call('GET', '/projects').body);
    expect(rows).toHaveLength(4);
    expect(rows).toContainEqual(expect.objectContaining({ title: 'New', color: 'red' }));
    zoo.call('PATCH', place, form.send({ color: 'blue' }));
    expect(form.one(zoo.call('GET', place).body)).toMatchObject({ title: 'New', color: 'blue' });
    zoo.call('DELETE', place);
    expect(zoo.call('GET', place).status).toBe(404);
    expect(form.rows(zoo.call('GET', '/projects').body)).toEqual(before);
  });
});

test('a nested key names the thing, and paths may end in a slash or a file ending', async () => {
  const node = {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { name: text, uid: { ...text, example: 'u-1' } } },
      spec: { type: 'object' },
    },
  };
  for (const ending of ['', '/', '.json']) {
    await using zoo = await foreignTestbed(
      foreignDocument({
        [`/nodes${ending}`]: {
          get: answering(wrap('items', listOf(node))),
          post: { requestBody: jsonBody(node), responses: created(node) },
        },
        [`/nodes/{name}${ending}`]: { parameters: [{ ...idParameter, name: 'name' }], get: answering(node) },
      }),
    );
    zoo.call('POST', `/nodes${ending}`, { metadata: { name: 'n-1' }, spec: { size: 3 } });
    expect(zoo.call('GET', `/nodes/n-1${ending}`).body).toMatchObject({ metadata: { name: 'n-1' } });
    const rows: { metadata: { uid: string } }[] = zoo.call('GET', `/nodes${ending}`).body.items;
    expect(new Set(rows.map(({ metadata }) => metadata.uid)).size).toBe(4);
  }
});

test('a declared parameter with the name of a field selects rows, and bounds do, too', async () => {
  const device = {
    type: 'object',
    properties: { id: text, site: text, state: { enum: ['up', 'down'] }, created: { type: 'integer' } },
  };
  const bounds = {
    anyOf: [{ type: 'object', properties: { gt: { type: 'integer' }, lte: { type: 'integer' } } }, { type: 'integer' }],
  };
  const query = (name: string, schema: Part, more: Part = {}): Part => ({ name, in: 'query', schema, ...more });
  const parameters = [
    query('site', text),
    query('state', text),
    query('sort', text),
    query('created', bounds, { style: 'deepObject', explode: true }),
  ];
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/devices': {
        get: answering(listOf(device), { parameters }),
        post: { requestBody: jsonBody(device), responses: created(device) },
      },
    }),
  );
  for (const [at_, created_] of [
    ['berlin', 5],
    ['berlin', 9],
    ['paris', 9],
  ] as const)
    zoo.call('POST', '/devices', { site: at_, created: created_, state: 'up' });
  const count = (target: string): number =>
    zoo.call('GET', `/devices?${target}`).body.filter(({ site }: Part) => /berlin|paris/.test(String(site))).length;
  expect([count('site=berlin'), count('site=berlin&created[gt]=7'), count('created[gt]=7&created[lte]=9')]).toEqual([
    2, 1, 2,
  ]);
  // `all` is no state of a device, and an order is no filter.
  expect([count('state=all'), count('sort=site')]).toEqual([3, 3]);
  expect(zoo.call('GET', '/devices?site=nowhere').body).toEqual([]);
});

test('a text is looked for in all fields, and a parameter may say how its field is compared', async () => {
  const host = {
    type: 'object',
    properties: { id: text, name: text, vlan: { type: 'integer' }, site: { type: 'object' } },
  };
  const names = ['q', 'search', 'name__ic', 'name__n', 'name__isw', 'vlan__gte', 'id__in', 'filter[name]', 'name__odd'];
  const parameters = names.map((name) => ({ name, in: 'query', schema: text }));
  const needed = [{ name: 'q', in: 'query', required: true, schema: text }];
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/hosts': {
        get: answering(listOf(host), { parameters }),
        post: { requestBody: jsonBody(host), responses: created(host) },
      },
      '/found-hosts': { get: answering(listOf(host), { parameters: needed }) },
    }),
  );
  for (const [id, name, vlan] of [
    ['a', 'Core-1', 10],
    ['b', 'Core-2', 20],
    ['c', 'edge', 30],
  ] as const)
    zoo.call('POST', '/hosts', { id, name, vlan, site: { slug: `slug-${id}` } });
  const ids = (query: string): string =>
    zoo
      .call('GET', `/hosts?${query}`)
      .body.flatMap(({ id }: Part) => (/^[abc]$/.test(String(id)) ? [id] : []))
      .join('');
  const queries = [
    'q=core',
    'search=SLUG-c',
    'name__ic=RE-',
    'name__n=edge',
    'name__isw=co',
    'vlan__gte=20',
    'id__in=a,c',
  ];
  expect(queries.map(ids)).toEqual(['ab', 'c', 'ab', 'ab', 'ab', 'bc', 'ac']);
  expect(ids('filter%5Bname%5D=edge')).toBe('c');
  // A language of the platform's own, and a comparison that is not known.
  expect([ids('q=name:edge'), ids('name__odd=edge')]).toEqual(['abc', 'abc']);
  expect(zoo.call('GET', '/found-hosts?q=nothing').body).not.toEqual([]);
});

test('a parameter that is a text selects rows by a number or a flag', async () => {
  const port = { type: 'object', properties: { id: text, vlan: { type: 'integer' }, up: { type: 'boolean' } } };
  const parameters = ['vlan', 'up'].map((name) => ({ name, in: 'query', schema: text }));
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/ports': {
        get: answering({ type: 'array', items: port }, { parameters }),
        post: { requestBody: jsonBody(port), responses: created(port) },
      },
    }),
  );
  for (const [vlan, up] of [
    [901, true],
    [902, false],
    [902, true],
  ])
    zoo.call('POST', '/ports', { vlan, up });
  const count = (query: string): number => zoo.call('GET', `/ports?${query}`).body.length;
  expect(['vlan=902', 'vlan=902&up=true', 'vlan=903'].map(count)).toEqual([2, 1, 0]);
});

test('a name identifies nothing where the path asks for a number', async () => {
  const credit = { type: 'object', properties: { name: text, role: text } };
  const number = { name: 'number', in: 'path', required: true, schema: { type: 'number' } };
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/credits': {
        get: answering(listOf(credit)),
        post: { requestBody: jsonBody(credit), responses: created(credit) },
      },
      '/credits/{number}': { parameters: [number], get: answering(credit) },
    }),
  );
  const made = zoo.call('POST', '/credits', { name: 'Ada', role: 'camera' });
  expect(made.body).toMatchObject({ name: 'Ada', role: 'camera' });
  expect(zoo.call('GET', made.headers['location'] as string).body).toMatchObject({ name: 'Ada' });
});

test.each([
  ['items', 'name'],
  ['members', 'name'],
  ['members', 'country'],
  ['items', 'country'],
  ['items', '_links'],
  ['members', 'links'],
])('a thing with an identity, %s and %s is one thing: it says what was put there', async (parts, other) => {
  const allowed: Part = {
    type: 'object',
    properties: { id: { type: 'integer' }, [other]: text, [parts]: listOf(wrap('cve', text)) },
  };
  const put = { requestBody: jsonBody(allowed), responses: { 200: { description: 'Fine' } } };
  await using testbed = await foreignTestbed(foreignDocument({ '/allowed': { get: answering(allowed), put } }));
  expect(testbed.call('PUT', '/allowed', { [parts]: [{ cve: 'one' }] }).status).toBe(200);
  expect(testbed.call('GET', '/allowed').body).toMatchObject({ [parts]: [{ cve: 'one' }] });
});

test('a page with an identity of its own is a list', async () => {
  const page = { type: 'object', properties: { id: text, items: listOf(thing), total: { type: 'integer' } } };
  const post = { requestBody: jsonBody(sent), responses: created(thing) };
  await using testbed = await foreignTestbed(foreignDocument({ '/things': { get: answering(page), post } }));
  const { total } = testbed.call('GET', '/things').body;
  testbed.call('POST', '/things', { title: 'new' });
  expect(testbed.call('GET', '/things').body.total).toBe(total + 1);
});

test('a list that answers in several forms shows what was made, in the first form that is one', async () => {
  const count = { type: 'object', properties: { count: { type: 'integer' } } };
  const keys = { type: 'object', properties: { serials: listOf(text) } };
  const rows = { type: 'object', properties: { things: listOf(thing), total: { type: 'integer' } } };
  const post = { requestBody: jsonBody(sent), responses: created(thing) };
  const get = answering({ oneOf: [count, keys, rows] });
  await using testbed = await foreignTestbed(foreignDocument({ '/things': { get, post } }));
  const { total } = testbed.call('GET', '/things').body;
  testbed.call('POST', '/things', { title: 'new' });
  const after = testbed.call('GET', '/things').body;
  expect(after.total).toBe(total + 1);
  expect(after.things.at(-1)).toMatchObject({ title: 'new' });
});

test('a list whose answer also says which of its fields stand together is one', async () => {
  const page = {
    type: 'object',
    properties: { things: listOf(thing), total: { type: 'integer' }, error: text },
    anyOf: [{ required: ['things', 'total'] }, { required: ['error'] }],
  };
  const post = { requestBody: jsonBody(sent), responses: created(thing) };
  await using testbed = await foreignTestbed(foreignDocument({ '/things': { get: answering(page), post } }));
  testbed.call('POST', '/things', { title: 'new' });
  expect(testbed.call('GET', '/things').body.things).toContainEqual(expect.objectContaining({ title: 'new' }));
});
