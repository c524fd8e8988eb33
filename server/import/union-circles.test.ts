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

  test('is taken where each schema is a file of its own, also beside a schema with the name of an added one', async () => {
    const own = (name: string) => ({ $ref: `./${name}.json` });
    const cat = { allOf: [own('Pet'), { required: ['lives'], properties: { lives: { type: 'integer' } } }] };
    const pet = { type: 'object', properties: { kind: { type: 'string' } }, oneOf: [own('Cat')] };
    const taken = { 'Pet.json-base': { type: 'string', maxLength: 3 } };
    for (const more of [{}, { components: { schemas: taken } }]) {
      const stated = taking({ properties: { pet: { $ref: 'schemas/Pet.json' }, code: ref('Pet.json-base') } }, more);
      const api = await importedApi({ 'api.json': stated, 'schemas/Pet.json': pet, 'schemas/Cat.json': cat });
      const problems = (pets: object) => api.problems('createThing', { body: { pet: pets, code: 'abc' } });
      expect(problems({ kind: 'cat', lives: 9 })).toEqual([]);
      expect(problems({ kind: 'cat', lives: 'nine' })).toContain('/body/pet/lives should be integer');
    }
  });

  test.each([
    ['in a property', { properties: { x: { allOf: [{ $ref: '#/components/schemas/Loop/properties/x' }] } } }],
    ['where a field is given', { dependentSchemas: { x: ref('Loop') } }],
    ['in a choice of a property', { properties: { x: { oneOf: [{ $ref: '#/components/schemas/Loop/properties/x' }, { type: 'integer' }] } } }],
  ])('a schema that demands itself %s is left to the platform there, with the place in a finding', async (_, loop) => {
    const api = await importedApi({
      'api.json': taking(ref('Loop'), { openapi: '3.1.0', components: { schemas: { Loop: loop } } }),
    });
    expect(api.findings).toEqual([expect.stringMatching(/^\/components\/schemas\/Loop\/.* demands itself/)]);
    expect(api.problems('createThing', { body: { x: 1 } })).toEqual([]);
  }); // biome-ignore format: a case a line

  test('a schema that is nothing but itself loses the demand, with a finding', async () => {
    using folder = oddFolder();
    const self = { Self: { allOf: [ref('Self'), { type: 'object' }] } };
    const { findings } = await importDocument(
      folder.write('zoo.json', document(paths, { components: { schemas: { ...schemas, ...self } } })),
    );
    expect(findings.map(({ pointer, message }) => `${pointer} ${message}`)).toContain(
      '/components/schemas/Self/allOf/0 the schema demands itself of the same value: the demand is left out',
    );
  });
});
