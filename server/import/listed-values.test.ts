import { expect, test } from 'vitest';
import { buildRequest } from '../dispatch/request.ts';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { respellListedValues } from './listed-values.ts';
import { readValue } from './parse-file.ts';
import { definePlatform } from './user-platform.ts';

test.each([
  [{ type: 'array', items: { type: 'string' }, enum: ['voice'] }, { type: 'array', items: { type: 'string', enum: ['voice'] } }],
  [{ type: 'integer', enum: ['8', '16'] }, { type: 'integer', enum: [8, 16] }],
  [{ type: 'integer', enum: ['101 (east)', '102 (west)'] }, { type: 'integer', enum: [101, 102] }],
  [{ type: 'string', enum: [true, false] }, { type: 'string', enum: ['true', 'false'] }],
  [{ type: 'boolean', enum: ['true', 'false'] }, { type: 'boolean', enum: [true, false] }],
  [{ type: 'integer', enum: ['full', 'basic'] }, { enum: ['full', 'basic'] }],
  [{ type: 'string', enum: [null] }, { type: 'string' }],
  [{ type: ['integer', 'null'], enum: ['8', null] }, { type: ['integer', 'null'], enum: [8, null] }],
])('%j means %j', (written, meant) => {
  respellListedValues(written);
  expect(written).toEqual(meant);
}); // biome-ignore format: a case a line

test.each([
  { type: 'integer', enum: [1, '2'] },
  { type: ['integer', 'string'], enum: ['8'] },
  { type: 'array', enum: [['a'], []] },
  { type: 'any', enum: ['a'] },
  { type: 'string', enum: [] },
  { enum: ['8'] },
])('%j stays as it is', (written) => {
  const before = structuredClone(written);
  respellListedValues(written);
  expect(written).toEqual(before);
});

test('a tool asks for the values that a parameter means', async () => {
  using folder = oddFolder();
  const parameter = { name: 'lanes', in: 'query', required: true, schema: { type: 'integer', enum: ['2', '4'] } };
  const paths = { '/ports': { get: { parameters: [parameter], responses: OK } } };
  const taken = await importDocument(folder.write('api.json', document(paths)));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const [tool] = trialBuild(definePlatform({ name: 'acme' }, taken), documents).tools;
  expect(tool?.schema['properties']).toEqual({ lanes: { type: 'integer', enum: [2, 4] } });
});

test.each([
  ['{type: string, enum: [1.0, 001, 0x1F, 1e3, True, plain, "2.0"]}', { enum: ['1.0', '001', '0x1F', '1e3', 'True', 'plain', '2.0'] }],
  ['{type: [string, "null"], enum: [1.0, null]}', { type: ['string', 'null'], enum: ['1.0', null] }],
  ['{type: string, const: 010}', { const: '010' }],
  ['{type: [string, number], enum: [1.0, 2.50]}', { type: ['string', 'number'], enum: [1, 2.5] }],
  ['{type: number, enum: [1.0, 010]}', { type: 'number', enum: [1, 10] }],
])('in YAML a schema %s lists its texts as they are written', (written, read) => {
  using folder = oddFolder();
  expect(readValue(folder.write('schema.yaml', `schema: ${written}`))).toEqual({ schema: { type: 'string', ...read } });
}); // biome-ignore format: a case a line

test('a version that stands without quotes in YAML is asked for and sent as it is written', async () => {
  using folder = oddFolder();
  const text = [
    'openapi: 3.0.0',
    'info: {title: t, version: 1.0}',
    'servers: [{url: https://odd.test}]',
    'paths:',
    '  /x:',
    '    get:',
    '      operationId: getX',
    '      parameters:',
    '        - {name: version, in: query, required: true, schema: {type: string, enum: [1.0, 2.0]}}',
    '      responses: {200: {description: done}}',
  ].join('\n');
  const taken = await importDocument(folder.write('api.yaml', text));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const [built] = trialBuild(definePlatform({ name: 'acme' }, taken), documents).tools;
  expect(built?.schema['properties']).toEqual({ version: { type: 'string', enum: ['1.0', '2.0'] } });
  expect(built && buildRequest(built.tool, { version: '1.0' })).toMatchObject({ request: { query: 'version=1.0' } });
});
