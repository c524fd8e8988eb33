/** A DELETE of a collection removes what its query selects, and all of it where it selects nothing. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const port: Part = { type: 'object', properties: { id: text, mode: { enum: ['access', 'trunk'] } } };
const inQuery = (name: string, schema: Part, more: Part = {}) => ({ name, in: 'query', schema, ...more });
const ids = inQuery('ids', { type: 'array', items: text }, { style: 'pipeDelimited', explode: false });
const document = foreignDocument({
  '/ports': {
    get: { parameters: [ids], ...answering({ type: 'array', items: port }) },
    delete: { parameters: [ids, inQuery('mode', text)], responses: { 204: { description: '' } } },
  },
  '/ports/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: text }], get: answering(port) },
});

test('by the keys that a list of them names', async () => {
  await using testbed = await foreignTestbed(document);
  const { call } = testbed;
  const [first, second, third] = call('GET', '/ports').body;
  expect(call('GET', `/ports?ids=${first.id}%7C${third.id}`).body).toEqual([first, third]);
  expect(call('DELETE', `/ports?ids=${first.id}%7C${third.id}%7Cother`).status).toBe(204);
  expect(call('GET', '/ports').body).toEqual([second]);
});

test('by the value of a field, and without a query all', async () => {
  await using testbed = await foreignTestbed(document);
  const { call } = testbed;
  const rows: { mode: string }[] = call('GET', '/ports').body;
  call('DELETE', '/ports?mode=trunk');
  expect(call('GET', '/ports').body).toEqual(rows.filter(({ mode }) => mode !== 'trunk'));
  call('DELETE', '/ports');
  expect(call('GET', '/ports').body).toEqual([]);
});
