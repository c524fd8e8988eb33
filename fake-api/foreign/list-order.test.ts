/** The order of a list, as a caller asks for it in the words of many platforms. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const port: Part = {
  type: 'object',
  required: ['id'],
  properties: {
    id: text,
    name: text,
    speed: number,
    changed_at: { ...text, format: 'date-time' },
    vlan: { type: 'object', properties: { tag: number } },
  },
};
const inQuery = (name: string, schema: Part, more: Part = {}) => ({ name, in: 'query', schema, ...more });

/** Three ports of the start and three that are made, asked for with these parameters. */
async function asked(parameters: Part[], query: string, names = ['b', 'c', 'a']) {
  const get = answering({ type: 'array', items: port }, { parameters: [inQuery('limit', number), ...parameters] });
  const body = jsonBody({ type: 'object', properties: port['properties'] });
  const post = {
    requestBody: body,
    responses: { 201: { description: '', content: { 'application/json': { schema: port } } } },
  };
  await using testbed = await foreignTestbed(
    foreignDocument({
      '/ports': { get, post },
      '/ports/{id}': { get: answering(port), delete: { responses: { 204: { description: '' } } } },
    }),
  );
  for (const { id } of testbed.call('GET', '/ports').body) testbed.call('DELETE', `/ports/${id}`);
  for (const [at, name] of names.entries())
    testbed.call('POST', '/ports', {
      name,
      speed: 10 * (at % 2),
      changed_at: `2026-01-0${at + 1}T00:00:00Z`,
      vlan: { tag: 9 - at },
    });
  return testbed
    .call('GET', `/ports?${query}`)
    .body.map((row: { name: string }) => row.name)
    .join('');
}

const sort = [inQuery('sort', text)];
const list = [inQuery('sort', { type: 'array', items: text })];
const pair = (one: string, other: string) => [inQuery(one, text), inQuery(other, { enum: ['asc', 'desc'] })];

test.each<[string, Part[], string, string]>([
  ['a field', sort, 'sort=name', 'abc'],
  ['a sign', sort, 'sort=-name', 'cba'],
  ['several fields', sort, 'sort=speed,-name', 'bac'],
  ['a direction behind a colon', sort, 'sort=name:desc', 'cba'],
  ['a direction as a word of the list', list, 'sort=name,desc', 'cba'],
  ['a direction around the field', sort, 'sort=desc(name)', 'cba'],
  ['a direction in the word', [inQuery('order_by', { enum: ['NAME_ASC', 'NAME_DESC'] })], 'order_by=NAME_DESC', 'cba'],
  ['OData', [inQuery('$orderby', text)], '$orderby=name%20desc', 'cba'],
  ['a field and a direction', pair('sort_by', 'order'), 'sort_by=name&order=desc', 'cba'],
  ['the same in the other order', pair('orderBy', 'sortOrder').toReversed(), 'sortOrder=desc&orderBy=name', 'cba'],
  ['a direction alone, with a stated field', [inQuery('sort', { ...text, default: 'name' }), inQuery('direction', text)], 'direction=desc', 'cba'],
  ['a time without its ending', sort, 'sort=-changed', 'acb'],
  ['a field inside of another', sort, 'sort=vlan.tag', 'acb'],
  ['an object of directions', [inQuery('sort', { type: 'object' }, { style: 'deepObject' })], 'sort[name]=desc', 'cba'],
])('%s', async (_, parameters, query, names) => {
  expect(await asked(parameters, query)).toBe(names);
}); // biome-ignore format: a case a line

test('a word that is no field changes nothing', async () => {
  expect(await asked(sort, 'sort=relevance')).toBe(await asked(sort, 'limit=50'));
});

test('pages are cut from the ordered list', async () => {
  expect(await asked([...sort, inQuery('offset', number)], 'sort=-name&limit=2&offset=1')).toBe('ba');
});
