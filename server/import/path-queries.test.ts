import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });

test('a query in a path becomes parameters of the operation, with the values that it states', async () => {
  using folder = oddFolder();
  const paths = {
    '/rest?method=echo': { get: { responses: OK } },
    '/rest?method=photos.delete': { get: { operationId: 'photos.delete', responses: OK } },
    '/weather?city={city}': { parameters: [inPath('city')], get: { responses: OK } },
    '/weather?lat={lat}&lon={lon}': { get: { parameters: [inPath('lat')], responses: OK } },
    '/page?size={n}&toString={__proto__}': {
      get: { parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }], responses: OK },
    },
    '/odd?': { get: { responses: OK } },
  };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  const seen = tools.map(({ tool: { method, path, capability, parameters }, schema }) => [
    `${method} ${path} ${capability}`,
    parameters.map(({ name, in: place, required }) => `${name} ${place}${required ? '!' : ''}`).join(),
    schema['properties'],
  ]);
  const text = { type: 'string' };
  const number = { type: 'integer' };
  expect(
    seen.sort((a, b) =>
      `${a[0]} ${a[1]} ${JSON.stringify(a[2])}`.localeCompare(`${b[0]} ${b[1]} ${JSON.stringify(b[2])}`),
    ),
  ).toEqual([
    ['GET /page read', 'size query,toString query!', expect.objectContaining({ size: number, toString_: text })],
    // What it is told to do is a verb that destroys.
    ['GET /rest destructive', 'method query!', { method: { ...text, enum: ['photos.delete'] } }],
    ['GET /rest write', 'method query!', { method: { ...text, enum: ['echo'] } }],
    ['GET /weather read', 'city query!', { city: number }],
    ['GET /weather read', 'lat query!,lon query!', { lat: number, lon: text }],
  ]);
  expect(taken.documents.map(({ leftOut }) => leftOut)).toEqual([1]);
});

test('an operation keeps the parameters that it takes from a path with a query', async () => {
  using folder = oddFolder();
  const paths = {
    '/rest?method=echo': {
      parameters: [{ name: 'shared', in: 'query', schema: { type: 'integer' } }],
      get: { parameters: [{ name: 'lang', in: 'query', schema: { type: 'string' } }], responses: OK },
    },
    '/other': {
      get: {
        operationId: 'other',
        parameters: [{ $ref: '#/paths/~1rest?method=echo/get/parameters/0' }],
        responses: OK,
      },
    },
  };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  const other = tools.find(({ tool }) => tool.path === '/other');
  expect(other?.tool.parameters.map(({ name }) => name)).toEqual(['lang']);
});
