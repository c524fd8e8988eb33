import { describe, expect, test } from 'vitest';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import { openCatalog } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { document, oddFolder, taking } from '../test/support/malformed-documents.ts';
import { SAMPLE_BASE, sampleInstallation } from '../test/support/sample-installation.ts';
import { importDocument } from './import-document.ts';
import { definePlatform, writeUserPlatform } from './user-platform.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const child = (field: string) => ({
  allOf: [ref('Animal'), { type: 'object', required: [field], properties: { [field]: { type: 'integer' } } }],
});
const schemas = {
  Animal: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    discriminator: { propertyName: 'kind' },
    oneOf: [ref('Cat'), ref('Dog')],
  },
  Cat: child('lives'),
  Dog: child('barks'),
};
const animal = { content: { 'application/json': { schema: ref('Animal') } } };
const paths = {
  '/animals': {
    post: {
      operationId: 'createAnimal',
      requestBody: { required: true, ...animal },
      responses: { 201: { description: '', ...animal } },
    },
  },
};

describe('a base that lists the children which extend it', () => {
  test.each([
    ['the base first', Object.entries(schemas)],
    ['the children first', Object.entries(schemas).toReversed()],
  ])('is taken without a finding, and its arguments are checked: %s', async (_order, entries) => {
    using folder = oddFolder();
    using installation = sampleInstallation();
    const file = folder.write('zoo.json', document(paths, { components: { schemas: Object.fromEntries(entries) } }));
    const taken = await importDocument(file);
    expect(taken.findings.filter(({ pointer }) => pointer.startsWith('/components'))).toEqual([]);
    writeUserPlatform(
      installation.config().configDir,
      definePlatform({ name: 'zoo', baseUrl: SAMPLE_BASE, auth: 'none' }, taken),
      taken,
    );
    const config = installation.config({ SVC_MCP_ZOO_WRITES: '1' });
    const { catalog } = openCatalog(config);
    const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
    const call = (body: object) =>
      dispatch.invoke({
        dispatcher: 'invoke_tool',
        name: 'zoo_create_animal',
        arguments: { body },
        principal: 'local',
        approver: approver(),
      });
    expect(await call({ kind: 'Cat', lives: 9 })).toMatchObject({ result: { status: 'dry_run' } });
    expect(await call({ kind: 'Cat', lives: 'nine' })).toMatchObject({ refusal: { code: 'invalid_arguments' } });
    catalog.close();
  });

  test('is taken where its references are written with percent signs, as those to generic types are', async () => {
    const to = (name: string) => ({ $ref: `#/components/schemas/${encodeURIComponent(name)}` });
    const cat = { allOf: [to('Pet«A»'), { required: ['lives'], properties: { lives: { type: 'integer' } } }] };
    const pet = { type: 'object', properties: { kind: { type: 'string' } }, oneOf: [to('Cat«A»')] };
    const api = await importedApi({
      'api.json': taking(to('Pet«A»'), { components: { schemas: { 'Pet«A»': pet, 'Cat«A»': cat } } }),
    });
    expect(api.problems('createThing', { body: { kind: 'cat', lives: 9 } })).toEqual([]);
    expect(api.problems('createThing', { body: { kind: 'cat', lives: 'nine' } })).toContain(
      '/body/lives should be integer',
    );
  });

  test('a schema that is nothing but itself loses the demand, with a finding', async () => {
    using folder = oddFolder();
    const self = { Self: { allOf: [ref('Self'), { type: 'object' }] } };
    const { findings } = await importDocument(
      folder.write('zoo.json', document(paths, { components: { schemas: { ...schemas, ...self } } })),
    );
    expect(findings.map(({ pointer, message }) => `${pointer} ${message}`)).toContain(
      '/components/schemas/Self the schema demands itself of the same value: the demand is left out',
    );
  });
});
