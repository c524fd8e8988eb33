import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiDocument } from './api-document.ts';

async function read(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'api-document-'));
  try {
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
