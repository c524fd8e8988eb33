/** Which answers are lists, as in the router: what is made below them is in them, and what is one thing stays as it was put. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const port: Part = { type: 'object', required: ['id'], properties: { id: text, name: text, speed: number } };
const ports: Part = { type: 'array', items: port };
const orNull = (schema: Part): Part => ({ anyOf: [schema, { type: 'null' }] });
const object = (properties: Part): Part => ({ type: 'object', properties });
const page = object({ total: number });
const made = { 201: { description: '', content: { 'application/json': { schema: port } } } };
const post: Part = { operationId: 'createPort', requestBody: jsonBody(object({ name: text })), responses: made };

test.each<[string, Part, string[]]>([
  ['an array or null', { type: ['array', 'null'], items: port }, []],
  ['an array in allOf', { allOf: [ports] }, []],
  ['a field that is an array or null', object({ items: { type: ['array', 'null'], items: port }, total: number }), ['items']],
  ['a field that is one of an array and null', object({ ports: orNull(ports), total: number }), ['ports']],
  ['a page or null', orNull(object({ ports, total: number })), ['ports']],
  ['a holder or null', object({ code: number, data: orNull(object({ rows: ports, total: number })) }), ['data', 'rows']],
  ['forms inside of allOf', { allOf: [page, { oneOf: [{ allOf: [object({ items: ports })] }, object({ error: text })] }] }, ['items']],
  ['an array called like the path, in what holds every answer', object({ data: object({ ports, revision: number }) }), ['data', 'ports']],
  ['an array called like the path, beside others', object({ vlans: ports, ports, groups: ports }), ['ports']],
  ['the same with an identity, where a POST makes one', object({ id: text, ports }), ['ports']],
])('%s is a list', async (_, schema, place) => {
  await using testbed = await foreignTestbed(foreignDocument({ '/ports': { get: answering(schema), post } }));
  const { id } = testbed.call('POST', '/ports', { name: 'uplink' }).body;
  const rows = () => place.reduce((at, name) => at[name], testbed.call('GET', '/ports').body);
  expect(rows()).toContainEqual(expect.objectContaining({ id, name: 'uplink' }));
}); // biome-ignore format: a case a line

test('an object with a list, in what holds every answer, is one object', async () => {
  const data = object({ name: text, state: text, ports });
  const put = { requestBody: jsonBody(data), responses: { 204: { description: '' } } };
  const document = foreignDocument({ '/switch': { get: answering(object({ status: text, data })), put } });
  await using testbed = await foreignTestbed(document);
  testbed.call('PUT', '/switch', { name: 'core', ports: [{ id: 'p1' }] });
  expect(testbed.call('GET', '/switch').body.data).toEqual({ name: 'core', ports: [{ id: 'p1' }] });
});

test('what an answer says of itself is a list where it is asked for', async () => {
  const answer = object({ messages: ports, total: number });
  await using testbed = await foreignTestbed(foreignDocument({ '/messages': { get: answering(answer), post } }));
  testbed.call('POST', '/messages', { name: 'hello' });
  expect(testbed.call('GET', '/messages').body.messages.at(-1)).toMatchObject({ name: 'hello' });
});

test.each<[string, Part]>([
  ['with an identity', object({ id: text, ports })],
  ['with several arrays', object({ ports, vlans: ports })],
  ['with an identity and a list', object({ id: text, list: ports })],
])('what is put as a whole is one thing: %s', async (_, schema) => {
  const put = { requestBody: jsonBody(schema), ...answering(schema) };
  await using testbed = await foreignTestbed(foreignDocument({ '/ports': { get: answering(schema), put } }));
  const name = Object.keys(schema['properties'] as Part).find((each) => each !== 'id') as string;
  testbed.call('PUT', '/ports', { [name]: [{ id: 'p1', name: 'uplink' }] });
  expect(testbed.call('GET', '/ports').body[name]).toEqual([{ id: 'p1', name: 'uplink' }]);
});

test('a read of an array, with nothing else there or above, is paged', async () => {
  const network = { name: 'network', in: 'path', required: true, schema: text };
  const limit = { name: 'limit', in: 'query', schema: number };
  const get = answering(ports, { parameters: [network, limit] });
  await using testbed = await foreignTestbed(foreignDocument({ '/nodes/{network}': { get } }));
  expect(testbed.call('GET', '/nodes/n1?limit=2').body).toHaveLength(2);
});

test('a PATCH of many at once makes no object of a list whose entries can be read', async () => {
  const answer = object({ data: object({ ports, revision: number }) });
  const patch = { requestBody: jsonBody(object({ ports })), ...answering(object({ done: number })) };
  const id = { name: 'id', in: 'path', required: true, schema: text };
  await using testbed = await foreignTestbed(
    foreignDocument({
      '/ports': { get: answering(answer), post, patch },
      '/ports/{id}': { parameters: [id], get: answering(port) },
    }),
  );
  const made = testbed.call('POST', '/ports', { name: 'uplink' }).body;
  expect(testbed.call('GET', '/ports').body.data.ports).toContainEqual(made);
});
