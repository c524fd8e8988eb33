import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder, pathParameter } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

test('two paths of one address are two tools where their class is the same, else the first one', async () => {
  using folder = oddFolder();
  const operation = { responses: OK };
  const paths = {
    '/v1/{name}': { parameters: [pathParameter('name')], get: operation, post: operation },
    '/v1/{parent}': {
      parameters: [pathParameter('parent')],
      get: operation,
      post: { ...operation, operationId: 'deleteAll' },
    },
    '/v1/{name}/': { parameters: [pathParameter('name')], get: operation },
  };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  expect(tools.map(({ tool: { method, path } }) => `${method} ${path}`).sort()).toEqual([
    'GET /v1/{name}',
    'GET /v1/{name}/',
    'GET /v1/{parent}',
    'POST /v1/{name}',
  ]);
  expect(new Set(tools.map(({ tool }) => tool.name)).size).toBe(4);
  expect(quarantined.map(({ operation: name, reason }) => `${name} ${reason}`)).toEqual([
    'POST /v1/{parent} is the same address as POST /v1/{name}: correct one of the two paths',
  ]);
});

const target = (value: string) => ({
  name: 'X-Target',
  in: 'header',
  required: true,
  schema: { type: 'string', enum: [value] },
});

test('operations of one address that a parameter with one value tells apart are tools of their own class', async () => {
  using folder = oddFolder();
  const post = (id: string, value: string) => ({
    post: { operationId: id, parameters: [target(value)], responses: OK },
  });
  const action = (value: string) => ({
    get: {
      operationId: `GET_${value}`,
      parameters: [{ name: 'Action', in: 'query', required: true, schema: { type: 'string', enum: [value] } }],
      responses: OK,
    },
  });
  const paths = {
    '/#X-Target=Users.List': post('ListUsers', 'Users.List'),
    '/#X-Target=Users.Delete': post('DeleteUser', 'Users.Delete'),
    '/#Action=DescribeUsers': action('DescribeUsers'),
    '/#Action=AcceptInvitation': action('AcceptInvitation'),
    '/#Action=TerminateUser': action('TerminateUser'),
    // Nothing of the request tells these two apart, and they are not of one class.
    '/x': { post: { operationId: 'addX', responses: OK } },
    '/x#other': { post: { operationId: 'deleteX', responses: OK } },
    // No call of the first one can have the query of the second.
    '/y': { post: { operationId: 'addY', responses: OK } },
    '/y?action=delete': { post: { operationId: 'deleteY', responses: OK } },
  };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  expect(
    Object.fromEntries(tools.map(({ tool }) => [tool.name, `${tool.capability} ${tool.method} ${tool.path}`])),
  ).toEqual({
    acme_list_users: 'write POST /',
    acme_delete_user: 'destructive POST /',
    acme_get_describe_users: 'read GET /',
    // No list of words knows "accept": it is told to do something, which only a reading word makes a read.
    acme_get_accept_invitation: 'write GET /',
    acme_get_terminate_user: 'destructive GET /',
    acme_add_x: 'write POST /x',
    acme_add_y: 'write POST /y',
    acme_delete_y: 'destructive POST /y',
  });
  const deleting = tools.find(({ tool }) => tool.name === 'acme_delete_user');
  expect(deleting?.schema).toMatchObject({
    required: ['X-Target'],
    properties: { 'X-Target': { enum: ['Users.Delete'] } },
  });
  expect(quarantined.map(({ operation, reason }) => `${operation} ${reason}`)).toEqual([
    'POST /x#other is the same address as POST /x: correct one of the two paths',
  ]);
});

/** The read `GET /x` with this parameter, and `GET /x?action=delete`: what becomes a tool, and what is set aside. */
async function besideDelete(parameter: object) {
  using folder = oddFolder();
  const paths = {
    '/x': { get: { operationId: 'listX', parameters: [{ in: 'query', ...parameter }], responses: OK } },
    '/x?action=delete': { get: { operationId: 'deleteX', responses: OK } },
  };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  return { tools: tools.map(({ tool }) => tool.name), aside: quarantined.map(({ operation }) => operation) };
}

test.each([
  { name: 'q', schema: { type: 'string' } },
  { name: 'q', schema: { type: 'array', items: { type: 'object' } } },
  { name: 'q', schema: { type: 'object' }, style: 'deepObject', explode: true },
])('a required value of a query tells an operation apart from one with only %j', async (parameter) => {
  expect(await besideDelete(parameter)).toEqual({ tools: ['acme_list_x', 'acme_delete_x'], aside: [] });
});

test.each([
  { name: 'Action', schema: { type: 'string' } },
  { name: 'q', schema: { type: 'object' } },
  { name: 'q', schema: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
])('an operation is set aside where a query with %j could be its own', async (parameter) => {
  expect(await besideDelete(parameter)).toEqual({ tools: ['acme_list_x'], aside: ['GET /x#action=delete'] });
});
