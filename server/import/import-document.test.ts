/** Documents as the world writes them: taken in, cut with a precise report, or refused; never fetched, never crashing. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readOperations } from '../catalog/document-operations.ts';
import type { JsonObject } from '../catalog/platform-document.ts';
import { schemaProblem } from '../catalog/tool-schema.ts';
import { RouterError } from '../errors.ts';
import { countDocument } from '../spec-index/count.ts';
import { entriesOf } from '../spec-index/entry.ts';
import {
  bigDocument,
  document,
  type OddFolder,
  OK,
  oddFolder,
  pathParameter,
  taking,
} from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';

const platform = { id: 'odd', kind: 'user', overrides: {}, backends: {}, auth: {} } as never;

/** Takes one document in and reads its operations, as the catalog would. */
async function taken(content: unknown, name = 'api.json', folder: OddFolder = oddFolder()) {
  using own = folder;
  const { documents, findings, baseUrl } = await importDocument(own.write(name, content));
  const tools = documents.flatMap(({ id, content }) => readOperations(platform, { id, file: id, content }));
  return {
    findings: findings.map(({ document, pointer, message }) => `${document}#${pointer}: ${message}`),
    remedies: findings.map(({ remedy }) => remedy),
    drafts: tools.flatMap(({ drafts }) => drafts),
    quarantined: tools.flatMap(({ quarantined }) => quarantined),
    notes: tools.flatMap(({ notes }) => notes),
    content: documents[0]?.content as JsonObject,
    leftOut: documents[0]?.leftOut,
    baseUrl,
  };
}
const bodyOf = (drafts: Awaited<ReturnType<typeof taken>>['drafts']) =>
  (drafts[0]?.built.schema['properties'] as Record<string, unknown> | undefined)?.['body'];

describe('invisible characters', () => {
  const op = { operationId: 'getAll', summary: 'Get all.', responses: OK };

  test.each([
    ['a zero-width space', '\u200b'],
    ['a change of direction', '\u202e'],
    ['tags', '\u{e0049}\u{e0067}'],
    ['variants', '\ufe0e\ufe01'],
    ['a bell', '\u0007'],
  ])('%s is taken out of a text, with its place', async (_, letters) => {
    const { drafts, findings } = await taken(
      document({ '/a': { get: { ...op, description: `Lists ${letters}all.` } } }),
    );
    expect(JSON.stringify(drafts)).toContain('Lists all.');
    expect(drafts).toHaveLength(1);
    expect(findings).toContainEqual(expect.stringMatching(/^api\.json#\/paths\/~1a\/get\/description: \d+ invisible/));
  });

  test('are taken out of examples, whose names and values are not sent', async () => {
    const example = { name: 'two\u200bwords', 'a\u200b': 1, enum: ['x\u202e'] };
    const { content, drafts } = await taken(
      document({
        '/a': { get: { ...op, responses: { 200: { description: '', content: { 'application/json': { example } } } } } },
      }),
    );
    expect(drafts).toHaveLength(1);
    expect(JSON.stringify(content)).toContain('"example":{"name":"twowords","enum":["x"]}');
  });

  test.each([
    ['a path', { '/a\u200b': { get: op } }],
    ['a name', { '/a': { get: { ...op, operationId: 'get\u202eAll' } } }],
    ['a parameter', { '/a': { get: { ...op, parameters: [{ name: 'q\u200b', in: 'query' }] } } }],
    [
      'a property',
      {
        '/a': {
          post: { requestBody: { content: { 'application/json': { schema: { properties: { 'a\u200b': {} } } } } } },
        },
      },
    ],
  ])('refuse a document where they stand in %s, and are shown', async (_, paths) => {
    await expect(taken(document(paths))).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      message: expect.stringMatching(/should hold no invisible characters .* at \/paths\/~1a/),
    });
  });

  test.each([
    ['a list', { enum: ['x\u{e0041}', 'y'] }],
    ['the one value', { const: 'x\u{e0041}' }],
    ['a value that is an object', { enum: [{ 'x\u{e0041}': 1 }] }],
  ])('set the operations aside that would send them from %s, and no others', async (_, E) => {
    const schema = { $ref: '#/components/schemas/E' };
    const { drafts, quarantined, content, findings } = await taken(
      document(
        {
          '/a': {
            get: { ...op, responses: { 200: { description: '', content: { 'application/json': { schema } } } } },
            post: { parameters: [{ name: 'q', in: 'query', schema }], responses: OK },
            put: {
              requestBody: { content: { 'application/json': { schema: { properties: { e: schema } } } } },
              responses: OK,
            },
          },
        },
        { components: { schemas: { E } } },
      ),
    );
    expect(drafts.map(({ method }) => method)).toEqual(['GET']);
    expect(quarantined.map(({ operation }) => operation).sort()).toEqual(['POST /a', 'PUT /a']);
    expect(quarantined[0]?.reason).toBe('a value that it sends holds invisible characters');
    expect(JSON.stringify(content)).not.toMatch(/[\u{e0041}]/u);
    expect(findings).toEqual([
      expect.stringMatching(/E\/(enum|const).*: 1 invisible characters in a value: operations that send it/),
    ]);
  });

  test.each([
    ['a tag', { tags: [{ name: '⚙\ufe0f Admin' }] }, '/tags/0/name'],
    ['a group of tags', { 'x-tagGroups': [{ name: '⚙\ufe0f Admin', tags: [] }] }, '/x-tagGroups/0/name'],
    ['a contact', { info: { title: 'Odd', version: '1', contact: { name: 'می\u200cخواهم' } } }, '/info/contact/name'],
  ])('are taken out of the name of %s, which is not sent', async (_, more, pointer) => {
    const { drafts, findings } = await taken(document({ '/a': { get: op } }, more));
    expect(drafts).toHaveLength(1);
    expect(findings).toEqual([`api.json#${pointer}: 1 invisible characters in a text: taken out`]);
  });

  test('are taken out of the texts of a property that is called name', async () => {
    const { findings, drafts } = await taken(
      taking({ properties: { name: { type: 'string', description: 'What it is \u200bcalled' } } }),
    );
    expect(drafts).toHaveLength(1);
    expect(findings).toEqual([expect.stringMatching(/properties\/name\/description: 1 invisible/)]);
  });

  test('leave umlauts, other scripts, line breaks and tabs alone', async () => {
    const description = 'Größe: 東京\n\tعربي.';
    const { findings } = await taken(document({ '/a': { get: { ...op, description } } }));
    expect(findings.filter((finding) => finding.includes('invisible'))).toEqual([]);
  });
});

describe('a file that cannot be read is refused with its position and a remedy', () => {
  test.each<[string, string, unknown, RegExp]>([
    [
      'cut off in the middle',
      'api.json',
      JSON.stringify(taking({})).slice(0, 120),
      /api\.json: should be JSON, got the text ends too early at line 1, column \d+/,
    ],
    [
      'a version that is an object with a method of every object',
      'api.json',
      { openapi: { toString: 'x' }, paths: {} },
      /should be 3\.0, 3\.1 or 3\.2, or `\/swagger` 2\.0, got/,
    ],
    [
      'a comma too many',
      'api.json',
      '{\n"openapi": "3.0.3",,\n}',
      /should be JSON, got a syntax error at line 2, column 20/,
    ],
    ['broken YAML', 'api.yaml', 'openapi: "3.0.3"\npaths: {a', /should be YAML, got a syntax error \(\w+\) at line 2/],
    [
      'no UTF-8',
      'api.json',
      Buffer.from([...Buffer.from('{"openapi":"'), 0xe9, 0x22, 0x7d]),
      /should be UTF-8, got the byte 0xe9 at offset 12/,
    ],
    ['UTF-16', 'api.yaml', Buffer.from('\ufeffopenapi: 3.0.3', 'utf16le'), /should be UTF-8, got UTF-16/],
    ['empty', 'api.yaml', '', /should be an OpenAPI document, got nothing/],
    ['a list', 'api.json', '[]', /should be an OpenAPI document, got a list/],
    ['no paths', 'api.json', { openapi: '3.1.0', webhooks: {} }, /`\/paths` should be an object of paths/],
    [
      'an HTML page',
      'api.json',
      '\n<!DOCTYPE html><html></html>',
      /OpenAPI document in JSON or YAML, got an HTML page/,
    ],
    ['RAML', 'api.raml', '#%RAML 1.0\ntitle: A\n/x:\n  get:\n', /got a RAML document/],
    [
      'GraphQL',
      'api.graphql',
      '# All\n"""\nA site\n"""\ntype Site @key(fields: "id") { id: ID! }',
      /got a GraphQL schema/,
    ],
    ['XML', 'api.wsdl', '<?xml version="1.0"?><definitions/>', /got an XML document/],
    ['Protocol Buffers', 'api.proto', 'syntax = "proto3";\nservice A {}', /got a Protocol Buffers file/],
    [
      'AsyncAPI',
      'api.yaml',
      'asyncapi: 2.6.0\nchannels: {}\n',
      /should be an OpenAPI document, got an AsyncAPI document/,
    ],
    [
      'a Postman collection',
      'api.json',
      { info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }, item: [] },
      /got a Postman collection/,
    ],
    ['an introspection', 'api.json', { data: { __schema: {} } }, /got the introspection of a GraphQL API/],
    [
      'a listing of Swagger 1',
      'api.json',
      { swaggerVersion: '1.2', apis: [] },
      /got a Swagger document older than 2\.0/,
    ],
    [
      'Swagger 1.2',
      'api.json',
      { swagger: '1.2', paths: {} },
      /should be 3\.0, 3\.1 or 3\.2, or `\/swagger` 2\.0, got 1\.2/,
    ],
    ['an anchor inside itself', 'api.yaml', 'openapi: 3.0.3\npaths: &a\n  /x: *a\n', /anchor|nest at most 300 levels/],
    [
      'an anchor bomb',
      'api.yaml',
      `openapi: 3.0.3\npaths: {}\na: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [${'*c,'.repeat(50)}]\n`,
      /at most 1000 times/,
    ],
    [
      'nested without end',
      'api.json',
      `{"openapi":"3.0.3","paths":{"/x":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`,
      /should nest at most 300 levels/,
    ],
  ])('%s', async (_, name, content, message) => {
    using folder = oddFolder();
    await expect(importDocument(folder.write(name, content))).rejects.toThrow(
      expect.objectContaining({
        code: 'DOCUMENT_INVALID',
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(/\w+/),
      }),
    );
  });

  test('a path that does not exist', async () => {
    await expect(importDocument('/nowhere/api.json')).rejects.toThrow(
      expect.objectContaining({ code: 'DOCUMENTS_MISSING' }),
    );
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe that nobody may ever fill, and a device without an end (not on Windows, which has neither)',
    async () => {
      using folder = oddFolder();
      const pipe = join(folder.path, 'pipe.yaml');
      execFileSync('mkfifo', [pipe]);
      for (const path of [pipe, '/dev/zero'])
        await expect(importDocument(path)).rejects.toThrow(
          expect.objectContaining({ code: 'DOCUMENT_INVALID', message: expect.stringContaining('a pipe or a device') }),
        );
    },
  );
});

test.skipIf(process.platform === 'win32')(
  'of a folder only files are read: no pipe, and no link that leads nowhere (not on Windows, which has no pipes in folders)',
  async () => {
    using folder = oddFolder();
    folder.write('api.json', document({ '/things': { get: { operationId: 'things', responses: OK } } }));
    execFileSync('mkfifo', [join(folder.path, 'pipe.yaml')]);
    symlinkSync('nowhere.yaml', join(folder.path, 'broken.yaml'));
    expect((await importDocument(folder.path)).documents).toHaveLength(1);
  },
);

describe('references', () => {
  test('to another place become any value, and no request is made', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/thing.json`;
    const { drafts, findings, quarantined, remedies } = await taken(
      taking({ properties: { a: { $ref: url }, b: { $ref: '//other.test/x' }, c: { type: 'string' } } }),
    );
    server.close();
    expect(requests).toBe(0);
    expect(quarantined).toEqual([]);
    expect(bodyOf(drafts)).toEqual({ properties: { a: {}, b: {}, c: { type: 'string' } } });
    const at = '/paths/~1things/post/requestBody/content/application~1json/schema/properties';
    expect(findings).toEqual([
      `api.json#${at}/a: $ref ${JSON.stringify(url)} points to another place and nothing is fetched: taken as any value`,
      `api.json#${at}/b: $ref "//other.test/x" points to another place and nothing is fetched: taken as any value`,
    ]);
    expect(remedies[0]).toBe('save the file beside the document and refer to it by a relative path');
  });

  test('out of the folder are never read, whether by dots, by a full path or by a link', async () => {
    using secret = oddFolder();
    const outside = secret.write('secret.json', { type: 'string', description: 'secret-text' });
    const folder = oddFolder();
    symlinkSync(outside, join(folder.path, 'link.json'));
    const refs = ['../../../../../../etc/passwd', '%2e%2e/secret.json', outside, 'link.json', 'missing.json'];
    const { findings, content } = await taken(taking({ allOf: refs.map(($ref) => ({ $ref })) }), 'api.json', folder);
    expect(
      findings.map((line) =>
        / (leads out of \S+ by a link|leads out of|names a file that does not exist)/
          .exec(line)?.[1]
          ?.split(' ')
          .slice(0, 3)
          .join(' '),
      ),
    ).toEqual(['leads out of', 'leads out of', 'leads out of', 'leads out of', 'names a file']);
    expect(JSON.stringify(content)).not.toContain('secret-text');
  });

  test('to files beside it are gathered, also through each other and back', async () => {
    using folder = oddFolder();
    folder.write(
      'schemas/thing.yaml',
      'type: object\nproperties:\n  part: {$ref: "./part.yaml#/Part"}\n  owner: {$ref: "../api.json#/components/schemas/Owner"}\n',
    );
    folder.write(
      'schemas/part.yaml',
      'Part:\n  type: object\n  properties:\n    whole: {$ref: "thing.yaml"}\n    size: {$ref: "#/Size"}\nSize: {type: integer, maximum: 9}\n',
    );
    folder.write(
      'paths/things.yaml',
      'post:\n  operationId: createThing\n  requestBody:\n    content:\n      application/json:\n        schema: {$ref: "../schemas/thing.yaml"}\n  responses: {}\n',
    );
    const file = folder.write(
      'api.json',
      document(
        { '/things': { $ref: 'paths/things.yaml' } },
        { components: { schemas: { Owner: { type: 'string' }, Part: { $ref: 'schemas/part.yaml#/Part' } } } },
      ),
    );
    const { documents, findings } = await importDocument(file);
    expect(findings).toEqual([]);
    const [gathered] = documents;
    const { drafts, quarantined } = readOperations(platform, {
      id: 'api',
      file,
      content: gathered?.content as JsonObject,
    });
    expect(quarantined).toEqual([]);
    expect(drafts.map(({ operationId }) => operationId)).toEqual(['createThing']);
    expect(Object.keys(drafts[0]?.built.schema['$defs'] as object).sort()).toEqual([
      'Owner',
      'Part',
      'Size',
      'thing_yaml',
    ]);
    expect(countDocument(gathered as { content: JsonObject })).toEqual({ endpoints: 1, schemas: 2, fields: 2 });
  });

  test('to nothing, to themselves and in circles', async () => {
    const schemas = {
      Loop: { $ref: '#/components/schemas/Loop' },
      Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } },
    };
    const properties = {
      none: { $ref: '#/components/schemas/None' },
      loop: { $ref: '#/components/schemas/Loop' },
      tree: { $ref: '#/components/schemas/Tree' },
    };
    const { drafts, findings } = await taken(taking({ properties }, { components: { schemas } }));
    expect(findings.map((line) => line.split(' ').slice(-8).join(' '))).toEqual([
      expect.stringContaining('points at nothing: taken as any value'),
      expect.stringContaining('leads back to itself: taken as any value'),
      expect.stringContaining('leads back to itself: taken as any value'),
    ]);
    expect(drafts).toHaveLength(1);
  });

  test('twenty-five deep, in a field that is called $ref, in an example, and into definitions of a 3.0 file', async () => {
    const schemas: JsonObject = { S25: { type: 'integer' } };
    for (let i = 24; i >= 0; i--) schemas[`S${i}`] = { $ref: `#/components/schemas/S${i + 1}` };
    const properties = {
      $ref: { type: 'string' },
      deep: { $ref: '#/components/schemas/S0' },
      old: { $ref: '#/definitions/Old' },
    };
    const more = { components: { schemas }, definitions: { Old: { type: 'boolean' } } };
    const { drafts, findings } = await taken(taking({ properties, example: { $ref: 'http://nowhere.test' } }, more));
    expect(findings).toEqual([]);
    expect(bodyOf(drafts)).toMatchObject({ properties: { $ref: { type: 'string' }, old: { $ref: '#/$defs/Old' } } });
  });
});

describe('an operation or a path that is a reference', () => {
  const byId = { operationId: 'getThing', parameters: [pathParameter('id')], responses: OK };
  const argumentsOf = ({ drafts }: Awaited<ReturnType<typeof taken>>) =>
    Object.fromEntries(
      drafts.map(({ method, path, built }) => [
        `${method} ${path}`,
        Object.keys(built.schema['properties'] as object).sort(),
      ]),
    );

  test('is followed to a path, to a component and to files beside, with the parameters of what it names', async () => {
    const folder = oddFolder();
    folder.write('ops/read.yaml', {
      operationId: 'readPart',
      parameters: [{ $ref: '../parameters.yaml#/id' }, { name: 'depth', in: 'query' }],
      responses: OK,
    });
    folder.write('ops/item.yaml', {
      parameters: [{ $ref: '../parameters.yaml#/id' }],
      get: { $ref: 'read.yaml' },
      delete: { $ref: '../api.json#/paths/~1things~1%7Bid%7D/get' },
    });
    folder.write('parameters.yaml', { id: pathParameter('id') });
    const result = await taken(
      document(
        {
          '/things/{id}': { get: byId },
          '/items/{id}': { $ref: '#/paths/~1things~1%7Bid%7D' },
          '/pets/{id}': { $ref: '#/components/pathItems/Pet', parameters: [{ name: 'site', in: 'query' }] },
          '/parts/{id}': { $ref: 'ops/item.yaml' },
          '/copies/{id}': {
            get: { $ref: '#/paths/~1things~1{id}/get', operationId: 'getCopy' },
            put: { $ref: '#/paths/~1pets~1{id}/get' },
            post: { $ref: 'ops/read.yaml' },
          },
        },
        { components: { pathItems: { Pet: { parameters: [pathParameter('id')], get: { responses: OK } } } } },
      ),
      'api.json',
      folder,
    );
    expect([result.findings, result.quarantined]).toEqual([
      ['api.json#/paths/~1copies~1{id}/put: `{id}` in the path has no parameter: taken as a text'],
      [],
    ]);
    expect(argumentsOf(result)).toEqual({
      'GET /things/{id}': ['id'],
      'GET /items/{id}': ['id'],
      'GET /pets/{id}': ['id', 'site'],
      'GET /parts/{id}': ['depth', 'id'],
      'DELETE /parts/{id}': ['id'],
      'GET /copies/{id}': ['id'],
      'PUT /copies/{id}': ['id'],
      'POST /copies/{id}': ['depth', 'id'],
    });
    expect(result.drafts.map(({ operationId }) => operationId)).toContain('getCopy');
    expect(result.leftOut).toBe(0);
    expect(countDocument({ content: result.content }).endpoints).toBe(8);
  });

  test('is set aside and counted where it leads to nothing, to itself or to something else', async () => {
    const { drafts, findings, leftOut, content } = await taken(
      document({
        '/ok': { get: { responses: OK } },
        '/none': { get: { $ref: 'missing.yaml' }, put: { $ref: '#/paths/~1nowhere/put' } },
        '/self': { get: { $ref: '#/paths/~1self/get' }, post: { $ref: '#/info/title' }, patch: { $ref: '#/info' } },
        '/gone': { $ref: 'gone.yaml' },
        '/again': { $ref: '#/paths/~1gone' },
      }),
    );
    expect(drafts.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /ok']);
    expect(findings).toEqual([
      'api.json#/paths/~1none/get: $ref "missing.yaml" names a file that does not exist: set aside',
      'api.json#/paths/~1gone: $ref "gone.yaml" names a file that does not exist: set aside',
      'api.json#/paths/~1none/put: $ref "#/paths/~1nowhere/put" points at nothing: set aside',
      'api.json#/paths/~1self/get: $ref "#/paths/~1self/get" leads back to itself: set aside',
      'api.json#/paths/~1self/post: $ref "#/info/title" points at no operation: set aside',
      'api.json#/paths/~1self/patch: $ref "#/info" points at no operation: set aside',
    ]);
    expect(leftOut).toBe(7);
    expect(Object.keys(content['paths'] as object)).toEqual(['/ok', '/none', '/self']);
  });

  test('is set aside where its body or a parameter leads to nothing, and its neighbours stay', async () => {
    const lost = { $ref: 'https://shop.test/common.yaml#/ids' };
    const { drafts, findings, leftOut } = await taken(
      document(
        {
          '/a': {
            get: { responses: OK },
            post: { requestBody: { $ref: '#/components/requestBodies/A' }, responses: OK },
          },
          '/b': { parameters: [{ $ref: '#/components/parameters/ids' }], delete: { responses: OK } },
          '/c': { get: { parameters: [{ $ref: '../up.yaml#/ids' }], responses: OK }, put: { responses: OK } },
        },
        { components: { requestBodies: { A: { $ref: 'missing.yaml' } }, parameters: { ids: lost } } },
      ),
    );
    expect(drafts.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /a', 'PUT /c']);
    expect(findings.map((line) => line.replace(/ leads out of \S+,/, ' leads out,'))).toEqual([
      'api.json#/paths/~1c/get/parameters/0: $ref "../up.yaml#/ids" leads out, which is all that is read: set aside',
      'api.json#/components/requestBodies/A: $ref "missing.yaml" names a file that does not exist: set aside',
      'api.json#/components/parameters/ids: $ref "https://shop.test/common.yaml#/ids" points to another place and nothing is fetched: set aside',
    ]);
    expect(leftOut).toBe(3);
  });

  test('in a chain that would double with each link stays as long as the document, and too much is refused', async () => {
    const paths: JsonObject = { '/a0': { get: { description: 'x', responses: OK }, put: { responses: OK } } };
    for (let i = 1; i < 30; i++)
      paths[`/a${i}`] = { get: { $ref: `#/paths/~1a${i - 1}/get` }, put: { $ref: `#/paths/~1a${i - 1}` } };
    const { content, leftOut } = await taken(document(paths));
    expect(JSON.stringify(content).length).toBeLessThan(20_000);
    expect(leftOut, 'each PUT, which names a path').toBe(29);
    const big = { description: 'x'.repeat(1024 * 1024), responses: OK };
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, i) => [`/b${i}`, { get: { $ref: '#/components/pathItems/Big/get' } }]),
    );
    await expect(taken(document(many, { components: { pathItems: { Big: { get: big } } } }))).rejects.toThrow(
      /operations that are references should hold at most 67108864 bytes together/,
    );
  });
});

describe('versions and spellings', () => {
  test('Swagger 2.0 arrives as OpenAPI 3 with its server, bodies and forms', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: 'old.test',
      basePath: '/v2',
      schemes: ['https'],
      consumes: ['application/json'],
      definitions: {
        Thing: { type: 'object', required: ['name'], properties: { name: { type: 'string', 'x-nullable': true } } },
      },
      paths: {
        '/things/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
          put: {
            operationId: 'replaceThing',
            parameters: [
              { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
              { name: 'tag', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
            ],
            responses: OK,
          },
          post: {
            operationId: 'sendForm',
            consumes: ['application/x-www-form-urlencoded'],
            parameters: [{ name: 'note', in: 'formData', type: 'string', required: true }],
            responses: OK,
          },
        },
      },
    };
    const { drafts, findings, baseUrl, content } = await taken(stringify(swagger), 'old.yml');
    expect({ findings, baseUrl }).toEqual({ findings: [], baseUrl: 'https://old.test/v2' });
    expect(drafts.map(({ built }) => [built.tool.method, built.tool.body?.contentType, built.tool.params])).toEqual([
      ['POST', 'application/x-www-form-urlencoded', ['id', 'body.note']],
      ['PUT', 'application/json', ['id', 'body.name', 'tag']],
    ]);
    expect(countDocument({ content })).toEqual({ endpoints: 2, schemas: 1, fields: 1 });
  });

  test.each([
    ['3.0', '3.0'],
    ['3', '3.0'],
    ['3.1', '3.1'],
  ])('a version that YAML reads as the number %s is OpenAPI %s', async (written, version) => {
    using folder = oddFolder();
    const paths = 'paths: {/a: {get: {responses: {200: {description: ok}}}}}';
    const { documents } = await importDocument(folder.write('api.yaml', `openapi: ${written}\n${paths}\n`));
    expect(documents[0]?.content['openapi']).toBe(version);
  });

  test.each(['2.0', '2'])('a version that YAML reads as the number %s is Swagger 2.0', async (written) => {
    using folder = oddFolder();
    const body = '{in: body, name: pet, required: true, schema: {type: object}}';
    const text = `swagger: ${written}\nhost: odd.test\nschemes: [https]\npaths: {/a: {post: {parameters: [${body}], responses: {200: {description: ok}}}}}\n`;
    const { baseUrl, documents } = await importDocument(folder.write('api.yaml', text));
    expect(baseUrl).toBe('https://odd.test');
    expect(documents[0]?.content).toMatchObject({ paths: { '/a': { post: { requestBody: { required: true } } } } });
  });

  test('YAML keys and values that look like something else stay what they are', async () => {
    const yaml =
      'openapi: 3.1.0\ninfo: {title: Y, version: 2024-01-01}\npaths:\n  /a:\n    get:\n      operationId: no\n      parameters:\n        - {name: on, in: query, schema: {type: string, enum: [no, off, 2024-01-01]}}\n      responses:\n        200: {description: ok}\n        0404: {description: odd}\n        5XX: {description: bad}\n';
    const { drafts, content } = await taken(yaml, 'api.yaml');
    expect(drafts[0]?.operationId).toBe('no');
    expect(drafts[0]?.built.schema['properties']).toMatchObject({ on: { enum: ['no', 'off', '2024-01-01'] } });
    const get = ((content['paths'] as JsonObject)['/a'] as JsonObject)['get'] as JsonObject;
    expect(Object.keys(get['responses'] as object).sort()).toEqual(['0404', '200', '5XX']);
    expect(content['info']).toMatchObject({ version: '2024-01-01' });
  });

  test('null is allowed in all three spellings; what stands beside a reference counts from 3.1 on', async () => {
    const properties = {
      a: { type: 'string', nullable: true },
      c: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      d: { $ref: '#/components/schemas/S', minLength: 5 },
    };
    const components = { schemas: { S: { type: 'string' } } };
    const old = bodyOf((await taken(taking({ properties }, { components }))).drafts);
    expect(old).toMatchObject({ properties: { a: { type: ['string', 'null'] }, d: { $ref: '#/$defs/S' } } });
    expect(JSON.stringify(old)).not.toContain('minLength');
    const now = bodyOf(
      (
        await taken(
          taking({ properties: { ...properties, b: { type: ['string', 'null'] } } }, { components, openapi: '3.1.0' }),
        )
      ).drafts,
    );
    expect(now).toMatchObject({ properties: { b: { type: ['string', 'null'] }, d: { minLength: 5 } } });
  });

  test('schemas no validator takes are repaired, each with its pointer', async () => {
    const properties = {
      a: { type: 'any' },
      b: { type: 'string', pattern: '(?i)x' },
      c: { type: 'integer', maximum: '10', minimum: 'low' },
      d: { type: 'string', required: true },
      e: { type: 'array', items: [{ type: 'string' }] },
      f: { type: 'file' },
      g: { type: 'string', minimum: 3, format: 'postcode' },
      h: { enum: [] },
    };
    const { drafts, findings, quarantined } = await taken(taking({ type: 'object', required: ['a', 'a'], properties }));
    expect(quarantined).toEqual([]);
    expect(findings.map((line) => line.replace(/^.*properties\//, ''))).toEqual([
      'a: type "any" is no type of JSON: left out',
      'b: pattern "(?i)x" is no regular expression here: left out',
      'c: minimum "low" should be a number: left out',
      'e: items [{"type":"string"}] should be one schema: left out',
      'h: enum [] should be a list: left out',
    ]);
    expect(bodyOf(drafts)).toMatchObject({
      required: ['a'],
      properties: { a: {}, b: { type: 'string' }, c: { maximum: 10 }, d: { type: 'string' }, f: { format: 'binary' } },
    });
  });
});

describe('operations', () => {
  const names = async (paths: object, more: object = {}) => {
    const { drafts, quarantined, notes } = await taken(document(paths, more));
    return {
      tools: drafts.map(({ method, path }) => `${method} ${path}`),
      aside: quarantined.map(({ operation, pointer, reason }) => ({ operation, pointer, reason })),
      drafts,
      notes,
    };
  };

  test('a parameter in two places, one named like the body, and names no client takes', async () => {
    const parameters = [
      pathParameter('id'),
      { name: 'id', in: 'query', schema: { type: 'integer' } },
      { name: 'body', in: 'query' },
      { name: 'filter[name]', in: 'query' },
      { name: '$top', in: 'query' },
    ];
    const { drafts } = await names({ '/things/{id}': { parameters, get: { responses: OK } } });
    expect(drafts[0]?.built.tool.parameters.map(({ argument, name, in: where }) => [argument, name, where])).toEqual([
      ['id', 'id', 'path'],
      ['id_', 'id', 'query'],
      ['body_', 'body', 'query'],
      ['filter_name', 'filter[name]', 'query'],
      ['top', '$top', 'query'],
    ]);
  });

  test('284 parameters and an enum of 3,953 values fit after a reported cut', async () => {
    const parameters = Array.from({ length: 284 }, (_, i) => ({
      name: `criterion_${i}`,
      in: 'query',
      description: 'Narrows the answer. '.repeat(8),
      schema: { type: 'string' },
    }));
    const app = {
      name: 'app',
      in: 'query',
      schema: { type: 'string', enum: Array.from({ length: 3953 }, (_, i) => `application-${i}`) },
    };
    const { drafts, notes, aside } = await names({
      '/wide': { get: { operationId: 'wide', parameters, responses: OK } },
      '/long': { get: { operationId: 'long', parameters: [app], responses: OK } },
    });
    expect(aside).toEqual([]);
    expect(drafts.map(({ built }) => Buffer.byteLength(JSON.stringify(built.schema)) <= 32_768)).toEqual([true, true]);
    expect(drafts[0]?.built.tool.parameters).toHaveLength(284);
    expect(drafts[0]?.built.tool.params).toHaveLength(8);
    expect(notes).toEqual([
      'odd/api: GET /wide: its schema was too long: descriptions shortened',
      'odd/api: GET /long: its schema was too long: descriptions shortened, an enum of 3953 values left to the platform',
    ]);
  });

  test('what cannot be sent is set aside with its reason; what is optional is left out and said', async () => {
    const only = (type: string, required: boolean) => ({
      requestBody: { required, content: { [type]: { schema: { type: 'object' } } } },
      responses: OK,
    });
    const { tools, aside, notes } = await names({
      '/a': {
        get: only('application/json', true),
        post: only('multipart/mixed', true),
        put: only('multipart/mixed', false),
      },
      '/b': {
        get: only('application/json', false),
        post: only('*/*', true),
        delete: only('application/json', true),
        patch: only('', true),
      },
      '/half/{id}': { get: { responses: OK } },
      '/elsewhere': { servers: [{ url: 'https://other.test' }], get: { responses: OK } },
      '/same': {
        servers: [{ url: '{scheme}://odd.test/api/', variables: { scheme: { default: 'http' } } }],
        get: { responses: OK },
      },
    });
    expect(tools).toEqual(['PUT /a', 'GET /b', 'POST /b', 'PATCH /b', 'DELETE /b', 'GET /half/{id}', 'GET /same']);
    expect(aside.map(({ operation, reason }) => `${operation}: ${reason}`)).toEqual([
      'GET /a: its body cannot be sent with GET',
      'POST /a: its body can only be sent as multipart/mixed, which this router does not write',
      "GET /elsewhere: is served from https://other.test, not from the document's http://odd.test/api: add the document once more, as a platform of its own, with --server https://other.test",
    ]);
    expect(aside[0]?.pointer).toBe('/paths/~1a/get');
    expect(notes).toHaveLength(2);
  });

  test('an operation whose only success is a redirect or a change of protocol is said', async () => {
    const answers = (...statuses: string[]) => ({
      get: { responses: Object.fromEntries(statuses.map((status) => [status, { description: status }])) },
    });
    const { notes } = await names({
      '/file': answers('302', '404', 'default'),
      '/socket': answers('101', '400'),
      '/both': answers('200', '302'),
      '/fresh': answers('304', '400'),
      '/any': answers('default'),
      '/login': { post: answers('303').get },
    });
    expect(notes.map((note) => note.replace(/^[^:]*: /, ''))).toEqual([
      'GET /file: its only declared success is a redirect, which this router does not follow: its calls answer where it leads',
      'GET /socket: its only declared success is a change of protocol, which this router does not make: its calls fail',
      'POST /login: its only declared success is a redirect, which this router does not follow: its calls end with an error',
    ]);
  });

  test('an API of POSTs alone is one of writes, whatever its names say, and a hint says who may lower them', async () => {
    const call = (name: string) => ({ post: { operationId: name, responses: OK } });
    const { drafts, findings, remedies } = await taken(
      document({
        '/listUsers': call('listUsers'),
        '/getUser': call('getUser'),
        '/dropUser': call('dropUser'),
        '/users:search': call('searchUsers'),
      }),
    );
    expect(drafts.map(({ operationId, built }) => [operationId, built.tool.capability])).toEqual([
      ['listUsers', 'write'],
      ['getUser', 'write'],
      ['dropUser', 'destructive'],
      ['searchUsers', 'write'],
    ]);
    expect(findings).toEqual(['api.json#/paths: all 4 operations are POST, so all are taken as writes']);
    expect(remedies[0]).toContain('--read-operation');
  });

  test('a path that is sent as another one is left out with document, pointer and remedy, and the rest is taken', async () => {
    const get = { responses: OK };
    const paths = {
      '/ok': { get },
      '/things/run#/search': { post: get },
      '/run?do=/search': { post: get },
      '/a/../run': { post: get },
      '//other.test/run': { get },
      '/a%2f..%2frun': { get },
    };
    const { drafts, findings, remedies } = await taken(document(paths));
    expect(drafts.map(({ path }) => path)).toEqual(['/ok']);
    expect(findings.map((line) => line.replace(/: the path .* holds /, ' holds '))).toEqual([
      'api.json#/paths/~1things~1run#~1search holds # or ?, so what follows is no part of the path: left out',
      'api.json#/paths/~1run?do=~1search holds # or ?, so what follows is no part of the path: left out',
      'api.json#/paths/~1a~1..~1run holds a dot segment, which names another path: left out',
      'api.json#/paths/~1~1other.test~1run holds // or a scheme and host: left out',
      'api.json#/paths/~1a%2f..%2frun holds an encoded slash, dot, %, #, ? or control character: left out',
    ]);
    expect(new Set(remedies)).toEqual(new Set([expect.stringContaining('write the path as the server routes it')]));
  });

  test('a template is refused again where the catalog is built, for documents that were put there by hand', () => {
    const content = document({ '/run#/search': { post: { responses: OK } } });
    const { drafts, quarantined } = readOperations(platform, { id: 'api', file: 'api', content });
    expect(drafts).toEqual([]);
    expect(quarantined).toMatchObject([
      { pointer: '/paths/~1run#~1search/post', reason: expect.stringMatching(/# or \?/) },
    ]);
  });

  test('what makes a request another one is no argument, in header, query or body', async () => {
    const schema = { $ref: '#/components/schemas/Thing' };
    const parameters = [
      { name: 'X-HTTP-Method-Override', in: 'header', required: true, schema: { type: 'string' } },
      { name: '_method', in: 'query', schema: { enum: ['DELETE'] } },
      { name: 'method', in: 'query' },
    ];
    const { drafts, notes } = await taken(
      document(
        { '/a': { post: { parameters, requestBody: { content: { 'application/json': { schema } } }, responses: OK } } },
        {
          components: {
            schemas: { Thing: { type: 'object', required: ['_method'], properties: { _method: {}, name: {} } } },
          },
        },
      ),
    );
    expect(drafts[0]?.built.tool.parameters.map(({ name }) => name)).toEqual(['method']);
    expect(drafts[0]?.built.tool.params).toEqual(['method', 'body.name']);
    expect(JSON.stringify(drafts[0]?.built.schema)).not.toMatch(/_method|override/i);
    expect(notes).toEqual([
      expect.stringMatching(
        /^odd\/api: POST \/a \(\/paths\/~1a\/post\): the header parameter "X-HTTP-Method-Override" .*never sent; call/,
      ),
      expect.stringMatching(/^odd\/api: POST \/a \(\/paths\/~1a\/post\): the query parameter "_method"/),
      expect.stringMatching(/^odd\/api: POST \/a: the body field "_method"/),
    ]);
  });

  test('an operation that needs a whole Cookie header is set aside', async () => {
    const parameters = [{ name: 'Cookie', in: 'header', required: true, schema: { type: 'string' } }];
    const optional = [{ ...parameters[0], required: false }];
    const { drafts, quarantined } = await taken(
      document({
        '/a': { get: { parameters, responses: OK } },
        '/b': { get: { parameters: optional, responses: OK } },
      }),
    );
    expect(drafts.map(({ path }) => path)).toEqual(['/b']);
    expect(quarantined.map(({ reason }) => reason)).toEqual([
      'its required header "Cookie" is one that this router never sends',
    ]);
  });

  test('a key below paths that is no path is left out and reported', async () => {
    const { findings, drafts } = await taken(
      document({
        things: { get: { responses: OK } },
        '/null': null,
        '/ok': { get: { responses: OK } },
        'x-note': 'fine',
      }),
    );
    expect(drafts).toHaveLength(1);
    expect(findings.map((line) => line.split(':')[0])).toEqual(['api.json#/paths/things', 'api.json#/paths/~1null']);
  });
});

test.each([
  ['https://{region}.h.test/{v}/', { region: { default: 'eu' }, v: { default: 'v2' } }, 'https://eu.h.test/v2'],
  ['//h.test/api', {}, 'https://h.test/api'],
  ['/v2', {}, undefined],
  ['https://{region}.h.test', {}, undefined],
  ['https://h.test/delete#', {}, undefined],
  ['https://h.test/delete?x=', {}, undefined],
  ['https://h.test/a/..', {}, undefined],
  ['https://user@h.test', {}, undefined],
  ['https://other.test\\@h.test', {}, undefined],
])('a server %s with %j makes the base URL %s', async (url, variables, expected) => {
  const { baseUrl, findings } = await taken(document({}, { servers: [{ url, variables }] }));
  expect(baseUrl).toBe(expected);
  expect(findings).toEqual(expected === undefined ? [expect.stringContaining('state no whole server URL')] : []);
});

test('a server that the operator names is not asked for', async () => {
  using folder = oddFolder();
  const file = folder.write('api.json', document({}, { servers: [{ url: '/v2' }] }));
  expect((await importDocument(file, 'https://h.test/v2')).findings).toEqual([]);
});

const word = fc.constantFrom(
  ...'openapi paths get post parameters name in schema type properties items required allOf anyOf $ref enum requestBody content components schemas servers url security x-y /a /a/{id} application/json responses 200'.split(
    ' ',
  ),
);
const leaf = fc.oneof(
  fc.constantFrom(
    '#/components/schemas/A',
    '#/paths',
    '#',
    '#x',
    'http://x.test',
    '..',
    'string',
    'object',
    'path',
    'query',
    '/a',
    '',
    null,
    true,
    -1,
  ),
  fc.string(),
);
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    leaf,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(word, tie('node'), { maxKeys: 6 }),
  ),
})).node;

test('any document is imported or refused with a code; nothing crashes and every schema is valid', async () => {
  using folder = oddFolder();
  await fc.assert(
    fc.asyncProperty(fc.dictionary(word, tree), tree, async (more, item) => {
      const file = folder.write('api.json', {
        openapi: '3.0.3',
        ...more,
        paths: { '/a': item, '/a/{id}': { get: item } },
      });
      const documents = await importDocument(file).then(
        (taken) => taken.documents,
        (error: unknown) => {
          expect(error).toBeInstanceOf(RouterError);
          return [];
        },
      );
      for (const { content } of documents) {
        const read = readOperations(platform, { id: 'api', file, content });
        for (const { built } of read.drafts) expect(schemaProblem(built.schema)).toBeUndefined();
        for (const { reason } of read.quarantined)
          expect(reason).not.toMatch(/undefined|is not a function|Cannot read/);
        const entries = [...entriesOf({ id: 'api', file, content })];
        const { endpoints, schemas, fields } = countDocument({ content });
        expect(entries.length).toBeLessThanOrEqual(endpoints + schemas + fields);
      }
    }),
    { numRuns: 600, seed: 7 },
  );
});

test('13 MB are read whole', async () => {
  const { drafts } = await taken(bigDocument(13));
  expect(drafts.length).toBeGreaterThan(6_000);
});

describe('a folder', () => {
  test('one bad document never takes the others down', async () => {
    using folder = oddFolder();
    folder.write('a.json', taking({}));
    folder.write('b.json', '{"openapi": ');
    folder.write('c/c.yaml', 'swagger: "1.1"\npaths: {}\n');
    folder.write('c/part.yaml', 'type: string\n');
    folder.write('a.yaml', stringify(taking({})));
    const { documents, findings } = await importDocument(folder.path);
    expect(documents.map(({ id }) => id)).toEqual(['a', 'a-2']);
    expect(findings.map(({ document, message }) => [document, message.replace(folder.path, '')])).toEqual([
      ['b.json', expect.stringContaining('/b.json: should be JSON, got the text ends too early')],
      ['c/c.yaml', expect.stringContaining('got 1.1')],
    ]);
  });

  const at = (url: string) => ({ ...document({ '/x': { get: { responses: OK } } }), servers: [{ url }] });
  const paths = ({ documents }: Awaited<ReturnType<typeof importDocument>>) =>
    documents.map(({ id, content }) => [id, Object.keys(content['paths'] as object)]);

  test('documents of one server keep the difference in their paths; one elsewhere is left out by name', async () => {
    using folder = oddFolder();
    folder.write('a.json', at('https://h.test/api/sites'));
    folder.write('b.json', at('https://h.test/api/v2/'));
    folder.write('c.json', at('https://elsewhere.test'));
    folder.write('d.json', { openapi: '3.0.0', info: {}, paths: 7 });
    const taken = await importDocument(folder.path);
    expect(paths(taken)).toEqual([
      ['a', ['/sites/x']],
      ['b', ['/v2/x']],
    ]);
    expect(taken.baseUrl).toBe('https://h.test/api');
    expect(taken.leftOutDocuments).toEqual(['d.json', 'c']);
    expect(taken.findings.map(({ document, message }) => `${document}: ${message}`)).toEqual([
      expect.stringMatching(/^d\.json: .*should be an object of paths/),
      'c: its server "https://elsewhere.test" is elsewhere than https://h.test, where most of the documents are: left out',
    ]);
  });

  test('the shortest server does not decide, and a document without one belongs to the others', async () => {
    using folder = oddFolder();
    folder.write('a.json', at('http://x.test'));
    for (const name of ['b', 'c', 'd']) folder.write(`${name}.json`, at(`https://long.example.test/${name}`));
    folder.write('e.json', { ...document({ '/y': { get: { responses: OK } } }), servers: [] });
    const taken = await importDocument(folder.path);
    expect(paths(taken)).toEqual([
      ['b', ['/b/x']],
      ['c', ['/c/x']],
      ['d', ['/d/x']],
      ['e', ['/y']],
    ]);
    expect([taken.baseUrl, taken.leftOutDocuments]).toEqual(['https://long.example.test', ['a']]);
  });

  test('with a base URL of the operator every document belongs to it', async () => {
    using folder = oddFolder();
    folder.write('a.json', at('http://x.test/api/v1'));
    folder.write('b.json', at('https://other.test/api/v2'));
    const taken = await importDocument(folder.path, 'https://lab.test/api');
    expect(paths(taken)).toEqual([
      ['a', ['/v1/x']],
      ['b', ['/v2/x']],
    ]);
    expect(taken.leftOutDocuments).toEqual([]);
  });

  test('a link out of the folder is not followed, also not into one whose name begins the same', async () => {
    using folder = oddFolder();
    folder.write('docs/a.json', taking({}));
    const beside = folder.write('docs-private/b.json', document({ '/private': { get: { responses: OK } } }));
    symlinkSync(beside, join(folder.path, 'docs', 'b.json'));
    const { documents } = await importDocument(join(folder.path, 'docs'));
    expect(documents.map(({ id }) => id)).toEqual(['a']);
  });

  test('a folder without documents is reported with the expected files', async () => {
    using folder = oddFolder();
    folder.write('readme.yaml', 'hello: there\n');
    await expect(importDocument(folder.path)).rejects.toThrow(/no file states `openapi` or `swagger`/);
  });
});
