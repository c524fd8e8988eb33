import { expect, test } from 'vitest';
import { loweredOperations } from '../catalog/build.ts';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { changesBetween } from './document-changes.ts';
import { importDocument } from './import-document.ts';
import { readOperationOverrides } from './read-operations.ts';
import { definePlatform } from './user-platform.ts';

const post = (operationId: string, more: object = {}) => ({ post: { operationId, responses: OK, ...more } });

/** Documents by file name, added as one platform. */
async function added(files: Record<string, object>) {
  using folder = oddFolder();
  for (const [name, paths] of Object.entries(files)) folder.write(name, document(paths));
  const taken = await importDocument(folder.path);
  const platform = definePlatform({ name: 'shop' }, taken);
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const built = trialBuild(platform, documents);
  const overrides = (...ids: string[]) => readOperationOverrides(ids, 'shop', built);
  return {
    built,
    overrides,
    lowered: (...ids: string[]) => {
      const declared = { ...platform, overrides: overrides(...ids) };
      const { tools, quarantined, notes } = trialBuild(declared, documents);
      const classes = Object.fromEntries(tools.map(({ tool }) => [tool.operationId, tool.capability]));
      return { classes, quarantined, notes, lapsed: loweredOperations(declared, documents).map((one) => one.lapsed) };
    },
  };
}

const users = { '/users': post('createUser'), '/users?action=search': post('searchUsers') };

test.each(['searchUsers', 'shop_search_users', 'POST /users#action=search', 'post /users?action=search'])(
  'of two operations of one address %s lowers the one that it names, and the other one stays a write',
  async (id) => {
    const { overrides, lowered } = await added({ 'api.json': users });
    expect(Object.keys(overrides(id))).toEqual(['POST /users#action=search']);
    expect(lowered(id)).toEqual({
      classes: { createUser: 'write', searchUsers: 'read' },
      quarantined: [],
      notes: [],
      lapsed: [undefined],
    });
  },
);

test('an address names the operation that stands at it, and not the one behind a fragment', async () => {
  const { overrides } = await added({ 'api.json': users });
  expect(Object.keys(overrides('POST /users'))).toEqual(['POST /users']);
});

test.each(['POST /users?action=create', 'POST /users?kind=search', 'POST /users?', 'POST /people?action=search'])(
  '%s, which no operation is sent to, names nothing',
  async (id) => {
    const { overrides } = await added({ 'api.json': users });
    expect(() => overrides(id)).toThrow(/names nothing in the documents/);
  },
);

test('a query names its operation also where nothing else is at the address, and a parameter of any value too', async () => {
  const paths = { '/rest?method=echo': post('echo'), '/find?city={city}': post('findCity') };
  const { overrides } = await added({ 'api.json': paths });
  expect(Object.keys(overrides('POST /rest?method=echo', 'POST /find?city={city}'))).toEqual([
    'POST /rest',
    'POST /find',
  ]);
});

const action = (value: string) => {
  const parameters = [{ name: 'Action', in: 'query', required: true, schema: { type: 'string', enum: [value] } }];
  return { get: { operationId: `GET_${value}`, parameters, responses: OK }, ...post(`POST_${value}`, { parameters }) };
};
const actions = {
  '/#Action=DeleteUser': action('DeleteUser'),
  '/#Action=ListUsers': action('ListUsers'),
  '/#Action=GetUser': action('GetUser'),
};

test('an operation of a document whose operations all have one address is lowered alone, and nothing changes with it', async () => {
  const { built, lowered, overrides } = await added({ 'api.json': actions });
  expect(lowered('POST_ListUsers').classes).toEqual({
    GET_DeleteUser: 'destructive',
    POST_DeleteUser: 'destructive',
    GET_GetUser: 'read',
    POST_GetUser: 'write',
    GET_ListUsers: 'read',
    POST_ListUsers: 'read',
  });
  expect(Object.keys(overrides('POST /?Action=GetUser'))).toEqual(['POST /#Action=GetUser']);
  const nothing = { added: [], removed: [], schemas: [], renamed: [], classes: [] };
  expect(changesBetween(built.tools, built.tools)).toEqual(nothing);
});

test('what two operations have in common names neither, and each is named by its METHOD /path', async () => {
  const paths = { '/x': post('run'), '/x?action=find': post('run') };
  const { overrides } = await added({ 'api.json': paths });
  expect(() => overrides('run')).toThrow(/names 2 operations: POST \/x(#action=find)?, POST \/x/);
  expect(Object.keys(overrides('POST /x', 'POST /x#action=find'))).toEqual(['POST /x', 'POST /x#action=find']);
});

test('an operation that several documents have is lowered in none of them', async () => {
  const one = (value: string, operationId: string) => {
    const parameters = [{ name: 'Action', in: 'query', required: true, schema: { type: 'string', enum: [value] } }];
    return { '/': post(operationId, { parameters }) };
  };
  const { overrides } = await added({ 'a.json': one('List', 'listAll'), 'b.json': one('Drop', 'dropAll') });
  for (const id of ['listAll', 'shop_list_all', 'POST /?Action=List'])
    expect(() => overrides(id)).toThrow(/names POST \/ of a and of b/);
});
