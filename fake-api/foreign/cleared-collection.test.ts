/** Calls at a collection that remove or change several of its things: those that the query selects, or that the body names. */
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

test('by the keys in its body, which are also those of what is changed at once', async () => {
  const list = { type: 'array', items: port };
  const sent = (schema: Part) => ({ requestBody: { content: { 'application/json': { schema } } } });
  const ofMany: Part = {
    get: answering(list),
    patch: { ...sent(list), ...answering(list) },
    put: { ...sent(list), ...answering(list) },
    delete: { ...sent({ anyOf: [list, { type: 'object' }] }), responses: { 204: { description: '' } } },
  };
  const ofOne = { parameters: [{ name: 'id', in: 'path', required: true, schema: text }], get: answering(port) };
  await using testbed = await foreignTestbed(foreignDocument({ '/ports': ofMany, '/ports/{id}': ofOne }));
  const { call } = testbed;
  const [first, second, third] = call('GET', '/ports').body;
  const both = [first, second].map(({ id }: Part) => ({ id, mode: 'trunk' }));
  expect(call('PATCH', '/ports', both).body).toEqual(both);
  expect(call('GET', '/ports').body).toEqual([...both, third]);
  expect(call('PUT', '/ports', [{ id: third.id, mode: 'access' }]).body).toHaveLength(1);
  expect(call('DELETE', '/ports', [{ id: first.id }, { id: 'other' }]).status).toBe(204);
  expect(call('GET', `/ports/${first.id}`).status).toBe(404);
  expect(call('DELETE', '/ports', { ids: [second.id] }).status).toBe(204);
  expect(call('GET', '/ports').body).toEqual([{ id: third.id, mode: 'access' }]);
});

test('what stands below a removed thing is gone with it, also when one of that name is made again', async () => {
  const key = (name: string) => ({ name, in: 'path', required: true, schema: text });
  const site: Part = { type: 'object', properties: { name: text } };
  const body = {
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties: { id: text, name: text } } } },
  };
  const put = { requestBody: body, responses: { 204: { description: '' } } };
  await using testbed = await foreignTestbed(
    foreignDocument({
      '/sites/{site}': {
        parameters: [key('site')],
        get: answering(site),
        put,
        delete: { responses: { 204: { description: '' } } },
      },
      '/sites/{site}/ports': {
        parameters: [key('site')],
        get: answering({ type: 'array', items: port }),
        post: {
          requestBody: body,
          responses: { 201: { description: '', content: { 'application/json': { schema: port } } } },
        },
      },
    }),
  );
  const { call } = testbed;
  const ports = (at: string) => call('GET', `/sites/${at}/ports`).body;
  const before = ports('hq');
  for (const at of ['hq', 'hq2']) call('POST', `/sites/${at}/ports`, { id: 'uplink' });
  call('DELETE', '/sites/hq');
  call('PUT', '/sites/hq', { name: 'Harbour House' });
  expect(ports('hq')).toEqual(before);
  expect(ports('hq2')).toContainEqual(expect.objectContaining({ id: 'uplink' }));
});
