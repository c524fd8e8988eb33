import { describe, expect, it } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, pets } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };

describe('a document that cannot be served is refused with code, place, expected, got and remedy', () => {
  const deep = `{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}}}}}}}}}`;
  it.each([
    [
      'truncated',
      JSON.stringify(pets()).slice(0, 300),
      /FOREIGN_DOCUMENT_UNREADABLE: document somebody\.json should be a UTF-8 text in JSON or YAML, got .*JSON/,
    ],
    [
      'not UTF-8',
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
      /FOREIGN_DOCUMENT_UNREADABLE: .* got bytes that are not UTF-8/,
    ],
    [
      'of YAML with an error',
      'openapi: 3.0.3\npaths:\n  /a: {get: {responses: [}}\n  /b: {get: {}}\n',
      /FOREIGN_DOCUMENT_UNREADABLE: .* got .* at line 3, column \d+/,
    ],
    ['empty', '', /FOREIGN_DOCUMENT_UNREADABLE: .* got a text that holds no object/],
    ['a list', '[]', /FOREIGN_DOCUMENT_UNREADABLE: .* got a text that holds no object/],
    [
      'of no known version',
      { openapi: '4.0.0', paths: {} },
      /FOREIGN_DOCUMENT_INVALID: .*\/openapi should be 3\.0, 3\.1, 3\.2 or swagger 2\.0, got "4\.0\.0"/,
    ],
    [
      'without paths',
      { openapi: '3.0.0', info: {} },
      /FOREIGN_DOCUMENT_INVALID: .*\/paths should be a map with at least one path, got none/,
    ],
    [
      'without operations',
      foreignDocument({ '/a': {} }),
      /FOREIGN_DOCUMENT_INVALID: .*\/paths should be at least one operation, got none/,
    ],
    [
      'nested beyond measure',
      deep,
      /FOREIGN_DOCUMENT_INVALID: .*got one nested too deeply to walk.* Remedy: correct the document/,
    ],
  ])('%s', async (_what, content, says) => {
    await expect(foreignTestbed(content as string)).rejects.toThrow(says as RegExp);
  });
});

describe('a document that is only partly sound is served, and what was changed is told with pointer and remedy', () => {
  it('reads nothing outside the folder and fetches nothing', async () => {
    const paths = {
      '/a': {
        get: answering({
          type: 'object',
          required: ['far', 'above', 'lost', 'self'],
          properties: {
            far: { $ref: 'https://elsewhere.example/x.json#/A' },
            above: { $ref: '../../etc/passwd' },
            lost: { $ref: '#/components/schemas/Lost' },
            self: { $ref: '#/components/schemas/Self' },
            $ref: { type: 'integer' },
          },
        }),
      },
    };
    await using testbed = await foreignTestbed(
      foreignDocument(paths, { components: { schemas: { Self: { $ref: '#/components/schemas/Self' } } } }),
    );
    const told = testbed.platform.warnings.list.map(
      ({ pointer, message }) => `${pointer.split('/').at(-1)}: ${message}`,
    );
    expect(told.sort()).toEqual([
      'Self: reference "#/components/schemas/Self" leads back to itself, any value is accepted here',
      'above: reference to "../../etc/passwd" leads outside the document\'s folder, any value is accepted here',
      'far: reference to "https://elsewhere.example/x.json" is not fetched, any value is accepted here',
      'lost: reference "#/components/schemas/Lost" leads nowhere, any value is accepted here',
      'self: reference "#/components/schemas/Self" leads back to itself, any value is accepted here',
    ]);
    expect(testbed.platform.warnings.list.every((warning) => warning.remedy.length > 10)).toBe(true);
    expect(Object.keys(testbed.call('GET', '/a').body)).toEqual(
      expect.arrayContaining(['far', 'above', 'lost', 'self', '$ref']),
    );
  });

  it('takes in files beside it, with references among them', async () => {
    const files = {
      'pet.yaml':
        'Pet:\n  type: object\n  required: [name, owner]\n  properties:\n    name: {type: string}\n    owner: {$ref: "#/Owner"}\nOwner:\n  type: object\n  required: [age]\n  properties:\n    age: {type: integer, minimum: 3, maximum: 3}\n',
    };
    await using testbed = await foreignTestbed(
      foreignDocument({ '/pet': { get: answering({ $ref: './pet.yaml#/Pet' }) } }),
      files,
    );
    expect(testbed.call('GET', '/pet').body).toEqual({ name: expect.any(String), owner: { age: 3 } });
    expect(testbed.platform.warnings.count).toBe(0);
  });

  it('takes a percent sign in the name of a file for itself where it stands for nothing else', async () => {
    const half = { 'half50%.yaml': 'const: half\n' };
    await using testbed = await foreignTestbed(
      foreignDocument({ '/half': { get: answering({ $ref: './half50%.yaml' }) } }),
      half,
    );
    expect(testbed.call('GET', '/half').body).toBe('half');
  });

  it.each([
    ['3.0.3', { content: { 'application/json': { schema: { $ref: './cat.yaml' } } } }],
    ['2.0', { schema: { $ref: './cat.yaml' } }],
  ])('takes paths, path items and operations of %s that stand in files of their own', async (version, answer) => {
    const id = { name: 'id', in: 'path', required: true, type: 'integer', schema: { type: 'integer' } };
    const read = { parameters: [id], responses: { 200: { description: 'Fine', ...answer } } };
    const files = {
      'cat.yaml': 'type: object\nrequired: [lives]\nproperties: {lives: {type: integer, enum: [9]}}\n',
      'read.json': JSON.stringify(read),
      'item.json': JSON.stringify({ get: { $ref: './read.json' } }),
      'paths.json': JSON.stringify({
        '/cats/{id}': { $ref: './item.json' },
        '/dogs/{id}': { get: { $ref: './read.json' } },
      }),
    };
    const key = version === '2.0' ? 'swagger' : 'openapi';
    const document = { [key]: version, info: { title: 'Split', version: '1' }, paths: { $ref: './paths.json' } };
    await using testbed = await foreignTestbed(document, files);
    for (const path of ['/cats', '/dogs']) {
      expect(testbed.call('GET', `${path}/1`).body).toEqual({ lives: 9 });
      expect(testbed.call('GET', `${path}/tom`).status).toBe(400);
    }
    expect(testbed.platform.warnings.count).toBe(0);
  });

  it('takes parameters and responses of Swagger 2.0 that stand in other files', async () => {
    const files = {
      'shared.yaml':
        'pet: {in: body, name: pet, required: true, schema: {required: [name]}}\nid: {in: path, name: id, required: true, type: integer}\nfine: {description: Fine, schema: {type: integer, enum: [9]}}\n',
    };
    const refer = (name: string) => ({ $ref: `./shared.yaml#/${name}` });
    const responses = { 200: refer('fine') };
    const put = { parameters: [refer('pet')], responses: { 200: { $ref: '#/responses/Fine' } } };
    const item = { parameters: [refer('id')], get: { responses }, put };
    const media = { consumes: ['application/json'], produces: ['application/json'] };
    const rest = { info: { title: 'Split', version: '1' }, responses: { Fine: refer('fine') }, ...media };
    await using testbed = await foreignTestbed({ swagger: '2.0', paths: { '/pets/{id}': item }, ...rest }, files);
    expect(testbed.call('GET', '/pets/1').body).toBe(9);
    expect(testbed.call('GET', '/pets/tom').status).toBe(400);
    expect(testbed.call('PUT', '/pets/1', {}).status).toBe(400);
    expect(testbed.call('PUT', '/pets/1', { name: 'Tom' }).body).toBe(9);
  });

  it.each(['openapi: 3.0', 'openapi: 3', 'openapi: 3.1', 'swagger: 2.0'])(
    'takes %s, which is a number in YAML',
    async (version) => {
      const written = `${version}\npaths: {/a: {get: {responses: {200: {description: ok}}}}}\n`;
      await using testbed = await foreignTestbed(written, {}, 'somebody.yaml');
      expect(testbed.call('GET', '/a').status).toBe(200);
    },
  );

  it.each([
    { openapi: '3.0.3', components: { schemas: { Cat: { const: 'cat' } } }, place: '#/components/schemas/Cat' },
    { swagger: '2.0', definitions: { Cat: { enum: ['cat'] } }, place: '#/definitions/Cat' },
  ])('takes a response that is a reference to a schema as an answer of it', async ({ place, ...stated }) => {
    const paths = { '/cat': { get: { produces: ['application/json'], responses: { 200: { $ref: place } } } } };
    await using testbed = await foreignTestbed({ info: { title: 'Cats', version: '1' }, paths, ...stated });
    expect(testbed.call('GET', '/cat').body).toBe('cat');
    expect(testbed.platform.warnings.list.map(({ pointer }) => pointer)).toEqual(['/paths/~1cat/get/responses/200']);
  });

  it('takes YAML in which a name stands twice, as the last one says', async () => {
    const responses = (value: number) =>
      `responses: {200: {description: ok, content: {application/json: {schema: {const: ${value}}}}}}`;
    const written = `openapi: 3.0.3\npaths:\n  /a: {get: {${responses(1)}}}\n  /a: {get: {${responses(2)}}}\n`;
    await using testbed = await foreignTestbed(written, {}, 'somebody.yaml');
    expect(testbed.call('GET', '/a').body).toBe(2);
  });

  it('takes quoted texts of YAML whose further lines stand no deeper than their key', async () => {
    const answer = `{200: {description: ok, content: {application/json: {schema: {const: 1}}}}}`;
    const written = `openapi: 3.0.3\npaths:\n  /a:\n    get:\n      description: 'one\n      two'\n      responses: ${answer}\n`;
    await using testbed = await foreignTestbed(written, {}, 'somebody.yaml');
    expect(testbed.call('GET', '/a').body).toBe(1);
  });

  it('keeps operations apart whose operationIds or paths are the same', async () => {
    const id = (name: string, type: string) => ({
      parameters: [{ name, in: 'path', required: true, schema: { type } }],
    });
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/a': { get: answering(text, { operationId: 'same' }) },
        '/b': { get: answering(text, { operationId: 'same' }) },
        '/things/{name}': { get: answering({ const: 'by name' }, { operationId: 'byName', ...id('name', 'string') }) },
        '/things/{number}': {
          get: answering({ const: 'by number' }, { operationId: 'byNumber', ...id('number', 'integer') }),
        },
        '/jobs/{id}:cancel': { post: answering({ const: 'cancelled' }, id('id', 'string')) },
        '/compare/{base}...{head}': {
          get: answering(
            { const: 'compared' },
            { parameters: ['base', 'head'].map((name) => ({ name, in: 'path', required: true, schema: text })) },
          ),
        },
        '/loose/{nobody}': { get: answering(text) },
      }),
    );
    expect(testbed.platform.warnings.list.map(({ message }) => message)).toEqual([
      '"same" is also the operationId of GET /a',
      'path parameter "nobody" is not declared, any text is accepted',
      'differs from /things/{name} in the names of its parameters alone; what the parameters accept decides, then the order',
    ]);
    expect(testbed.call('GET', '/things/seven').body).toBe('by name');
    expect(testbed.call('POST', '/jobs/7:cancel').body).toBe('cancelled');
    expect(testbed.call('GET', '/compare/main...next').body).toBe('compared');
    expect(testbed.call('GET', '/a/').status).toBe(404);
  });

  it('drops keywords that no validator takes', async () => {
    const broken = {
      type: 'object',
      required: true,
      properties: {
        a: { type: 'text', pattern: '(' },
        b: { type: 'integer', minimum: '3', multipleOf: 0 },
        c: { enum: [] },
      },
    };
    await using testbed = await foreignTestbed(foreignDocument({ '/a': { get: answering(broken) } }));
    expect(testbed.platform.warnings.list.map(({ pointer }) => pointer.split('/schema').at(-1)).sort()).toEqual([
      '/properties/a/pattern',
      '/properties/a/type',
      '/properties/b/minimum',
      '/properties/b/multipleOf',
      '/properties/c/enum',
      '/required',
    ]);
    expect(testbed.call('GET', '/a').status).toBe(200);
  });
});

describe('a document of unusual size or shape', () => {
  it('answers within the limits of recursion, also where a circle is required', async () => {
    const schemas = {
      Tree: {
        type: 'object',
        required: ['name', 'children'],
        properties: {
          name: text,
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          parent: { $ref: '#/components/schemas/Tree' },
        },
      },
      Endless: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Endless' } } },
    };
    await using testbed = await foreignTestbed(
      foreignDocument(
        {
          '/tree': { get: answering({ $ref: '#/components/schemas/Tree' }) },
          '/endless': { get: answering({ $ref: '#/components/schemas/Endless' }) },
        },
        { components: { schemas } },
      ),
    );
    expect(testbed.call('GET', '/tree').body).toMatchObject({ name: expect.any(String), children: expect.any(Array) });
    expect(testbed.call('GET', '/endless').status).toBe(200);
    expect(testbed.call('GET', '/endless').text.length).toBeLessThan(1000);
  });

  it('takes 284 parameters and an enumeration of 3,953 values', async () => {
    const values = Array.from({ length: 3953 }, (_, at) => `value-${at}`);
    const parameters = Array.from({ length: 284 }, (_, at) => ({
      name: `field__${at}`,
      in: 'query',
      schema: { type: 'integer' },
    }));
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/wide': {
          get: answering(
            { enum: values },
            { parameters: [...parameters, { name: 'kind', in: 'query', schema: { enum: values } }] },
          ),
        },
      }),
    );
    const all = parameters.map(({ name }, at) => `${name}=${at}`).join('&');
    expect(values).toContain(testbed.call('GET', `/wide?${all}&kind=value-3952`).body);
    expect(testbed.call('GET', '/wide?kind=value-3953').status).toBe(400);
    expect(testbed.call('GET', '/wide?field__283=x').body.message).toBe(
      'query parameter "field__283": expected a whole number, got "x" (string)',
    );
  });

  it('takes an API that is all POST', async () => {
    const call = (result: object) => ({
      requestBody: jsonBody({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }),
      ...answering(result as Record<string, unknown>),
    });
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/rest/edge/getEdge': {
          post: call({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }),
        },
        '/rest/edge/deleteEdge': { post: call({ type: 'object' }) },
      }),
    );
    expect(testbed.call('POST', '/rest/edge/getEdge', { id: 3 }).status).toBe(200);
    expect(testbed.call('POST', '/rest/edge/getEdge', {}).body.message).toMatch(
      /request body at \/id: expected a value, the field is required, got nothing/,
    );
    expect(testbed.platform.entities).toEqual([]);
  });

  it('takes Swagger 2.0 in YAML, forms included', async () => {
    const yaml =
      'swagger: "2.0"\ninfo: {title: old, version: "1"}\nbasePath: /v2\npaths:\n  /pets:\n    post:\n      consumes: [application/x-www-form-urlencoded]\n      produces: [application/json]\n      parameters:\n        - {name: name, in: formData, type: string, required: true}\n        - {name: age, in: formData, type: integer}\n      responses:\n        200: {description: fine, schema: {type: object, required: [name], properties: {name: {type: string}}}}\n';
    await using testbed = await foreignTestbed(yaml, {}, 'old.yaml');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(testbed.call('POST', '/pets', 'name=Rex&age=3', form).body).toEqual({ name: expect.any(String) });
    expect(testbed.call('POST', '/pets', 'name=Rex&age=old', form).status).toBe(400);
    expect(testbed.call('POST', '/pets', 'age=3', form).status).toBe(400);
  });
});
