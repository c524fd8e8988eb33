import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiDocument } from './api-document.ts';

async function read(text: string, beside: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'api-document-'));
  try {
    for (const [name, content] of Object.entries(beside)) await writeFile(join(folder, name), content);
    await writeFile(join(folder, 'api.yaml'), text);
    return await readApiDocument(join(folder, 'api.yaml'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const parameter = '{name: force, in: query, required: true, schema: {type: boolean}}';

test('a quoted text of YAML whose further lines stand no deeper than its key takes nothing else with it', async () => {
  const written = `openapi: 3.1.0\npaths:\n  /pets:\n    delete:\n      description: 'Removes\n      all'\n      parameters: [${parameter}]\n`;
  const { operations, servedAt } = await read(written);
  expect(operations).toMatchObject([{ texts: ['Removes all'], parameters: [{ name: 'force', required: true }] }]);
  expect(JSON.parse(servedAt('http://a.test'))).toMatchObject({ paths: { '/pets': { delete: { parameters: [{}] } } } });
});

test('YAML with an error is refused, and names that stand twice are not', async () => {
  await expect(read('openapi: 3.1.0\npaths:\n  /pets: {get: {parameters: [}}\n')).rejects.toMatchObject({
    code: 'DOCUMENT_UNSERVED',
    message: expect.stringMatching(/api\.yaml: .* at line 3, column \d+/),
  });
  const twice = 'openapi: 3.1.0\npaths: {/pets: {get: {summary: a}}, /pets: {get: {summary: b}}}\n';
  expect((await read(twice)).operations).toMatchObject([{ texts: ['b'] }]);
  expect((await read('{"openapi":"3.1.0",\n\t"paths":{\n\t\t"/a":{"get":{}}}}')).operations).toHaveLength(1);
});

test.each(['openapi: 3.0', 'openapi: 3.1', 'swagger: 2.0', "swagger: '2.0'"])('%s is a version', async (version) => {
  const written = `${version}\npaths:\n  /pets:\n    post: {parameters: [{in: body, name: pet, schema: {properties: {name: {type: string}}}}]}\n`;
  const { operations, servedAt } = await read(written);
  expect(JSON.parse(servedAt('http://a.test')).openapi).toMatch(/^3\.\d/);
  if (version.startsWith('swagger'))
    expect(operations).toMatchObject([{ parameters: [], body: { properties: { name: {} } } }]);
});

test.each(['3.1.0', '2.0'])(
  'a document of %s whose paths, operations and schemas stand in other files is one',
  async (version) => {
    const body = version === '2.0' ? `{in: body, name: pet, schema: {$ref: pet.yaml}}` : parameter;
    const content = version === '2.0' ? '' : 'requestBody: {content: {application/json: {schema: {$ref: pet.yaml}}}}\n';
    const files = {
      'pet.yaml': 'properties: {name: {$ref: "#/x-name"}}\nx-name: {type: string}\n',
      'add.yaml': `operationId: addPet\nparameters: [${body}]\n${content}`,
      'item.yaml': 'post: {$ref: ./add.yaml}\n',
      'paths.yaml': '/pets: {$ref: item.yaml}\n/cats: {post: {$ref: add.yaml, operationId: addCat}}\n',
    };
    const key = version === '2.0' ? 'swagger' : 'openapi';
    const { operations, servedAt } = await read(`${key}: '${version}'\npaths: {$ref: paths.yaml}\n`, files);
    expect(operations).toMatchObject([
      { path: '/pets', operationId: 'addPet', body: { properties: { name: {} } } },
      { path: '/cats', operationId: 'addCat', body: { properties: { name: {} } } },
    ]);
    expect(servedAt('http://a.test')).not.toMatch(/"\$ref":"[^#]/);
  },
);

test('parameters of Swagger 2.0 that stand in other files are those of their operations', async () => {
  const shared = 'pet: {in: body, name: pet, schema: {properties: {name: {type: string}}}}\n';
  const text = "swagger: '2.0'\npaths: {/pets: {post: {parameters: [{$ref: 'shared.yaml#/pet'}], responses: {}}}}\n";
  const { operations } = await read(text, { 'shared.yaml': shared });
  expect(operations).toMatchObject([{ parameters: [], body: { properties: { name: {} } } }]);
});

test('a file above the folder of the document is not read', async () => {
  const { servedAt } = await read('openapi: 3.1.0\npaths: {/a: {get: {$ref: ../../etc/hosts}}}\n');
  expect(servedAt('http://a.test')).toContain('../../etc/hosts');
});

test('a percent sign in a reference that stands for itself ends nothing', async () => {
  const { operations } = await read(
    "openapi: 3.1.0\npaths: {/a: {$ref: '#/paths/50%'}, '50%': {get: {operationId: half}}}\n",
  );
  expect(operations.map(({ operationId }) => operationId)).toEqual(['half', 'half']);
});
