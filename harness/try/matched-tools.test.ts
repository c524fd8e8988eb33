/** Which tool performs which operation, by every way in which servers name their tools. */
import { expect, test } from 'vitest';
import type { ApiOperation } from '../generator/api-document.ts';
import { matchServerTools } from './matched-tools.ts';

const operation = (method: string, path: string, operationId = '', text = ''): ApiOperation => ({
  method,
  path,
  operationId,
  texts: text === '' ? [] : [text],
  parameters: [],
  security: [],
});
const PETS = [
  operation('GET', '/pets', 'listPets', 'All the pets of the shop'),
  operation('GET', '/pets/{petId}', 'showPetById'),
  operation('PATCH', '/pets/{petId}', 'changeOne'),
  operation('DELETE', '/pets/{petId}', 'xyz'),
];
const matched = (...tools: { name: string; description?: string; inputSchema?: object }[]) => {
  const found = matchServerTools(PETS, tools);
  return Object.fromEntries(tools.map(({ name }) => [name, found.operationOf(name)]));
};

test.each([
  ['by operationId in another spelling', { name: 'show_pet_by_id' }, 'GET /pets/{petId}'],
  ['by the description that it took over', { name: 'a1', description: 'All the pets of the shop' }, 'GET /pets'],
  [
    'by METHOD /path in the description',
    { name: 'a2', description: 'Calls DELETE /pets/{petId}.' },
    'DELETE /pets/{petId}',
  ],
  ['by a name made of method and path', { name: 'delete_pets_petId' }, 'DELETE /pets/{petId}'],
  ['by verb and noun', { name: 'edit-pet' }, 'PATCH /pets/{petId}'],
  ['by verb and nouns', { name: 'getPets' }, 'GET /pets'],
  ['not by a noun alone', { name: 'pet_food' }, undefined],
])('%s', (_, tool, key) => {
  expect(matched(tool)[tool.name]).toBe(key);
});

test('two tools that fit as well are no match', () => {
  expect(matched({ name: 'remove_pet' }, { name: 'erase_pet' }, { name: 'delete_pet' })).toMatchObject({
    remove_pet: undefined,
    delete_pet: undefined,
  });
});

test('a word that all names begin with is none of the operation', () => {
  const tools = ['API-list-pets', 'API-show-pet-by-id', 'API-delete_pets_petId'].map((name) => ({ name }));
  expect(matched(...tools)).toEqual({
    'API-list-pets': 'GET /pets',
    'API-show-pet-by-id': 'GET /pets/{petId}',
    'API-delete_pets_petId': 'DELETE /pets/{petId}',
  });
  expect(matched({ name: 'shop.api.listPets' }, { name: 'shop.api.edit_pet' })).toEqual({
    'shop.api.listPets': 'GET /pets',
    'shop.api.edit_pet': 'PATCH /pets/{petId}',
  });
  expect(matched({ name: 'bulk_list_pets' }, { name: 'edit_pet' })).toMatchObject({ bulk_list_pets: undefined });
});

test('thousands of tools that begin with several words are matched in seconds', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => operation('GET', `/res-${at}/{id}`, `op${at}`));
  const started = performance.now();
  const { matched: found } = matchServerTools(
    many,
    many.map(({ operationId }) => ({ name: `shop_of_all_my_pets_${operationId}` })),
  );
  expect(found).toHaveLength(3_000);
  // Each of six beginnings with each tool and each operation takes a minute.
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('what all names begin with is left out of no name that is an operationId', () => {
  const operations = [
    operation('GET', '/users/{id}', 'get_user'),
    operation('DELETE', '/users/{id}', 'delete_user'),
    operation('GET', '/admin/users/{id}', 'admin_get_user'),
  ];
  const { operationOf } = matchServerTools(operations, [{ name: 'admin_get_user' }, { name: 'admin_delete_user' }]);
  expect(operationOf('admin_get_user')).toBe('GET /admin/users/{id}');
  expect(operationOf('admin_delete_user')).toBeUndefined();
});

test('a verb that all names begin with is one of the operation', () => {
  const operations = [operation('GET', '/pets/{id}/tags', 'petTags'), operation('GET', '/pets/{id}/notes', 'petNotes')];
  const keysOf = (...names: string[]) => {
    const { operationOf } = matchServerTools(
      operations,
      names.map((name) => ({ name })),
    );
    return names.map(operationOf);
  };
  expect(keysOf('get_pet_tags', 'get_pet_notes')).toEqual(['GET /pets/{id}/tags', 'GET /pets/{id}/notes']);
  expect(keysOf('delete_pet_tags', 'delete_pet_notes')).toEqual([undefined, undefined]);
});

test('arguments take the names of the tool', () => {
  const tool = (properties: object, required: string[] = []) => ({
    name: 'edit_pet',
    inputSchema: { properties, required },
  });
  const renamed = (...of: Parameters<typeof tool>) =>
    matchServerTools(PETS, [tool(...of)]).argumentsFor('edit_pet', { petId: 7, body: { name: 'x' } });
  expect(renamed({ id: {}, name: {} })).toEqual({ id: 7, body: { name: 'x' } });
  expect(renamed({ pet_id: {} })).toEqual({ petId: 7, body: { name: 'x' } });
  expect(renamed({ which: {}, name: {} }, ['which'])).toEqual({ which: 7, body: { name: 'x' } });
  expect(renamed({ which: {}, name: {} })).toEqual({ petId: 7, body: { name: 'x' } });
  // A field of the body that the tool cannot do without is none that the key could be.
  expect(renamed({ which: {}, name: {} }, ['which', 'name'])).toEqual({ which: 7, body: { name: 'x' } });
});

test('several arguments of a path take the names of the tool', () => {
  const renamed = (path: string, required: string[], args: object) => {
    const tool = {
      name: 'get_it',
      inputSchema: { properties: Object.fromEntries(required.map((name) => [name, {}])), required },
    };
    return matchServerTools([operation('GET', path, 'getIt')], [tool]).argumentsFor('get_it', { ...args });
  };
  const issue = '/v1/projects/{id}/issues/{issue_id}';
  expect(renamed(issue, ['project_id', 'issue_iid'], { id: 'a', issue_id: 1 })).toEqual({
    project_id: 'a',
    issue_iid: 1,
  });
  expect(renamed(issue, ['issueNumber', 'projectId'], { id: 'a', issue_id: 1 })).toEqual({
    projectId: 'a',
    issueNumber: 1,
  });
  expect(renamed(issue, ['project_id', 'id'], { id: 'a', issue_id: 1 })).toEqual({ project_id: 'a', id: 1 });
  expect(renamed('/pets/{pet}/toys/{toy}', ['pet_name', 'toy_key'], { pet: 'a', toy: 'b' })).toEqual({
    pet_name: 'a',
    toy_key: 'b',
  });
  expect(renamed('/repos/{owner}/{repo}', ['owner', 'repository'], { owner: 'a', repo: 'b' })).toEqual({
    owner: 'a',
    repository: 'b',
  });
  expect(renamed(issue, ['project_id', 'comment_id'], { id: 'a', issue_id: 1 })).toEqual({
    project_id: 'a',
    comment_id: 1,
  });
  const post = '/users/{user_id}/posts/{post_id}';
  const given = { user_id: 'a', post_id: 1 };
  expect(renamed(post, ['id', 'user'], given)).toEqual({ user: 'a', id: 1 });
  expect(renamed(post, ['post', 'id'], given)).toEqual({ id: 'a', post: 1 });
  expect(renamed('/pets/{name}', ['name'], { name: 'a' })).toEqual({ name: 'a' });
  expect(renamed('/pets/{id}', ['path_id'], { id: 'a' })).toEqual({ id: 'a' });
  expect(renamed(issue, ['x', 'y'], { id: 'a', issue_id: 1 })).toEqual({ id: 'a', issue_id: 1 });
});

test('an argument that stands inside another one keeps its name, which says where', () => {
  const properties = { params: { type: 'object', properties: { petId: {} } }, body: {} };
  const tool = { name: 'edit_pet', inputSchema: { properties, required: ['params'] } };
  expect(matchServerTools(PETS, [tool]).argumentsFor('edit_pet', { petId: 7 })).toEqual({ petId: 7 });
});

test('arguments take the names of the tool inside the one argument that holds all', () => {
  const params = { type: 'object', properties: { animal: {}, name: {} }, required: ['animal', 'name'] };
  const tool = { name: 'edit_pet', inputSchema: { properties: { params }, required: ['params'] } };
  const given = { petId: 7, body: { name: 'x' } };
  expect(matchServerTools(PETS, [tool]).argumentsFor('edit_pet', given)).toEqual({ animal: 7, body: { name: 'x' } });
});

test('a name that was shortened to 64 letters, with a digest or without, is that of its operation', () => {
  const long = (what: string) => `${what}_api_v1_application__application_id__endpoint__endpoint_id__`;
  const operations = [
    operation('GET', '/app/{id}/endpoint/{e}/headers', long('get_endpoint_headers')),
    operation('PUT', '/app/{id}/endpoint/{e}/headers', long('update_endpoint_headers')),
    operation('GET', '/app/{id}/endpoint/{e}/secret', long('get_endpoint_secret')),
    operation('GET', '/app/{id}/endpoint/{e}/stats', long('get_endpoint_stats')),
  ];
  const tools = [
    'get_endp_head_api_v_1_appl_appl_id_endp_endp_id',
    'update_endp_head_api_v_1_appl___endp_endp_id_3f2a9c',
    'gt-endpnt-scrt-api-v-1-applctn-applctn-id-endpnt-08b1',
    'get_endp_s_api_v_1_appl_appl_id_endp_endp_id',
  ].map((name) => ({ name }));
  const { operationOf } = matchServerTools(operations, tools);
  expect(tools.map(({ name }) => operationOf(name))).toEqual([
    'GET /app/{id}/endpoint/{e}/headers',
    'PUT /app/{id}/endpoint/{e}/headers',
    'GET /app/{id}/endpoint/{e}/secret',
    // Of the secret or of the statistics.
    undefined,
  ]);
});

test('a name of the words of the operationId in another order is that of its operation', () => {
  const operations = [
    operation('GET', '/models/{owner}', 'models.get'),
    operation('GET', '/models', 'models.list'),
    operation('GET', '/models/{owner}/versions/{id}', 'models.versions.get'),
    operation('POST', '/models/{owner}/versions', 'models.get.versions'),
  ];
  const tools = ['get_models', 'list_models', 'get_models_versions'].map((name) => ({ name }));
  const { operationOf } = matchServerTools(operations, tools);
  expect(tools.map(({ name }) => operationOf(name))).toEqual(['GET /models/{owner}', 'GET /models', undefined]);
  expect(matchServerTools(operations.slice(0, 3), tools).operationOf('get_models_versions')).toBe(
    'GET /models/{owner}/versions/{id}',
  );
});

test('names of which only the words or the beginning are alike are those of other operations', () => {
  const operations = [
    operation('POST', '/moves', 'move_file_to_folder'),
    operation('PUT', '/teams/{team}/projects/{project}', 'addTeamProject'),
    operation('DELETE', '/a', 'delete_customers_customer_subscriptions_subscription_discount'),
    operation('GET', '/b', 'get_organization_appliance_security_events_by_type'),
    operation('POST', '/c', 'restart_the_security_services_of_organization_appliances_by_type'),
  ];
  const tools = [
    'move_folder_to_file',
    'add_project_team',
    'delete_customers_customer_subscriptions',
    'get_organization_appliance_security_events',
    'start_the_security_services_of_organization_appliances',
  ].map((name) => ({ name }));
  expect(matchServerTools(operations, tools).matched).toEqual([]);
});
