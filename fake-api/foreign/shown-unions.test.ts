/** What is sent fits as many branches of a union as it may; it is shown again as it was sent, and hides no other row of its list. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';
import { checkOf } from './foreign-schema-checks.ts';

const text = { type: 'string' };
const object = (properties: Part, required: string[] = []): Part => ({ type: 'object', required, properties });

/** Open branches of which each takes every word of the discriminator. */
const branch = (spec: Part): Part =>
  object({ type: { type: 'string', enum: ['threshold', 'ratio', 'script'] }, spec }, ['type']);
const query: Part = {
  oneOf: [
    branch(object({ metric: text })),
    branch(object({ share: { type: 'number' } })),
    branch(object({ script: text })),
  ],
};
const alert = object(
  { id: text, title: text, condition: object({ label: text, queries: { type: 'array', items: query } }, ['label']) },
  ['id', 'title', 'condition'],
);
const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
const merge = { 'application/merge-patch+json': { schema: { type: 'object' } } };

const alerts = foreignDocument({
  '/alerts': {
    get: answering(object({ items: { type: 'array', items: alert } }, ['items'])),
    post: {
      operationId: 'createAlert',
      requestBody: jsonBody(object({ title: text, condition: { type: 'object' } })),
      responses: { 201: { description: '', content: { 'application/json': { schema: alert } } } },
    },
  },
  '/alerts/{id}': {
    parameters,
    get: answering(alert),
    patch: { requestBody: { content: merge }, ...answering(alert) },
  },
});

test('of an object with such a part nothing is lost, and its list is whole', async () => {
  await using testbed = await foreignTestbed(alerts);
  const sent = { title: 'Loss', condition: { label: 'loss of packets', queries: [{ type: 'threshold' }] } };
  const { body } = testbed.call('POST', '/alerts', sent);
  expect(body).toEqual({ id: body.id, ...sent });
  expect(testbed.call('GET', `/alerts/${body.id}`).body).toEqual(body);
  const { items } = testbed.call('GET', '/alerts').body;
  expect(items).toHaveLength(4);
  expect(items).toContainEqual(body);
});

test('a merge patch of it is no reason to refuse', async () => {
  await using testbed = await foreignTestbed(alerts);
  const { id } = testbed.call('POST', '/alerts', { title: 'Loss', condition: { label: 'loss' } }).body;
  const change = { condition: { queries: [{ type: 'ratio' }] } };
  const patched = testbed.call('PATCH', `/alerts/${id}`, change, { 'content-type': 'application/merge-patch+json' });
  expect(patched).toMatchObject({ status: 200, body: { condition: { label: 'loss', queries: [{ type: 'ratio' }] } } });
});

test('an example of the document that fits several branches is not answered', async () => {
  const example = {
    items: [{ id: 'a1', title: 'Loss', condition: { label: 'loss', queries: [{ type: 'threshold' }] } }],
  };
  const schema = object({ items: { type: 'array', items: alert } }, ['items']);
  const content = { 'application/json': { schema, example } };
  await using testbed = await foreignTestbed(
    foreignDocument({ '/alerts': { get: { responses: { 200: { description: '', content } } } } }),
  );
  const { items } = testbed.call('GET', '/alerts').body;
  const { document } = testbed.platform;
  expect(items.map((item: Part) => checkOf(document, alert, 'response')(item))).toEqual(items.map(() => null));
});
