/** What a create sends is shown wherever a reader of the thing has a field for it, however body, thing and list differ. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const object = (properties: Part): Part => ({ type: 'object', properties });
const listOf = (items: Part): Part => ({ type: 'array', items });
const created = (schema: Part): Part => ({ 201: { description: '', content: { 'application/json': { schema } } } });
const item = (name: string, schema: Part): Part => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'integer' } }],
  get: answering(schema),
});

test.each<[string, Part, Part, unknown, string]>([
  [
    'a field that only rows of the list have',
    {
      '/mails': { get: answering(listOf(object({ id: { type: 'integer' }, subject: text }))), post: { requestBody: jsonBody(object({ subject: text, text })), responses: created(object({ id: { type: 'integer' } })) } },
      '/mails/{id}': item('id', object({ id: { type: 'integer' }, text })),
    },
    {},
    { subject: 'mark-1', text: 'hello' },
    '/mails',
  ],
  [
    'a thing in one object of a body that has others',
    {
      '/payments': { get: answering(object({ Data: listOf(object({ PaymentId: text, ConsentId: text, Purpose: text })) })), post: { requestBody: jsonBody(object({ Data: object({ ConsentId: text, Purpose: text }), Risk: object({ Code: text }) })), responses: created(object({ Data: object({ PaymentId: text, ConsentId: text, Purpose: text }) })) } },
    },
    {},
    { Data: { ConsentId: 'mark-1', Purpose: 'rent' }, Risk: { Code: 'low' } },
    '/payments',
  ],
  [
    'a field that the thing has further inside',
    {
      '/ships': { get: answering(object({ data: listOf(object({ symbol: text, nav: object({ waypoint: text, speed: { type: 'integer' } }) })) })), post: { requestBody: jsonBody(object({ waypoint: text })), responses: created(object({ data: object({ symbol: text, nav: object({ waypoint: text }) }) })) } },
    },
    {},
    { waypoint: 'mark-1' },
    '/ships',
  ],
  [
    'answers that only an example shows',
    {
      '/questions': {
        get: { responses: { 200: { description: '', content: { 'application/json': { example: [{ question: 'Why?', votes: 7 }] } } } } },
        post: { requestBody: jsonBody(object({ question: text })), responses: { 201: { description: '', content: { 'application/json': { example: { question: 'Why?', votes: 0 } } } } } },
      },
    },
    {},
    { question: 'mark-1' },
    '/questions',
  ],
  [
    'a list beside which warnings stand, at a path without an operation id that is a verb',
    {
      '/orders/lists': { get: answering(object({ lists: listOf(object({ _id: text, label: text })), total: { type: 'integer' }, warnings: listOf(object({ code: text })) })), post: { requestBody: jsonBody(object({ label: text })), responses: { 200: { description: '', content: { 'application/json': { schema: object({ _id: text }) } } } } } },
    },
    {},
    { label: 'mark-1' },
    '/orders/lists',
  ],
])('%s', async (_what, paths, more, body, list) => {
  await using zoo = await foreignTestbed(foreignDocument(paths, more));
  const made = zoo.call('POST', list, body);
  expect(made.status).toBeLessThan(300);
  expect(JSON.stringify(zoo.call('GET', list).body)).toContain('mark-1');
}); // biome-ignore format: one operation a line

test('an answer that is the key alone leads to the thing which does not say it', async () => {
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/notes': {
        post: { operationId: 'addNote', requestBody: jsonBody(object({ words: text })), responses: created({ type: 'integer' }) },
      },
      '/notes/{noteId}': item('noteId', object({ words: text })),
    }),
  ); // biome-ignore format: one operation a line
  const key = zoo.call('POST', '/notes', { words: 'mark-1' }).body;
  expect(zoo.call('GET', `/notes/${key}`).body).toEqual({ words: 'mark-1' });
});

test('of a composition that is closed beside its parts, the fields of the parts are no strangers', async () => {
  const link = { allOf: [object({ href: text })], required: ['href'], additionalProperties: false };
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/link': { get: answering(link), post: { requestBody: jsonBody(link), responses: created({}) } },
    }),
  );
  expect(Object.keys(zoo.call('GET', '/link').body)).toEqual(['href']);
  expect(zoo.call('POST', '/link', { href: 'x' }).status).toBe(201);
  expect(zoo.call('POST', '/link', { href: 'x', other: 'y' }).status).toBe(400);
});

test('an object that is required in a query may be empty where its fields stand one by one', async () => {
  const map = { name: 'labels', in: 'query', required: true, schema: { type: 'object', additionalProperties: text } };
  await using zoo = await foreignTestbed(
    foreignDocument({ '/search': { get: answering(listOf(object({ id: text })), { parameters: [map] }) } }),
  );
  expect(zoo.call('GET', '/search').status).toBe(200);
});
