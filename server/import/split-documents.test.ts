/** Documents split over files: whole maps by reference, parts of Swagger 2.0, and what must not be read. */
import { describe, expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { type OddFolder, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

async function toolsOf(file: string) {
  const taken = await importDocument(file);
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  return {
    tools: Object.fromEntries(
      tools.map(({ tool, schema }) => [
        `${tool.method} ${tool.path}`,
        { parameters: tool.parameters.map(({ name }) => name), schema },
      ]),
    ),
    quarantined: quarantined.map(({ operation, reason }) => `${operation} ${reason}`),
    findings: taken.findings.map(({ pointer, message }) => `${pointer}: ${message}`),
  };
}

const head = { openapi: '3.0.3', info: { title: 'Split', version: '1' }, servers: [{ url: 'https://split.test' }] };

function writeParts(folder: OddFolder): void {
  folder.write('paths/index.yaml', {
    '/pets': { $ref: 'pets.yaml' },
    '/pets/{id}': { $ref: 'pets.yaml#/one' },
  });
  folder.write('paths/pets.yaml', {
    get: {
      responses: {
        200: { description: '', content: { 'application/json': { schema: { $ref: '../schemas/index.yaml#/Pet' } } } },
      },
    },
    post: {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '../api.yaml#/components/schemas/Pet' } } },
      },
      responses: OK,
    },
    one: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: OK },
    },
  });
  folder.write('schemas/index.yaml', { Pet: { $ref: 'pet.yaml' } });
  folder.write('schemas/pet.yaml', {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, friend: { $ref: '#' }, default: { $ref: './index.yaml#/Pet' } },
  });
}

test('paths and schemas that are a reference as a whole are followed, also through files that refer back', async () => {
  using folder = oddFolder();
  writeParts(folder);
  const document = {
    ...head,
    paths: { $ref: 'paths/index.yaml' },
    components: { schemas: { $ref: 'schemas/index.yaml' } },
  };
  const found = await toolsOf(folder.write('api.yaml', document));
  expect(found.findings).toEqual([]);
  expect(found.quarantined).toEqual([]);
  expect(Object.keys(found.tools).sort()).toEqual(['GET /pets', 'GET /pets/{id}', 'POST /pets']);
  expect(JSON.stringify(found.tools['POST /pets']?.schema)).toContain('"required":["name"]');
});

test('responses and properties of other files are followed whatever their names, also where these are keywords', async () => {
  const body = { required: true, content: { 'application/json': { schema: { $ref: '../schemas/index.yaml#/Body' } } } };
  const responses = { default: { $ref: './err.yaml' }, 404: { $ref: './answers.yaml#/default' } };
  const api = await importedApi({
    'api.yaml': {
      ...head,
      paths: { $ref: './paths/index.yaml' },
      components: { schemas: { $ref: './schemas/index.yaml' } },
    },
    'paths/index.yaml': { '/things': { post: { operationId: 'createThing', requestBody: body, responses } } },
    'paths/err.yaml': { description: 'failed' },
    'paths/answers.yaml': {
      default: {
        description: 'none',
        content: { 'application/json': { schema: { $ref: '../schemas/index.yaml#/Value' } } },
      },
    },
    'schemas/index.yaml': {
      Body: { type: 'object', properties: { value: { $ref: '#/Value' }, other: { $ref: '#/Value' } } },
      Value: { type: 'string', enum: ['a'] },
    },
  });
  expect([api.findings, api.setAside]).toEqual([[], []]);
  expect(api.problems('createThing', { body: { value: 'a', other: 'a' } })).toEqual([]);
  expect(api.problems('createThing', { body: { value: 'b' } })).toHaveLength(1);
});

test('a response of another file that is called default keeps its references', async () => {
  const answer = { description: 'all', content: { 'application/json': { schema: { $ref: './parts.yaml#/value' } } } };
  const api = await importedApi({
    'api.yaml': { ...head, paths: { '/a': { get: { responses: { 200: { $ref: './parts.yaml#/default' } } } } } },
    'parts.yaml': { default: answer, value: { type: 'array', items: { $ref: '#/const' } }, const: { type: 'object' } },
  });
  expect([api.findings, api.setAside]).toEqual([[], []]);
  expect(api.tools.map(({ path }) => path)).toEqual(['/a']);
});

test('a reference that a file states once and uses twice, by an anchor of YAML, is followed in both places', async () => {
  const api = await importedApi({
    'api.yaml': {
      ...head,
      paths: {
        '/a': {
          post: {
            operationId: 'createThing',
            requestBody: { content: { 'application/json': { schema: { $ref: 'schemas/body.yaml' } } } },
            responses: OK,
          },
        },
      },
    },
    'schemas/body.yaml': 'properties:\n  a: &name {$ref: ./name.yaml}\n  b: *name\n',
    'schemas/name.yaml': { type: 'string' },
  });
  expect(api.findings).toEqual([]);
  expect(api.problems('createThing', { body: { a: 1, b: 2 } })).toHaveLength(2);
});

test('paths that refer to another place of the same document are followed', async () => {
  using folder = oddFolder();
  const document = { ...head, paths: { $ref: '#/x-all' }, 'x-all': { '/a': { get: { responses: OK } } } };
  expect(Object.keys((await toolsOf(folder.write('api.json', document))).tools)).toEqual(['GET /a']);
});

test('parts of a Swagger 2.0 document in other files are converted with it', async () => {
  using folder = oddFolder();
  folder.write('paths/pets.yaml', {
    post: {
      parameters: [{ $ref: '../parameters.yaml#/pet' }, { $ref: '../parameters.yaml#/limit' }],
      responses: { 200: { $ref: '../responses.yaml#/done' } },
    },
    get: { $ref: 'list.yaml' },
  });
  folder.write('paths/list.yaml', { parameters: [{ $ref: '../parameters.yaml#/limit' }], responses: OK });
  folder.write('parameters.yaml', {
    pet: { name: 'pet', in: 'body', required: true, schema: { $ref: 'schemas.yaml#/Pet' } },
    limit: { name: 'limit', in: 'query', type: 'integer', maximum: 9 },
  });
  folder.write('responses.yaml', { done: { description: 'done', schema: { $ref: 'schemas.yaml#/Pet' } } });
  folder.write('schemas.yaml', {
    Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  });
  const document = {
    swagger: '2.0',
    info: { title: 'Split', version: '1' },
    host: 'split.test',
    schemes: ['https'],
    paths: { '/pets': { $ref: 'paths/pets.yaml' } },
    definitions: { $ref: 'schemas.yaml' },
  };
  const { tools, quarantined, findings } = await toolsOf(folder.write('api.yaml', document));
  expect([quarantined, findings]).toEqual([[], []]);
  expect(tools['GET /pets']?.parameters).toEqual(['limit']);
  expect(tools['GET /pets']?.schema['properties']).toMatchObject({ limit: { type: 'integer', maximum: 9 } });
  expect(tools['POST /pets']?.schema['required']).toEqual(['body']);
  expect(JSON.stringify(tools['POST /pets']?.schema)).toContain('"required":["name"]');
});

test.each([
  '../outside.yaml',
  'http://127.0.0.1:9/paths.yaml',
  '//127.0.0.1/paths.yaml',
  '#',
  '#/paths',
  'gone.yaml',
  'api.yaml',
])('paths that refer to %s are refused with document and place, and nothing outside is read', async (reference) => {
  using folder = oddFolder();
  folder.write('outside.yaml', { '/secret': { get: { responses: OK } } });
  const file = folder.write('inner/api.yaml', { ...head, paths: { $ref: reference } });
  await expect(toolsOf(file).then(({ tools, findings }) => ({ tools: Object.keys(tools), findings }))).resolves.toEqual(
    {
      tools: [],
      findings: [expect.stringMatching(/^\/paths/)],
    },
  );
});

test('a chain of files that ends in itself, and names that objects inherit, end the search', async () => {
  using folder = oddFolder();
  folder.write('a.yaml', { $ref: 'b.yaml' });
  folder.write('b.yaml', { $ref: 'a.yaml' });
  const document = {
    ...head,
    paths: { '/ok': { get: { responses: OK } }, '/round': { $ref: 'a.yaml' } },
    components: { schemas: { $ref: 'a.yaml' }, constructor: { $ref: '#/toString' } },
  };
  expect(Object.keys((await toolsOf(folder.write('api.yaml', document))).tools)).toEqual(['GET /ok']);
});

describe('a folder of documents that refer to each other', () => {
  const NUMBERS = Array.from({ length: 40 }, (_, n) => n);
  const next = (n: number) => `d${(n + 1) % NUMBERS.length}.json#/components/schemas`;

  function writeRing(folder: OddFolder): void {
    for (const n of NUMBERS)
      folder.write(`d${n}.json`, {
        ...head,
        paths: {
          [`/d${n}`]: { post: { operationId: `createD${n}`, requestBody: bodyOf(`${next(n)}/Used`), responses: OK } },
        },
        components: {
          schemas: {
            Used: { type: 'object', required: ['name'], properties: { name: { $ref: '#/components/schemas/Name' } } },
            Name: { type: 'string', maxLength: 5 },
            Other: { type: 'object', properties: { next: { $ref: `${next(n)}/Other` }, odd: { pattern: '(' } } },
          },
        },
      });
  }

  type Part = { components: { schemas: object } };
  const bodyOf = ($ref: string) => ({ required: true, content: { 'application/json': { schema: { $ref } } } });

  test('each holds what it reaches of the others, and nothing else', async () => {
    using folder = oddFolder();
    writeRing(folder);
    const { documents, findings } = await importDocument(folder.path);
    const parts = documents.find(({ id }) => id === 'd3')?.content['x-svc-parts'] as Record<string, Part>;
    const taken = (name: string) => Object.keys(parts[name]?.components.schemas ?? {}).sort();
    expect(documents).toHaveLength(NUMBERS.length);
    // The `Other` of each leads to that of the next, and what `Used` of another document refers to comes with it.
    expect([taken('d4.json'), taken('d5.json')]).toEqual([['Name', 'Other', 'Used'], ['Other']]);
    expect(findings.filter(({ document }) => document === 'd3.json')).toHaveLength(NUMBERS.length);
  });

  test('two references of which one leads into the other are the same place', async () => {
    const api = await importedApi({
      'api.json': {
        ...head,
        paths: {
          '/a': {
            post: { operationId: 'createA', requestBody: bodyOf('parts.json#/Outer/properties/inner'), responses: OK },
          },
          '/b': { post: { operationId: 'createB', requestBody: bodyOf('parts.json#/Outer'), responses: OK } },
          '/c': { post: { operationId: 'createC', requestBody: bodyOf('parts.json#/Outer/allOf/0'), responses: OK } },
        },
      },
      'parts.json': {
        Outer: {
          type: 'object',
          properties: { inner: { type: 'object', properties: { text: { $ref: '#/Text' } } } },
          allOf: [{ properties: { id: { $ref: '#/Text' } } }],
        },
        Text: { type: 'string', maxLength: 3 },
        Gone: { $ref: 'nowhere.json' },
      },
    });
    expect([api.findings, api.setAside]).toEqual([[expect.stringContaining('all 3 operations are POST')], []]);
    expect(api.problems('createA', { body: { text: 'long' } })).toHaveLength(1);
    expect(api.problems('createB', { body: { inner: { text: 'long' }, id: 'long' } })).toHaveLength(2);
    expect(api.problems('createC', { body: { id: 'long' } })).toHaveLength(1);
    expect(api.problems('createB', { body: { inner: { text: 'abc' }, id: 'abc' } })).toEqual([]);
  });

  test('one that nests without end is left out, and the others stay', async () => {
    using folder = oddFolder();
    folder.write('deep.json', `{"openapi":"3.0.3","paths":{"/x":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`);
    folder.write('plain.json', { ...head, paths: { '/a': { get: { responses: OK } } } });
    const { documents, leftOutDocuments, findings } = await importDocument(folder.path);
    expect([documents.map(({ id }) => id), leftOutDocuments]).toEqual([['plain'], ['deep.json']]);
    expect(findings.map(({ message }) => message).join()).toContain('nest at most 300 levels');
  });
});
