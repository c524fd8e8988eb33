/** What a POST answers as the id of a thing is what its path reads, in whatever form a document declares ids. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: Part): Part => ({ type: 'object', properties });

/** Keys with such an id, made by a POST that answers so. */
const keys = (id: Part, answered?: Part): Part => {
  const key = object({ id, name: text, label: text });
  const parameters = [{ name: 'keyId', in: 'path', required: true, schema: text }];
  return foreignDocument(
    {
      '/keys': {
        get: answering({ type: 'array', items: key }),
        post: {
          operationId: 'createKey',
          requestBody: jsonBody(object({ name: text, label: text })),
          responses: { 201: { description: '', content: { 'application/json': { schema: answered ?? key } } } },
        },
      },
      '/keys/{keyId}': { parameters, get: answering(key) },
    },
    { components: { schemas: { Id: { type: 'string', format: 'uuid' } } } },
  );
};

test.each<[string, Part]>([
  ['of no type', { description: 'Given by the platform' }],
  ['of several types', { anyOf: [number, text] }],
  ['a number or null', { anyOf: [number, { type: 'null' }] }],
  ['one form', { oneOf: [{ $ref: '#/components/schemas/Id' }] }],
])('%s', async (_, id) => {
  await using testbed = await foreignTestbed(keys(id));
  const made = testbed.call('POST', '/keys', { name: 'a', label: 'b' }).body;
  expect(made).toEqual({ id: expect.anything(), name: 'a', label: 'b' });
  expect(made.id).not.toBe('a');
  expect(testbed.call('GET', `/keys/${made.id}`).body).toEqual(made);
  expect(testbed.call('GET', '/keys').body).toContainEqual(made);
});

test('in an object that is called so', async () => {
  await using testbed = await foreignTestbed(keys(object({ kind: text, id: { $ref: '#/components/schemas/Id' } })));
  const made = testbed.call('POST', '/keys', { name: 'a' }).body;
  expect(made).toMatchObject({ id: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) }, name: 'a' });
  expect(testbed.call('GET', `/keys/${made.id.id}`).body).toEqual(made);
});

test('in an answer that has no more than it', async () => {
  await using testbed = await foreignTestbed(keys(number, object({ message: text, keyId: number })));
  const { keyId } = testbed.call('POST', '/keys', { name: 'a' }).body;
  expect(testbed.call('GET', `/keys/${keyId}`).body).toEqual({ id: keyId, name: 'a' });
});

test('a MAC address in a path, in capitals or with its colons encoded, names one thing', async () => {
  const port = object({ mac: { ...text, pattern: '^([0-9A-F]{2}:){5}[0-9A-F]{2}$' }, name: text });
  const parameters = [{ name: 'mac', in: 'path', required: true, schema: text }];
  const patch = { requestBody: jsonBody(object({ name: text })), ...answering(port) };
  await using testbed = await foreignTestbed(
    foreignDocument({
      '/ports': { get: answering({ type: 'array', items: port }) },
      '/ports/{mac}': {
        parameters,
        get: answering(port),
        patch,
        delete: { responses: { 204: { description: '' } } },
      },
      '/ports/{mac}/counters': { parameters, get: answering(object({ frames: number })) },
    }),
  );
  const list = (): { mac: string; name: string }[] => testbed.call('GET', '/ports').body;
  const [{ mac } = { mac: '' }] = list();
  testbed.call('PATCH', `/ports/${mac.toLowerCase()}`, { name: 'uplink' });
  expect(list()).toHaveLength(3);
  expect(list()[0]).toEqual({ mac, name: 'uplink' });
  expect(testbed.call('DELETE', `/ports/${mac}`).status).toBe(204);
  expect(list()).toHaveLength(2);
  for (const key of [mac, mac.toLowerCase(), encodeURIComponent(mac)])
    for (const below of ['', '/counters']) expect(testbed.call('GET', `/ports/${key}${below}`).status).toBe(404);
});

test('a new thing takes no key of one that the list shows, but of one that an example shows', async () => {
  const vlan = object({ name: text, tag: number });
  const parameters = [{ name: 'name', in: 'path', required: true, schema: text }];
  const responses = { 201: { description: '', content: { 'application/json': { schema: vlan } } } };
  const vlans = (example?: unknown): Part =>
    foreignDocument({
      '/vlans': {
        get: {
          responses: {
            200: {
              description: '',
              content: {
                'application/json': { schema: { type: 'array', items: vlan }, ...(example ? { example } : {}) },
              },
            },
          },
        },
        post: { requestBody: jsonBody(vlan), responses },
      },
      '/vlans/{name}': { parameters, get: answering(vlan) },
    });
  await using drawn = await foreignTestbed(vlans());
  const before = drawn.call('GET', '/vlans').body;
  expect(drawn.call('POST', '/vlans', { name: before[0].name, tag: 7 }).status).toBe(409);
  expect(drawn.call('GET', '/vlans').body).toEqual(before);

  await using stated = await foreignTestbed(vlans([{ name: 'guest', tag: 30 }]));
  const statuses = [1, 2].map((tag) => stated.call('POST', '/vlans', { name: 'guest', tag }).status);
  expect(statuses).toEqual([201, 409]);
});
