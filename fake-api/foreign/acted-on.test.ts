/** An action below a thing sets the boolean that the document declares for it, and answers with that thing. */
import { expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const account = (field: string): Part => ({ type: 'object', properties: { id: text, name: text, [field]: flag } });
const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
const done: Part = { responses: { 204: { description: '' } } };

/** Accounts with such a flag, and what can be done to one. */
const accounts = (field: string, actions: Part): Part =>
  foreignDocument({
    '/accounts': {
      get: answering({ type: 'array', items: account(field) }),
      post: {
        operationId: 'createAccount',
        requestBody: jsonBody(account(field)),
        responses: { 201: { description: '', content: { 'application/json': { schema: account(field) } } } },
      },
    },
    '/accounts/{id}': { parameters, get: answering(account(field)) },
    ...Object.fromEntries(
      Object.entries(actions).map(([path, item]) => [`/accounts/{id}${path}`, { parameters, ...(item as Part) }]),
    ),
  });

test.each<[string, string, boolean]>([
  ['enabled', '/enable', true],
  ['enabled', '/disable', false],
  ['is_enabled', '/actions/disable', false],
  ['disabled', '/enable', false],
  ['active', '/deactivate', false],
  ['enabled', '/activate', true],
  ['locked', '/lock', true],
  ['isLocked', '/unlock', false],
  ['verified', '/verify', true],
  ['banned', '/ban', true],
  ['paused', '/resume', false],
])('%s after %s is %j', async (field, path, after) => {
  await using testbed = await foreignTestbed(accounts(field, { [path]: { post: done } }));
  const { id } = testbed.call('POST', '/accounts', { name: 'ann', [field]: !after }).body;
  expect(testbed.call('POST', `/accounts/${id}${path}`).status).toBe(204);
  expect(testbed.call('GET', `/accounts/${id}`).body).toEqual({ id, name: 'ann', [field]: after });
  expect(testbed.call('GET', '/accounts').body).toContainEqual({ id, name: 'ann', [field]: after });
});

test('a DELETE of what a PUT sets', async () => {
  await using testbed = await foreignTestbed(accounts('locked', { '/lock': { put: done, delete: done } }));
  const { id } = testbed.call('POST', '/accounts', { name: 'ann' }).body;
  testbed.call('PUT', `/accounts/${id}/lock`);
  expect(testbed.call('GET', `/accounts/${id}`).body.locked).toBe(true);
  testbed.call('DELETE', `/accounts/${id}/lock`);
  expect(testbed.call('GET', `/accounts/${id}`).body.locked).toBe(false);
});

test.each<[string, string, string, unknown, boolean]>([
  ['enabled', 'PUT', '/enabled', { enabled: false }, false],
  ['is_enabled', 'POST', '/enable', { enabled: false }, false],
  ['disabled', 'POST', '/enable', { enable: false }, true],
  ['enabled', 'PUT', '/enabled', { value: false }, false],
  ['enabled', 'PUT', '/enabled', false, false],
  ['power', 'POST', '/power', { state: 'off' }, false],
  ['locked', 'POST', '/lock', { reason: 'spam' }, true],
  ['muted', 'POST', '/mute?mute=false', undefined, false],
])('%s after %s %s with %j is %j', async (field, method, path, body, after) => {
  const parameter = { name: 'mute', in: 'query', schema: flag };
  const [own = ''] = path.split('?');
  const action = { ...done, parameters: [parameter], requestBody: { content: { 'application/json': { schema: {} } } } };
  await using testbed = await foreignTestbed(accounts(field, { [own]: { [method.toLowerCase()]: action } }));
  const before = path === '/power' ? after : !after;
  const { id } = testbed.call('POST', '/accounts', { name: 'ann', [field]: before }).body;
  expect(testbed.call(method, `/accounts/${id}${path}`, body).status).toBe(204);
  expect(testbed.call('GET', `/accounts/${id}`).body[field]).toBe(after);
});

test('a flag among the attributes of the thing', async () => {
  const shown: Part = {
    type: 'object',
    properties: { id: text, attributes: { type: 'object', properties: { url: text, paused: flag } } },
  };
  const document = foreignDocument({
    '/checks': { get: answering({ type: 'array', items: shown }) },
    '/checks/{id}': { parameters, get: answering(shown) },
    '/checks/{id}/pause': { parameters, post: answering(shown) },
    '/checks/{id}/resume': { parameters, post: answering(shown) },
  });
  await using testbed = await foreignTestbed(document);
  const [{ id }] = testbed.call('GET', '/checks').body;
  expect(testbed.call('POST', `/checks/${id}/pause`).body.attributes.paused).toBe(true);
  expect(testbed.call('POST', `/checks/${id}/resume`).body.attributes.paused).toBe(false);
  expect(testbed.call('GET', `/checks/${id}`).body.attributes.paused).toBe(false);
});

test('the answer is the thing itself, unless the action makes another one', async () => {
  const post = answering(account('locked'));
  await using testbed = await foreignTestbed(accounts('locked', { '/reindex': { post }, '/clone': { post } }));
  const { id } = testbed.call('POST', '/accounts', { name: 'ann', locked: true }).body;
  expect(testbed.call('POST', `/accounts/${id}/reindex`).body).toEqual({ id, name: 'ann', locked: true });
  expect(testbed.call('POST', `/accounts/${id}/clone`).body.id).not.toBe(id);
});

test('a report of the action says what it set', async () => {
  const post = answering({ type: 'object', required: ['verified'], properties: { verified: flag, at: text } });
  await using testbed = await foreignTestbed(accounts('verified', { '/verify': { post } }));
  const ids: string[] = testbed.call('GET', '/accounts').body.map(({ id }: { id: string }) => id);
  for (const id of [...ids, 'a', 'b', 'c', 'd', 'e', 'f'])
    expect(testbed.call('POST', `/accounts/${id}/verify`).body.verified).toBe(true);
});

test('what is called like other things makes one of them', async () => {
  const note = { type: 'object', properties: { id: text, name: text } };
  const notes = { parameters, get: answering({ type: 'array', items: note }) };
  const actions = { '/note': { post: answering(note) }, '/notes': notes };
  await using testbed = await foreignTestbed(accounts('locked', actions));
  const { id } = testbed.call('POST', '/accounts', { name: 'ann' }).body;
  expect(testbed.call('POST', `/accounts/${id}/note`).body.id).not.toBe(id);
});

test.each(['HEAD', 'OPTIONS'])('%s reads, and changes nothing', async (method) => {
  const asked = { [method.toLowerCase()]: { responses: { 200: { description: '' } } } };
  const document = accounts('locked', { '/lock': { ...asked, post: done } });
  const paths = document['paths'] as Record<string, Part>;
  const item = paths['/accounts/{id}'] as Part;
  Object.assign(item, asked, { delete: done });
  await using testbed = await foreignTestbed(document);
  const made = testbed.call('POST', '/accounts', { name: 'ann', locked: false }).body;
  for (const path of ['', '/lock']) expect(testbed.call(method, `/accounts/${made.id}${path}`).status).toBe(200);
  expect(testbed.call('GET', `/accounts/${made.id}`).body).toEqual(made);
  testbed.call('DELETE', `/accounts/${made.id}`);
  testbed.call(method, `/accounts/${made.id}`);
  expect(testbed.call('GET', `/accounts/${made.id}`).status).toBe(404);
});
