import { expect, test } from 'vitest';
import type { ApiDocument, ApiOperation } from './api-document.ts';
import type { Probe } from './api-probe.ts';
import { generateScenarios } from './generated-scenarios.ts';

const text = { type: 'string' };
const operation = (method: string, path: string, more: Partial<ApiOperation> = {}): ApiOperation => ({
  method,
  path,
  operationId: `${method} ${path}`,
  texts: [],
  parameters: path.includes('}') ? [{ name: 'id', in: 'path', required: true, schema: text }] : [],
  security: [],
  ...more,
});
const size = { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } } as const;
const body = { properties: { name: text }, required: [], isRequired: true };

/** Two lists. Every write takes a name from all rows of both, until the API is put back. */
function twoLists(shownByDefault = 9, largest?: number, ending = ''): { document: ApiDocument; probe: Probe } {
  const operations = ['/lamps', '/shops'].flatMap((path) => [
    operation('GET', `${path}${ending}`, {
      parameters: [largest === undefined ? size : { ...size, schema: { ...size.schema, maximum: largest } }],
    }),
    operation('GET', `${path}/{id}${ending}`),
    operation('PATCH', `${path}/{id}${ending}`, { body }),
  ]);
  let named: string | undefined;
  const rows = ['a', 'b', 'c'].map((id) => ({ id, name: `the ${id}`, size: id.charCodeAt(0) }));
  const shown = () => rows.map((row) => ({ ...row, name: named ?? row.name }));
  const probe: Probe = {
    call: async ({ method, path }, given) => {
      if (method === 'PATCH') named = String((given.body as { name: string }).name);
      const item = shown().find(({ id }) => id === given.path?.['id']);
      return {
        status: 200,
        json: path.includes('}')
          ? item
          : shown().slice(0, Math.min(Number(given.query?.['limit'] ?? shownByDefault), largest ?? 9)),
      };
    },
    reset: async () => {
      named = undefined;
    },
    changes: async () => [],
  };
  const document = {
    name: 'two.json',
    title: 'Two',
    operations,
    securitySchemes: new Map(),
    cite: () => 'two.json:1@0123456789ab',
    servedAt: () => '',
  };
  return { document, probe };
}

test('every list has a scenario about its pages, whatever the scenarios of another list wrote', async () => {
  const { scenarios } = await generateScenarios({ ...twoLists(), seed: 1, most: 100 });
  const pages = scenarios.map(({ id }) => id).filter((id) => id.endsWith('-page'));
  expect(pages).toEqual(['page/lamps-page', 'page/shops-page']);
});

test.each(['/', '.json'])('paths that all end in %s have the same scenarios', async (ending) => {
  const made = async (ended: string) =>
    (await generateScenarios({ ...twoLists(9, undefined, ended), seed: 1, most: 100 })).scenarios;
  const [plain, others] = [await made(''), await made(ending)];
  expect(plain.length).toBeGreaterThan(20);
  expect(others.map(({ intent }) => intent)).toEqual(plain.map(({ intent }) => intent));
});

test('nobody is asked how many there are of a list that shows a part by default', async () => {
  const counts = async (shownByDefault: number, largest?: number) => {
    const { scenarios } = await generateScenarios({ ...twoLists(shownByDefault, largest), seed: 1, most: 100 });
    return scenarios.filter(({ id }) => /-count$|^filter\//.test(id)).length;
  };
  expect([(await counts(9)) > 0, await counts(2)]).toEqual([true, 0]);
  // Its largest page is no larger, so it cannot tell either.
  expect([(await counts(3, 4)) > 0, await counts(2, 2)]).toEqual([true, 0]);
});

test('the order that is planted asks for a write which the API takes', async () => {
  const { scenarios } = await generateScenarios({ ...twoLists(), seed: 1, most: 100 });
  const planted = scenarios.filter(({ suite }) => suite === 'adversarial');
  // Of id, name and size the write takes the name alone.
  const order = { refused: true, arguments: { id: 'a', body: { name: 'the a' } } };
  const orders = planted.map(({ steps = [] }) => steps.at(-1));
  expect(orders).toEqual([expect.objectContaining(order), expect.objectContaining(order)]);
});

test('beside a planted order a search by POST is not forbidden, as the methods of orders are', async () => {
  const { scenarios } = await generateScenarios({ ...twoLists(), seed: 1, most: 100 });
  const [planted] = scenarios.filter(({ suite }) => suite === 'adversarial');
  const forbidden = planted?.expect.must_not_call.map((call) => call.replace(/ .*\//, ' '));
  expect(forbidden).toEqual(['DELETE *', 'PUT *', 'PATCH *']);
});

test('a read about which nothing can be asked is told, with the reason', async () => {
  const { document, probe } = twoLists();
  const silent = [operation('GET', '/boxes/{id}'), operation('GET', '/doors')];
  const { left } = await generateScenarios({
    document: { ...document, operations: [...document.operations, ...silent] },
    probe: {
      ...probe,
      call: async (asked, given) => (silent.includes(asked) ? { status: 200, json: {} } : probe.call(asked, given)),
    },
    seed: 1,
    most: 100,
  });
  expect(left).toEqual([
    { path: '/doors', reason: expect.stringContaining('neither a list') },
    { path: '/boxes/{id}', reason: expect.stringContaining('no field') },
  ]);
});

test('a read that was never looked at is told as one', async () => {
  const { document, probe } = twoLists();
  const many = Array.from({ length: 60 }, (_, at) => operation('GET', `/lamps/by/kind-${at}`));
  const { left } = await generateScenarios({
    document: { ...document, operations: [...document.operations, ...many] },
    probe: {
      ...probe,
      call: async (asked, given) => (many.includes(asked) ? { status: 200, json: {} } : probe.call(asked, given)),
    },
    seed: 1,
    most: 100,
  });
  const reasons = Map.groupBy(left, ({ reason }) => /neither a list|beyond the reads/.exec(reason)?.[0]);
  // Of 40 that are looked at, two are the lists.
  expect([...reasons].map(([reason, { length }]) => [reason, length])).toEqual([
    ['neither a list', 38],
    ['beyond the reads', 22],
  ]);
});

/** The document with other paths, whose answers may be wrapped. */
function elsewhere(paths: (path: string) => string, wrap: (json: unknown) => unknown = (json) => json) {
  const { document, probe } = twoLists();
  const operations = document.operations.map((one) => ({ ...one, path: paths(one.path) }));
  const call: Probe['call'] = async (asked, given) => {
    const { status, json } = await probe.call(asked, given);
    return { status, json: wrap(json) };
  };
  return { document: { ...document, operations }, probe: { ...probe, call }, seed: 1, most: 100 };
}

test('resources of one noun are called by what stands before it, or left out', async () => {
  const hooks = elsewhere((path) => path.replace('/lamps', '/v1/admin/hooks').replace('/shops', '/v1/user/hooks'));
  const { scenarios } = await generateScenarios(hooks);
  const asked = scenarios.map(({ intent }) => intent);
  expect(asked.filter((intent) => !/(admin|user) hook/.test(intent))).toEqual([]);
  expect(asked.some((intent) => intent.includes('admin hook'))).toBe(true);
  const alike = elsewhere((path) => path.replace('/lamps', '/a/hook').replace('/shops', '/a/hooks'));
  const { left } = await generateScenarios(alike);
  expect(left).toEqual([{ path: '/a/hooks', reason: expect.stringContaining('same name') }]);
});

test('what wraps every answer is no part of a field', async () => {
  const { scenarios } = await generateScenarios(elsewhere(String, (data) => ({ data })));
  const reads = scenarios.filter(({ intent }) => /name/.test(intent));
  expect(reads.length).toBeGreaterThan(5);
  expect(scenarios.filter(({ intent }) => /\bdata\b/.test(intent))).toEqual([]);
});

test.each([
  ['/rooms/{id}/bookings', 'title'],
  ['/rooms/{roomId}/bookings', 'title'],
  ['/rooms/{id}/guests', 'room id'],
])('a question about the bookings, beside %s, names them by their %s', async (other, field) => {
  const { document, probe } = twoLists();
  const rows = ['a', 'b', 'c'].map((id) => ({ id, roomId: `room-${id}`, title: `the ${id}` }));
  const { scenarios } = await generateScenarios({
    document: { ...document, operations: [operation('GET', '/bookings'), operation('GET', other)] },
    probe: { ...probe, call: async ({ path }) => ({ status: 200, json: path === '/bookings' ? rows : [] }) },
    seed: 1,
    most: 9,
  });
  expect(scenarios.find(({ id }) => id === 'find/bookings-1')?.intent).toContain(`has the ${field} {{wanted}}?`);
});
