import { expect, test } from 'vitest';
import { readListLayout } from './list-layout.ts';
import type { ApiDocument } from './platform-document.ts';

const port = { type: 'object', properties: { speed: { type: 'integer' } } };
const texts = { type: 'array', items: { type: 'string' } };
const envelope = { properties: { success: {}, errors: { type: 'array' }, messages: { type: 'array' } } };
const wrapped = (name: string, properties: object) => ({ properties: { code: {}, msg: {}, [name]: { properties } } });
const map = (entry: object) => ({ type: 'object', additionalProperties: entry });
const schemas = { Port: port, Ports: map({ $ref: '#/components/schemas/Port' }) };

function layoutOf(path: string, schema: object, { method = 'GET', headers = {}, beside = {}, paths = {} } = {}) {
  const document = { id: 'switch', content: { components: { schemas }, paths } } as unknown as ApiDocument;
  const operation = { responses: { 200: { headers, content: { 'application/json': { schema } } } } };
  return readListLayout(document, { method, path, item: { ...beside, [method.toLowerCase()]: operation }, operation });
}

test.each([
  ['/ports', map(port), { property: null, keyed: true }],
  ['/ports', { $ref: '#/components/schemas/Ports' }, { property: null, keyed: true }],
  ['/switch/{id}/switch-ports', { type: 'object', properties: { switchPorts: map(port) } }, { property: 'switchPorts', keyed: true }],
  ['/ports', { type: 'object', properties: { data: map(port), count: { type: 'integer' } } }, { property: 'data', keyed: true }],
  ['/ports', { type: 'object', properties: { ports: { type: 'array' } } }, { property: 'ports' }],
  ['/names', { type: 'object', properties: { names: texts, total_count: {}, next: {} } }, { property: 'names' }],
  ['/ports', { allOf: [envelope, { properties: { result: { type: 'array', items: port } } }] }, { property: 'result' }],
  ['/aps', wrapped('result', { totalRows: {}, data: { type: 'array', items: port } }), { property: 'result.data' }],
  ['/aps', wrapped('SearchResult', { total: {}, resources: { type: 'array' } }), { property: 'SearchResult.resources' }],
  ['/tags', { properties: { tags: texts, limit: {}, offset: {} } }, { property: 'tags' }],
  ['/names', { properties: { names: texts, links: {}, meta: {} } }, { property: 'names' }],
  ['/hosts', { properties: { hosts: { type: 'array', items: { type: ['object', 'null'] } }, from: {}, to: {} } }, { property: 'hosts' }],
  ['/aps', { properties: { code: {}, errors: { type: 'array' }, result: { properties: { total: {}, rows: { type: 'array' } } } } }, { property: 'result.rows' }],
  ['/errors', { properties: { errors: { type: 'array' } } }, { property: 'errors' }],
  ['/hosts', { oneOf: [{ properties: { count: {} } }, { properties: { serials: texts } }, { properties: { hosts: { type: 'array' } } }, texts] }, { property: 'hosts' }],
  ['/hosts', { properties: { items: { type: 'array', items: port }, error: {} }, anyOf: [{ required: ['items'] }, { required: ['error'] }] }, { property: 'items' }],
  ['/hosts', { properties: { hosts: { type: 'array', items: port } }, oneOf: [] }, { property: 'hosts' }],
  ['/stars', { anyOf: [{ type: 'array', items: port }, { type: 'array' }] }, { property: null }],
  ['/ports/{switch}', { type: 'array', items: port }, { property: null }],
  ['/page', { properties: { id: {}, items: { type: 'array', items: port }, total: {} } }, { property: 'items' }],
  ['/answer', { properties: { id: {}, result: { type: 'array', items: port } } }, { property: 'result' }],
  ['/ports', { type: ['array', 'null'], items: port }, { property: null }],
  ['/ports', { allOf: [{ type: 'array', items: port }] }, { property: null }],
  ['/ports', { items: port }, { property: null }],
  ['/aps', { properties: { items: { type: ['array', 'null'], items: port }, total: {} } }, { property: 'items' }],
  ['/aps', { properties: { aps: { anyOf: [{ allOf: [{ type: 'array', items: port }] }, { type: 'null' }] }, total: {} } }, { property: 'aps' }],
  ['/aps', { anyOf: [{ properties: { aps: { type: 'array', items: port }, total: {} } }, { type: 'null' }] }, { property: 'aps' }],
  ['/aps', { allOf: [{ properties: { total: {} } }, { oneOf: [{ allOf: [{ properties: { items: { type: 'array', items: port } } }] }, { properties: { error: {} } }] }] }, { property: 'items' }],
  ['/aps', { properties: { code: {}, data: { oneOf: [{ properties: { rows: { type: 'array', items: port }, total: {} } }, { type: 'null' }] } } }, { property: 'data.rows' }],
  ['/tickets', { properties: { users: { type: 'array', items: port }, tickets: { type: 'array', items: port } } }, { property: 'tickets' }],
  ['/messages', { properties: { messages: { type: 'array', items: port }, total: {} } }, { property: 'messages' }],
  ['/ports', wrapped('data', { ports: { type: 'array', items: port }, revision: {} }), { property: 'data.ports' }],
  ['/groups', { properties: { groupings: { type: 'array', items: port }, links: { type: 'array' } } }, { property: 'groupings' }],
  ['/hosts', { properties: { code: {}, text: {}, trace: {}, wait: {}, state: {}, data2: {}, Response: { type: 'array', items: port } } }, { property: 'Response' }],
  ['/usage', { type: 'object', properties: { usage: { type: 'array', items: port }, from: {}, to: {} } }, { property: 'usage' }],
])('%s with entries in %j is a list', (path, schema, layout) => {
  expect(layoutOf(path, schema)).toEqual(layout);
}); // biome-ignore format: a case a line

test.each([
  ['one thing', '/ports/{id}', map(port)],
  [
    'one thing that is found by a key',
    '/accounts',
    { properties: { accountId: {}, name: {}, auditLogs: { type: 'array', items: port } } },
  ],
  [
    'what a thing refers to',
    '/switches/{id}/site',
    { properties: { SiteID: {}, switches: { type: 'array', items: port } } },
  ],
  [
    'settings with one list of objects',
    '/radio',
    { properties: { a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, bands: { type: 'array', items: port } } },
  ],
  ['one thing that ends in a slash', '/ports/{id}/', { properties: { id: {}, tags: { type: 'array' } } }],
  ['one thing that ends in .json', '/ports/{id}.json', { properties: { tags: { type: 'array' } } }],
  ['a thing with an identity', '/app', { properties: { id: {}, keys: { type: 'array', items: port } } }],
  ['the same with links to itself', '/allow', { properties: { id: {}, _links: {}, items: { type: 'array' } } }],
  ['an allow list with an identity', '/allow', { properties: { id: {}, items: { type: 'array', items: port } } }],
  [
    'a thing of one form or another',
    '/me',
    { oneOf: [{ properties: { id: {}, tags: { type: 'array' } } }, { type: 'object' }] },
  ],
  [
    'a thing with parts of one form or another',
    '/me',
    { properties: { id: {} }, oneOf: [{ properties: { items: { type: 'array', items: port } } }] },
  ],
  [
    'a thing or what failed',
    '/me',
    { oneOf: [{ properties: { id: {} } }, { properties: { errors: { type: 'array', items: port } } }] },
  ],
  ['a thing in an envelope', '/app', wrapped('data', { id: {}, keys: { type: 'array', items: port } })],
  ['a state in an envelope', '/state', wrapped('data', { uptime: {}, fans: { type: 'array', items: port } })],
  ['a thing with links to others', '/about', { properties: { name: {}, links: { type: 'array', items: port } } }],
  ['a thing beside its errors', '/account', { allOf: [envelope, { properties: { result: { type: 'object' } } }] }],
  ['a zone in an envelope', '/zone', wrapped('data', { name: {}, ttl: {}, records: { type: 'array' } })],
  ['an order in an envelope', '/order', wrapped('data', { id: {}, count: {}, items: { type: 'array' } })],
  ['a part of a thing', '/app', wrapped('system', { ports: { type: 'array', items: port } })],
  ['a setting with names in it', '/actions', { properties: { patterns: texts, verified: {}, owned: {} } }],
  ['names with plain values', '/labels', map({ type: 'string' })],
  ['a thing with other fields', '/ports', { ...map(port), properties: { id: { type: 'string' } } }],
  ['a map that is called otherwise', '/ports', { type: 'object', properties: { extra: map(port) } }],
])('%s is none', (_, path, schema) => {
  expect(layoutOf(path, schema)).toBeUndefined();
});

test.each(['application/json', '*/*', 'application/*', 'application/vnd.acme+json'])(
  'a list is answered as %s',
  (type) => {
    const operation = { responses: { 200: { content: { 'text/csv': {}, [type]: { schema: { type: 'array' } } } } } };
    const document = { id: 'switch', content: {} } as unknown as ApiDocument;
    const source = { method: 'GET', path: '/ports', item: { get: operation }, operation };
    expect(readListLayout(document, source)).toEqual({ property: null });
  },
);

test('what a POST answers is none', () => {
  expect(layoutOf('/ports', map(port), { method: 'POST' })).toBeUndefined();
  expect(layoutOf('/ports', { oneOf: [port, { type: 'array', items: port }] }, { method: 'POST' })).toBeUndefined();
});

const called = { properties: { id: {}, ports: { type: 'array', items: port } } };
const several = { properties: { ports: { type: 'array', items: port }, vlans: { type: 'array', items: port } } };

test('an object that holds an array called like its path is a list where others make one of its entries, or read it', () => {
  expect(layoutOf('/ports', called)).toBeUndefined();
  expect(layoutOf('/ports', called, { beside: { post: {} } })).toEqual({ property: 'ports' });
  expect(layoutOf('/ports', called, { paths: { '/ports/{id}': { get: {} } } })).toEqual({ property: 'ports' });
  expect(layoutOf('/ports/{id}', called, { paths: { '/ports/{id}/{part}': { get: {} } } })).toBeUndefined();
});

test.each(['put', 'patch'])('and none where it can be %s as a whole', (method) => {
  expect(layoutOf('/ports', called, { beside: { [method]: {}, post: {} } })).toBeUndefined();
  expect(layoutOf('/ports', several, { beside: { [method]: {} } })).toBeUndefined();
  const held = wrapped('data', { ports: { type: 'array', items: port }, mode: {} });
  expect(layoutOf('/ports', held, { beside: { [method]: {}, post: {} } })).toBeUndefined();
});

test.each(['put', 'patch'])('a %s of many at once makes no object of a list whose entries can be read', (method) => {
  const paths = { '/ports/{id}': { get: {} } };
  expect(layoutOf('/ports', several, { beside: { [method]: {}, post: {} }, paths })).toEqual({ property: 'ports' });
});

test('a page at a path that ends in a parameter is a list where one of its entries can be read', () => {
  const page = { properties: { items: { type: 'array', items: port }, total: {} } };
  expect(layoutOf('/ports/{switch}', page)).toBeUndefined();
  const paths = { '/ports/{switch}/{port}': { get: {} } };
  expect(layoutOf('/ports/{switch}', page, { paths })).toEqual({ property: 'items' });
  expect(layoutOf('/ports/{switch}', page, { paths, beside: { put: {} } })).toBeUndefined();
});

test.each(['put', 'patch', 'delete'])(
  'what can be %s under its path is one thing, also where a read answers an array',
  (method) => {
    const ports = { type: 'array', items: port };
    expect(layoutOf('/ports/{id}', ports, { beside: { [method]: {} } })).toBeUndefined();
    expect(layoutOf('/ports/{id}', ports, { beside: { post: {} } })).toEqual({ property: null });
  },
);

test.each(['X-Total-Count', 'x-total', 'X-Pagination-Total-Count', 'Total-Count'])(
  'a declared %s holds the number of all entries',
  (name) => {
    expect(layoutOf('/ports', { type: 'array' }, { headers: { 'X-Total-Pages': {}, [name]: {} } })).toEqual({
      property: null,
      totalHeader: name,
    });
  },
);

test.each(['X Total Count', 'X-Total-Count:', 'X-Total-Count (integer)'])(
  'a declared %s is the name of no header, and asking for it would throw',
  (name) => {
    expect(layoutOf('/ports', { type: 'array' }, { headers: { [name]: {} } })).toEqual({ property: null });
  },
);

test.each([
  [{ default: 'list', 404: 'none' }, { property: null }],
  [{ '2xx': 'list' }, { property: null }],
  [{ 204: 'none', default: 'list' }, undefined],
  [{ 302: 'none', default: 'list' }, undefined],
])('of the responses %j the list of a success is %j', (stated, expected) => {
  const answers = {
    list: { content: { 'application/json': { schema: { type: 'array', items: port } } } },
    none: { description: 'none' },
  } as const;
  const responses = Object.fromEntries(
    Object.entries(stated).map(([status, answer]) => [status, answers[answer as keyof typeof answers]]),
  );
  const operation = { responses };
  const document = { id: 'switch', content: { paths: {} } } as unknown as ApiDocument;
  expect(readListLayout(document, { method: 'GET', path: '/ports', item: { get: operation }, operation })).toEqual(
    expected,
  );
});
