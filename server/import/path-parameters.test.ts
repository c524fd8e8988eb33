import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { document, OK } from '../test/support/malformed-documents.ts';

const inPath = (name: string, type = 'integer') => ({ name, in: 'path', required: true, schema: { type } });
const namesOf = ({ parameters }: Pick<Tool, 'parameters'>) => parameters.map(({ name }) => name).sort();

test('a name of the path without a parameter is a text that the caller gives', async () => {
  const api = await importedApi({
    'api.json': document(
      {
        '/sites/{site}/devices/{id}': {
          parameters: [{ $ref: '#/components/parameters/id' }],
          get: { operationId: 'getDevice', responses: OK },
          delete: { operationId: 'deleteDevice', parameters: [inPath('site')], responses: OK },
        },
      },
      { components: { parameters: { id: inPath('id') } } },
    ),
  });
  expect([api.findings, api.setAside]).toEqual([
    ['/paths/~1sites~1{site}~1devices~1{id}/get `{site}` in the path has no parameter: taken as a text'],
    [],
  ]);
  expect(api.request('getDevice', { site: 'a b', id: 7 }).path).toBe('/sites/a%20b/devices/7');
  expect(api.problems('getDevice', { id: 7 })).toEqual(['/site is required']);
  expect(api.problems('deleteDevice', { site: 'a', id: 7 })).toHaveLength(1);
});

test.each(['operation', 'path'])(
  'a parameter of the %s that has no place in the path is the one that lacks there',
  async (where) => {
    const stated = { parameters: [inPath('deviceId'), { name: 'depth', in: 'query', schema: { type: 'integer' } }] };
    const operation = { operationId: 'getDevice', responses: OK };
    const item = where === 'path' ? { ...stated, get: operation } : { get: { ...operation, ...stated } };
    const api = await importedApi({ 'api.json': document({ '/devices/{id}': item }) });
    expect(api.findings).toEqual([
      '/paths/~1devices~1{id}/get `{id}` in the path has no parameter: taken as the parameter "deviceId", which has no place there',
    ]);
    expect(Object.keys(api.schemaOf('getDevice')['properties'] as object).sort()).toEqual(['depth', 'id']);
    expect(api.problems('getDevice', { id: 'a' })).toHaveLength(1);
    expect(api.request('getDevice', { id: 7, depth: 1 })).toMatchObject({ path: '/devices/7', query: 'depth=1' });
  },
);

test('what other operations take from the parameters of such a path stays what it was', async () => {
  const depth = { name: 'depth', in: 'query', schema: { type: 'integer' } };
  const taking = (...references: string[]) => ({
    get: { parameters: references.map(($ref) => ({ $ref })), responses: OK },
  });
  const api = await importedApi({
    'api.json': document({
      '/devices/{id}': { get: { parameters: [inPath('deviceId'), depth], responses: OK } },
      '/devices/{deviceId}/ports': taking(
        '#/paths/~1devices~1{id}/get/parameters/0',
        '#/paths/~1devices~1%7Bid%7D/get/parameters/1',
      ),
      '/sites/{site}': { parameters: [inPath('siteId'), depth], get: { responses: OK } },
      '/sites': taking('#/paths/~1sites~1{site}/parameters/1'),
    }),
  });
  expect([api.setAside, Object.fromEntries(api.tools.map((tool) => [tool.path, namesOf(tool)]))]).toEqual([
    [],
    {
      '/devices/{id}': ['depth', 'id'],
      '/devices/{deviceId}/ports': ['depth', 'deviceId'],
      '/sites/{site}': ['depth', 'site'],
      '/sites': ['depth'],
    },
  ]);
});

test('paths that share an anchor of YAML each have the names of their own', async () => {
  const operation = 'get: {responses: {200: {description: done}}}';
  const parameters = 'parameters: [{name: x, in: path, required: true, schema: {type: integer}}]';
  const api = await importedApi({
    'api.yaml': `openapi: 3.0.3
servers: [{url: 'http://odd.test'}]
paths:
  /a/{x}: &item {${parameters}, ${operation}}
  /b/{y}: *item
`,
  });
  expect([api.setAside, api.tools.map((tool) => [tool.path, namesOf(tool)])]).toEqual([
    [],
    [
      ['/a/{x}', ['x']],
      ['/b/{y}', ['y']],
    ],
  ]);
});

test.each([
  ['the operation', (stated: object) => ({ get: { operationId: 'listDevices', responses: OK, ...stated } })],
  ['the path', (stated: object) => ({ ...stated, get: { operationId: 'listDevices', responses: OK } })],
])('a parameter of %s without a place in a path that has all of its names is not asked for', async (_, item) => {
  const depth = { name: 'depth', in: 'query', schema: { type: 'integer' } };
  const api = await importedApi({ 'api.json': document({ '/devices': item({ parameters: [inPath('id'), depth] }) }) });
  expect([api.findings, api.setAside]).toEqual([
    ['/paths/~1devices/get the parameter "id" has no place in the path: left out'],
    [],
  ]);
  expect(api.request('listDevices', { depth: 1 })).toMatchObject({ path: '/devices', query: 'depth=1' });
});
