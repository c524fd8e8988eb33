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
  [
    'a create that answers a status alone, of fields that the thing has further inside',
    {
      '/mailings': {
        get: answering(object({ result: object({ elements: listOf(object({ id: text, link: object({ surveyId: text, expires: text }) })) }) })),
        post: { operationId: 'GenerateMailing', requestBody: jsonBody(object({ action: text, surveyId: text, expires: text })), responses: { 200: { description: '' } } },
      },
    },
    {},
    { action: 'Create', surveyId: 'survey-1', expires: 'mark-1' },
    '/mailings',
  ],
  [
    'a field that the body begins with the noun, and one in another spelling',
    {
      '/bookings': {
        get: answering(object({ data: listOf(object({ bookingId: text, contact: object({ email: text, contactId: text }), roomType: text })) })),
        post: { operationId: 'createBooking', requestBody: jsonBody(object({ bookingContact: object({ email: text }), room_type: text })), responses: created(object({ bookingId: text })) },
      },
    },
    {},
    { bookingContact: { email: 'mark-1' }, room_type: 'single' },
    '/bookings',
  ],
  [
    'a field of an object that the thing calls otherwise',
    {
      '/payments': {
        get: answering(object({ results: listOf(object({ paymentId: text, amount: { type: 'integer' }, card: object({ holder: text, brand: text }) })) })),
        post: { operationId: 'Create a payment', requestBody: jsonBody(object({ amount: { type: 'integer' }, prefilled: object({ holder: text }) })), responses: created(object({ paymentId: text })) },
      },
    },
    {},
    { amount: 7, prefilled: { holder: 'mark-1' } },
    '/payments',
  ],
  [
    'things in a list of the body beside a field that they have too',
    {
      '/payees': {
        get: answering(object({ content: listOf(object({ payeeId: text, email: text, country: text, payorId: text })) })),
        post: { operationId: 'createPayees', requestBody: jsonBody(object({ payees: listOf(object({ email: text, country: text })), payorId: text })), responses: created(object({ batchId: text })) },
      },
    },
    {},
    { payees: [{ email: 'mark-1', country: 'IE' }], payorId: 'p-1' },
    '/payees',
  ],
  [
    'a field of the format password that is called like no secret',
    {
      '/users': {
        get: answering(object({ Users: listOf(object({ Id: text, GivenName: { type: 'string', format: 'password' } })) })),
        post: { operationId: 'CreateUser', requestBody: jsonBody(object({ GivenName: { type: 'string', format: 'password' }, Password: { type: 'string', format: 'password' } })), responses: created(object({ User: object({ Id: text }) })) },
      },
    },
    {},
    { GivenName: 'mark-1', Password: 'hunter-22' },
    '/users',
  ],
  [
    'a list whose rows only its example shows',
    {
      '/provisions': {
        get: { responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'array', items: {} }, examples: { one: { value: [{ email: '', role: '' }] } } } } } } },
        post: { requestBody: jsonBody(object({ email: text, role: text })), responses: { 200: { description: '', content: { 'application/json': { schema: object({ email: text, role: text }) } } } } },
      },
    },
    {},
    { email: 'mark-1', role: 'admin' },
    '/provisions',
  ],
  [
    'a list at the path of the thing that its rows are about',
    {
      '/statuses/{sha}': {
        parameters: [{ name: 'sha', in: 'path', required: true, schema: text }],
        get: answering(listOf(object({ id: { type: 'integer' }, context: text }))),
        post: { operationId: 'createStatus', requestBody: jsonBody(object({ context: text })), responses: created(object({ id: { type: 'integer' }, context: text })) },
      },
    },
    {},
    { context: 'mark-1' },
    '/statuses/4c1f',
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

test.each([
  ['sendFax', { id: text, to: text }, true],
  ['sendFax', { queued: { type: 'boolean' } }, false],
  ['searchFaxes', { id: text, to: text }, false],
])('a POST called %s that answers %j is a create: %s', async (operationId, answered, isCreate) => {
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/faxes': { get: answering(listOf(object({ id: text, to: text }))) },
      '/faxes/': { post: { operationId, requestBody: jsonBody(object({ to: text })), responses: { 202: { description: '', content: { 'application/json': { schema: object(answered) } } } } } },
    }),
  ); // biome-ignore format: one operation a line
  expect(zoo.call('POST', '/faxes/', { to: 'mark-1' }).status).toBe(202);
  expect(JSON.stringify(zoo.call('GET', '/faxes').body).includes('mark-1')).toBe(isCreate);
});

test('an answer that has the address of what it made, and no key, leads to it', async () => {
  const face = { image: text, this_url: { ...text, readOnly: true } };
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/faces': { post: { operationId: 'addFace', requestBody: jsonBody(object({ image: text })), responses: created(object(face)) } },
      '/faces/{taskId}': item('taskId', object({ image: text, answer: { type: 'integer' } })),
    }),
  ); // biome-ignore format: one operation a line
  const made = zoo.call('POST', '/faces', { image: 'mark-1' }).body as { this_url: string };
  expect(made.this_url).toMatch(/^\/faces\/\d+$/);
  expect(zoo.call('GET', made.this_url).body).toMatchObject({ image: 'mark-1' });
});

test('a password stays back, and a field that is only called like the key renames nothing', async () => {
  const user = object({ id: { type: 'integer' }, name: text, password: { type: 'string', format: 'password' } });
  const sent = object({ userId: { type: 'integer' }, name: text, password: { type: 'string', format: 'password' } });
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/users': { get: answering(listOf(user)) },
      '/users/{userId}': { ...item('userId', user), patch: { requestBody: jsonBody(sent), responses: { 204: { description: '' } } } },
    }),
  ); // biome-ignore format: one operation a line
  expect(zoo.call('PATCH', '/users/7', { userId: 8, name: 'Ada', password: 'hunter-22' }).status).toBe(204);
  const shown = zoo.call('GET', '/users/7').body;
  expect(shown).toMatchObject({ id: 7, name: 'Ada' });
  expect(JSON.stringify(shown)).not.toContain('hunter-22');
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

test('of a composition of closed parts, what is sent may have the fields of every part and no others', async () => {
  const closed = (...names: string[]): Part => ({
    ...object(Object.fromEntries(names.map((name) => [name, text]))),
    additionalProperties: false,
  });
  const dated: Part = { allOf: [closed('at'), closed('by')] };
  const parcel: Part = { allOf: [{ $ref: '#/components/schemas/Address' }, dated], ...object({ weight: text }) };
  await using zoo = await foreignTestbed(
    foreignDocument(
      {
        '/parcels': { post: { requestBody: jsonBody(parcel), responses: created({}) } },
        '/addresses': { post: { requestBody: jsonBody({ $ref: '#/components/schemas/Address' }), responses: created({}) } },
      },
      { components: { schemas: { Address: closed('street') } } },
    ),
  ); // biome-ignore format: one operation a line
  expect(zoo.call('POST', '/parcels', { street: 'a', at: 'b', by: 'c', weight: 'd' }).status).toBe(201);
  expect(zoo.call('POST', '/parcels', { street: 'a', other: 'b' }).status).toBe(400);
  expect(zoo.call('POST', '/addresses', { street: 'a', at: 'b' }).status, 'elsewhere it stays closed').toBe(400);
});

test('an object that is required in a query may be empty where its fields stand one by one', async () => {
  const map = { name: 'labels', in: 'query', required: true, schema: { type: 'object', additionalProperties: text } };
  await using zoo = await foreignTestbed(
    foreignDocument({ '/search': { get: answering(listOf(object({ id: text })), { parameters: [map] }) } }),
  );
  expect(zoo.call('GET', '/search').status).toBe(200);
});

test('entries that may be objects or texts, in a body of one form', async () => {
  const label = object({ id: { type: 'integer' }, name: text });
  const body = { oneOf: [object({ labels: listOf({ oneOf: [text, object({ name: text })] }) })] };
  const labels = { get: answering(listOf(label)), post: { requestBody: jsonBody(body), ...answering(listOf(label)) } };
  await using zoo = await foreignTestbed(foreignDocument({ '/labels': labels }));
  const [made] = zoo.call('POST', '/labels', { labels: [{ name: 'mark-1' }] }).body;
  expect(made).toMatchObject({ name: 'mark-1' });
  expect(zoo.call('GET', '/labels').body).toContainEqual(made);
});
