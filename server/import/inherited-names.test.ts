/**
 * Names that every JavaScript object inherits, in every position of a document. A map of foreign words that is a plain object
 * finds a function there where it should find nothing.
 */
import { describe, expect, test } from 'vitest';
import { openRouter } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { SILENT_CALLER } from '../test/support/caller.ts';
import { document, oddFolder, pathParameter } from '../test/support/malformed-documents.ts';
import { SAMPLE_BASE, sampleInstallation } from '../test/support/sample-installation.ts';
import { json, sampleNetwork } from '../test/support/sample-network.ts';
import { importDocument } from './import-document.ts';
import { definePlatform, writeUserPlatform } from './user-platform.ts';

const NAMES = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];

/** As JSON text, because `__proto__` in an object literal is no member. */
const own = (name: string, value: unknown): Record<string, unknown> =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

const POSITIONS: Record<string, (name: string) => Record<string, unknown>> = {
  'an operation': (name) => ({
    paths: { '/races': { get: { operationId: `${name}Standings`, summary: 'List the races', responses: OK_LIST } } },
  }),
  'the whole operationId': (name) => ({
    paths: { '/races': { get: { operationId: name, summary: 'List the races', responses: OK_LIST } } },
  }),
  'a path': (name) => ({
    paths: {
      [`/${name}`]: { get: { summary: 'List the races', responses: OK_LIST } },
      [`/${name}/{id}`]: { parameters: [pathParameter('id')], get: { summary: 'Get one', responses: OK_ONE } },
    },
  }),
  'a tag': (name) => ({
    tags: [{ name }],
    paths: {
      '/races': { get: { tags: [name], operationId: 'listRaces', summary: 'List the races', responses: OK_LIST } },
    },
  }),
  'a parameter': (name) => ({
    paths: {
      '/races': {
        get: {
          operationId: 'listRaces',
          summary: 'List the races',
          parameters: [{ name, in: 'query', schema: { type: 'string' } }],
          responses: OK_LIST,
        },
      },
    },
  }),
  'a property and a required one': (name) => ({
    paths: {
      '/races': {
        get: { operationId: 'listRaces', summary: 'List the races', responses: OK_LIST },
        post: {
          operationId: 'createRace',
          summary: 'Create a race',
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { type: 'object', required: [name], properties: own(name, { type: 'string' }) },
              },
            },
          },
          responses: OK_ONE,
        },
      },
    },
  }),
  'an enum value': (name) => ({
    paths: {
      '/races': {
        get: {
          operationId: 'listRaces',
          summary: 'List the races',
          parameters: [{ name: 'kind', in: 'query', schema: { type: 'string', enum: [name, 'sprint'] } }],
          responses: OK_LIST,
        },
      },
    },
  }),
  'a security scheme': (name) => ({
    components: { securitySchemes: own(name, { type: 'http', scheme: 'bearer' }) },
    security: [own(name, [])],
    paths: { '/races': { get: { operationId: 'listRaces', summary: 'List the races', responses: OK_LIST } } },
  }),
  'a server variable': (name) => ({
    servers: [{ url: `${SAMPLE_BASE}/{${name}}`, variables: own(name, { default: 'v1' }) }],
    paths: { '/races': { get: { operationId: 'listRaces', summary: 'List the races', responses: OK_LIST } } },
  }),
  'a schema': (name) => ({
    components: { schemas: own(name, { type: 'object', properties: own(name, { type: 'string' }) }) },
    paths: {
      '/races': {
        get: {
          operationId: 'listRaces',
          summary: 'List the races',
          responses: {
            200: {
              description: 'done',
              content: {
                'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
              },
            },
          },
        },
        post: {
          operationId: 'createRace',
          summary: 'Create a race',
          requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
          responses: OK_ONE,
        },
      },
    },
  }),
};

const answering = (schema: object) => ({ 200: { description: 'done', content: { 'application/json': { schema } } } });
const OK_LIST = answering({ type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } });
const OK_ONE = answering({ type: 'object', properties: { id: { type: 'string' } } });

const listed = (router: Pick<Awaited<ReturnType<typeof openRouter>>, 'finder'>) =>
  router.finder.find({ query: 'list the races', topK: 5 }).hits.map(({ tool }) => tool);

describe.each(Object.entries(POSITIONS))('as %s', (_position, documentOf) => {
  test.each(NAMES)('%s is taken in, found and called, and the router starts', async (name) => {
    using folder = oddFolder();
    using installation = sampleInstallation();
    using network = sampleNetwork();
    network.respond(() => json([{ id: '1' }]));
    const { paths = {}, ...more } = documentOf(name);
    const taken = await importDocument(
      folder.write('races.json', document(paths as object, { servers: [{ url: SAMPLE_BASE }], ...more })),
    );
    writeUserPlatform(
      installation.config().configDir,
      definePlatform({ name: 'races', baseUrl: SAMPLE_BASE }, taken),
      taken,
    );
    const config = installation.config({ SVC_RACES_API_TOKEN: 'races-token-31337', SVC_RACES_BASE_URL: SAMPLE_BASE });
    const router = await openRouter(config, createLogger('silent'));
    const operations = Object.values(paths as object).flatMap(({ parameters: _, ...methods }) => Object.keys(methods));
    expect(router.catalog.names().filter((tool) => tool.startsWith('races_'))).toHaveLength(operations.length);
    const found = listed(router).find((tool) => tool.platform === 'races' && !tool.path.includes('{'));
    expect(found).toBeDefined();
    const looked = await router.tools[1]?.run({ name: 'lookup_api', arguments: { query: name } }, SILENT_CALLER);
    expect(JSON.stringify(looked)).not.toContain('internal');
    const called = await router.tools[1]?.run({ name: found?.name ?? '', arguments: {} }, SILENT_CALLER);
    expect(JSON.stringify(called)).toContain('\\"id\\":\\"1\\"');
    router.close();
  });
});
