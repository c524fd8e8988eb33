import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServedCatalog } from '../served-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { sampleDocument, sampleInstallation } from '../test/support/sample-installation.ts';
import { LOCAL_TOOLS, localToCatalog } from '../tools/local/registry.ts';
import { buildCatalog } from './build.ts';
import { ensureCatalog } from './ensure.ts';
import { inputsOf } from './inputs.ts';
import { openLatest, openUnchanged } from './store.ts';
import type { BuiltTool, JsonSchema } from './tool.ts';

test('every operation becomes a tool with its name, capability and evidence', () => {
  using installation = sampleInstallation();
  const { catalog, built } = ensureCatalog(installation.config());
  expect(built).toBe(true);
  expect(catalog.names().map((name) => [name, catalog.tool(name)?.capability])).toEqual([
    ['mgmt_create_auth_server', 'write'],
    ['mgmt_delete_auth_server', 'destructive'],
    ['mgmt_get_access_points', 'read'],
    ['mgmt_get_access_points_serial', 'read'],
    ['mgmt_get_auth_server', 'read'],
    ['mgmt_get_auth_server_test_result', 'read'],
    ['mgmt_get_wlan', 'read'],
    ['mgmt_list_auth_servers', 'read'],
    ['mgmt_reboot_access_point', 'destructive'],
    ['mgmt_replace_wlan', 'write'],
    ['mgmt_search_access_points', 'read'],
    ['mgmt_start_auth_server_test', 'diagnostic'],
    ['mgmt_update_auth_server', 'write'],
  ]);
  catalog.close();
});

test('a tool knows its reader, its poll, its list and its backend', () => {
  using installation = sampleInstallation();
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_update_auth_server')?.reader).toBe('mgmt_get_auth_server');
  expect(catalog.tool('mgmt_start_auth_server_test')?.poll?.tool).toBe('mgmt_get_auth_server_test_result');
  expect(catalog.tool('mgmt_list_auth_servers')?.list).toEqual({ property: 'auth-server' });
  expect(catalog.tool('mgmt_get_access_points')?.list, 'found in the response schema of a foreign document').toEqual({
    property: 'items',
  });
  expect(catalog.tool('mgmt_search_access_points')?.list).toEqual({ property: null });
  expect(catalog.tool('mgmt_get_auth_server')?.list).toBeUndefined();
  expect(catalog.tool('mgmt_get_wlan')?.backend).toBe('mgmt-config');
  catalog.close();
});

test('a list that a PUT replaces as a whole is read before, and one that is read page by page is not', () => {
  using installation = sampleInstallation();
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Rules' } } };
  const rules = (parameters: object[]) => ({
    get: { parameters, responses: { 200: { description: 'ok', content } } },
    put: { requestBody: { required: true, content }, responses: { 204: { description: 'ok' } } },
  });
  installation.writeDocument('rules.json', {
    openapi: '3.1.0',
    components: { schemas: { Rules: { type: 'array', items: { type: 'object' } } } },
    paths: {
      '/rules': rules([]),
      '/paged-rules': rules([{ name: 'offset', in: 'query', schema: { type: 'integer' } }]),
    },
  });
  const { catalog } = ensureCatalog(installation.config());
  const [whole] = catalog.wrapping('PUT /rules');
  expect(whole?.reader).toBe(catalog.wrapping('GET /rules')[0]?.name);
  expect(catalog.wrapping('PUT /paged-rules')[0]).not.toHaveProperty('reader');
  catalog.close();
});

test('a count that says it is one passes as it came, though it holds an array', () => {
  using installation = sampleInstallation();
  const groups = { type: 'object', properties: { total: { type: 'integer' }, groups: { type: 'array', items: {} } } };
  const responses = { 200: { description: 'counted', content: { 'application/json': { schema: groups } } } };
  installation.writeDocument('counts.json', {
    openapi: '3.1.0',
    paths: {
      '/said/count': { get: { operationId: 'countSaid', 'x-svc-kind': 'count', responses } },
      '/unsaid': { get: { operationId: 'getUnsaid', responses } },
    },
  });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_count_said')?.list).toBeUndefined();
  expect(catalog.tool('mgmt_get_unsaid')?.list).toEqual({ property: 'groups' });
  catalog.close();
});

test('the request schema is self-contained, without what only the platform writes, and knows its secrets', () => {
  using installation = sampleInstallation();
  const { catalog } = ensureCatalog(installation.config());
  const schema = catalog.schema('mgmt_create_auth_server');
  const definitions = schema['$defs'] as Record<string, JsonSchema>;
  expect(Object.keys(definitions['AuthServer']?.['properties'] as object)).toEqual([
    'type',
    'auth-port',
    'shared-secret',
  ]);
  expect(
    (definitions['AuthServerCreate']?.['allOf'] as JsonSchema[] | undefined)?.[1]?.['required'],
    'a field only the platform writes is not asked for',
  ).toEqual(['type']);
  expect(catalog.tool('mgmt_create_auth_server')?.secrets).toEqual(['shared-secret']);
  expect(catalog.tool('mgmt_replace_wlan')?.secrets, 'nested, in a schema that contains itself').toEqual([
    'passphrase',
  ]);
  const security = (catalog.schema('mgmt_replace_wlan')['$defs'] as Record<string, JsonSchema>)['Security'];
  const mode = (security?.['properties'] as Record<string, JsonSchema> | undefined)?.['mode'];
  expect(mode?.['type'], 'nullable of OpenAPI 3.0').toEqual(['string', 'null']);
  catalog.close();
});

test('a descriptor names required parameters first and counts what it leaves out', () => {
  using installation = sampleInstallation();
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_create_auth_server')?.params).toEqual([
    'name',
    'body.type',
    'body.auth-port',
    'body.shared-secret',
  ]);
  expect(catalog.tool('mgmt_list_auth_servers')?.params).toEqual(['limit', 'offset', 'type']);
  catalog.close();
});

test('an argument that would collide with a control argument or the body gets an underscore', () => {
  using installation = sampleInstallation();
  const parameters = ['confirm', 'body', 'dry_run'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  installation.writeDocument('odd.json', {
    openapi: '3.0.0',
    paths: { '/odd': { get: { operationId: 'odd', parameters, responses: {} } } },
  });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_odd')?.parameters.map(({ argument, name }) => [argument, name])).toEqual([
    ['confirm_', 'confirm'],
    ['body_', 'body'],
    ['dry_run_', 'dry_run'],
  ]);
  catalog.close();
});

test('one bad operation is set aside with its reason, the others stay', () => {
  using installation = sampleInstallation();
  installation.writeDocument('bad.json', {
    openapi: '3.0.0',
    paths: {
      '/fine': { get: { operationId: 'fine', responses: {} } },
      '/outside': {
        post: {
          operationId: 'outside',
          requestBody: { content: { 'application/json': { schema: { $ref: 'http://elsewhere.test/x.json' } } } },
          responses: {},
        },
      },
      '/dangling': {
        post: { operationId: 'dangling', requestBody: { $ref: '#/components/requestBodies/None' }, responses: {} },
      },
      '/loop': {
        post: { operationId: 'loop', requestBody: { $ref: '#/components/requestBodies/Loop' }, responses: {} },
      },
      '/half/{id}': { get: { operationId: 'half', responses: {} } },
    },
    components: { requestBodies: { Loop: { $ref: '#/components/requestBodies/Loop' } } },
  });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_fine')).toBeDefined();
  expect(
    catalog.summary.quarantined.map(({ operation, reason }) => [operation, reason.replace(installation.root, '')]),
  ).toEqual([
    ['POST /outside', expect.stringContaining('should stay inside the document')],
    ['POST /dangling', expect.stringContaining('points at nothing')],
    ['POST /loop', expect.stringContaining('leads back to itself')],
    ['GET /half/{id}', '`{id}` in the path has no parameter'],
  ]);
  catalog.close();
});

test('operations for the platform itself are left out', () => {
  using installation = sampleInstallation();
  installation.writeDocument('internal.json', {
    paths: { '/as/token': { post: { operationId: 'token', 'x-svc-audience': ['internal'], responses: {} } } },
  });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_token')).toBeUndefined();
  catalog.close();
});

test('an override that matches nothing fails the build, and the previous catalog keeps serving', () => {
  using installation = sampleInstallation();
  const first = ensureCatalog(installation.config()).catalog;
  installation.writePlatform({ overrides: { 'POST /nowhere': { capability: 'read', why: 'there is no such path' } } });
  expect(() => ensureCatalog(installation.config())).toThrow(/mgmt: no operation matches the override POST \/nowhere/);
  expect(first.tool('mgmt_get_wlan')).toBeDefined();
  const latest = openLatest(installation.config().catalogDir);
  expect(latest?.digest).toBe(first.digest);
  first.close();
  latest?.close();
});

test('a router keeps serving the previous build when a shipped document breaks, and reports it', async () => {
  using installation = sampleInstallation();
  (await openServedCatalog(installation.config(), createLogger('silent'))).catalog.close();
  writeFileSync(join(installation.root, 'var/openapi/mgmt/broken.json'), '{"openapi": "3.1.0", "paths": {');
  const log: string[] = [];
  const { catalog, built } = await openServedCatalog(
    installation.config(),
    createLogger('error', (line) => log.push(line)),
  );
  expect(built).toBe(false);
  expect(catalog.tool('mgmt_list_auth_servers')).toBeDefined();
  expect(log.join()).toMatch(/catalog\.build_failed.*broken\.json/);
  catalog.close();
});

test('a start says that it builds the catalog before it does, and says nothing where the catalog fits', async () => {
  using installation = sampleInstallation();
  const start = async () => {
    const log: string[] = [];
    const logger = createLogger('info', (line) => log.push(line));
    const { catalog, built } = await openServedCatalog(installation.config(), logger);
    catalog.close();
    return { built, said: log.map((line) => JSON.parse(line).event) };
  };
  expect(await start()).toEqual({ built: true, said: ['catalog.building'] });
  expect(await start()).toEqual({ built: false, said: [] });
});

test('an override that matches decides the capability', () => {
  using installation = sampleInstallation();
  installation.writePlatform({
    overrides: { 'POST /access-points/{serial}/reboot': { capability: 'write', why: 'a short outage, by agreement' } },
  });
  const { catalog } = ensureCatalog(installation.config());
  expect(catalog.tool('mgmt_reboot_access_point')).toMatchObject({ capability: 'write', evidence: { by: 'override' } });
  catalog.close();
});

test('an unchanged installation is opened, not built; a touched file is compared by content; a changed one is built anew', () => {
  using installation = sampleInstallation();
  const config = installation.config();
  const first = ensureCatalog(config);
  const again = ensureCatalog(config);
  expect(again.built).toBe(false);
  expect(again.catalog.digest).toBe(first.catalog.digest);
  utimesSync(join(installation.root, 'var/openapi/mgmt/config-security.json'), new Date(), new Date());
  expect(ensureCatalog(config).built, 'same bytes, other time').toBe(false);
  installation.writeDocument('config-security.json', {
    ...sampleDocument,
    paths: { '/only': { get: { operationId: 'only', responses: {} } } },
  });
  const changed = ensureCatalog(config);
  expect(changed.built).toBe(true);
  expect(changed.catalog.names()).toEqual(['mgmt_only']);
  expect(first.catalog.tool('mgmt_get_wlan'), 'a router that has the old catalog open keeps it').toBeDefined();
  for (const { catalog } of [first, again, changed]) catalog.close();
});

test("a start opens the catalog where no file changed, also of the router's own tools, and then asks nobody what those are", () => {
  using installation = sampleInstallation();
  const file = join(installation.root, 'own-tools.ts');
  const unasked = () => {
    throw new Error('the tools were loaded');
  };
  const requested = (declared: () => readonly BuiltTool[]) => ({
    ...installation.config(),
    local: { files: [file], declared },
  });
  const opened = () => {
    const { catalogDir, ...rest } = requested(unasked);
    return openUnchanged(catalogDir, inputsOf({ catalogDir, ...rest }).stamps, []);
  };
  writeFileSync(file, '1');
  expect(opened(), 'before it is built').toBeUndefined();
  const { catalog } = ensureCatalog(requested(() => []));
  const unchanged = opened();
  expect(unchanged?.digest).toBe(catalog.digest);
  unchanged?.close();
  writeFileSync(file, 'two');
  expect(opened()).toBeUndefined();
  const again = ensureCatalog(requested(() => []));
  expect(again.built, 'another text that declares the same').toBe(false);
  const [tool] = LOCAL_TOOLS.map(localToCatalog);
  writeFileSync(file, 'three');
  const added = ensureCatalog(requested(() => (tool ? [tool] : [])));
  expect([added.built, added.catalog.names().includes(tool?.tool.name ?? '')]).toEqual([true, true]);
  for (const held of [catalog, again.catalog, added.catalog]) held.close();
});

test('a build leaves nothing half-written, and a broken pointer means a new build', () => {
  using installation = sampleInstallation();
  const config = installation.config();
  ensureCatalog(config).catalog.close();
  expect(readdirSync(config.catalogDir).filter((name) => name.startsWith('.'))).toEqual([]);
  writeFileSync(
    join(config.catalogDir, 'current.json'),
    readFileSync(join(config.catalogDir, 'current.json'), 'utf8').slice(0, 40),
  );
  const repaired = ensureCatalog(config);
  expect(repaired.built).toBe(true);
  repaired.catalog.close();
});

test('a build removes what killed ones left in the folder that a user named, and nothing that is not its own', () => {
  using installation = sampleInstallation();
  const { catalogDir } = installation.config();
  const names = [
    '.draft-1-0123abcd',
    '.download-aB3dE6',
    '.current.json.17-0123abcd.draft',
    'letters',
    '.notes.draft',
    'thesis.txt',
  ];
  for (const name of names) {
    mkdirSync(join(catalogDir, name), { recursive: true });
    utimesSync(join(catalogDir, name), new Date(0), new Date(0));
  }
  const { catalog } = ensureCatalog(installation.config());
  catalog.close();
  expect(readdirSync(catalogDir).sort()).toEqual(
    [catalog.digest, 'current.json', 'letters', '.notes.draft', 'thesis.txt'].sort(),
  );
});

test('missing documents and unreadable documents are coded errors that name the file', () => {
  using installation = sampleInstallation();
  installation.writeDocument('cut.json', '{"openapi": "3.1.0", "paths": {');
  expect(() => ensureCatalog(installation.config())).toThrow(/cut\.json: should be an OpenAPI document/);
  installation.writePlatform({ documents: 'var/openapi/none' });
  expect(() => ensureCatalog(installation.config())).toThrow(
    expect.objectContaining({ code: 'DOCUMENTS_MISSING', remedy: 'npm run catalog' }),
  );
  expect(existsSync(installation.config().catalogDir)).toBe(false);
});

test('folders that are made for a catalog are for their owner alone, those above it as well', () => {
  using installation = sampleInstallation();
  const above = join(installation.root, 'home', '.cache');
  const before = process.umask(0o000);
  try {
    ensureCatalog(installation.config({ SVC_MCP_CATALOG_DIR: join(above, 'svc-mcp', 'catalog') })).catalog.close();
  } finally {
    process.umask(before);
  }
  for (const folder of [above, join(above, 'svc-mcp'), join(above, 'svc-mcp', 'catalog')])
    expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a document of a user at which our own code fails takes its platform out, and no other', () => {
  using installation = sampleInstallation();
  const { root, platforms } = installation.config();
  const [shipped] = platforms as [(typeof platforms)[number]];
  const broken = {
    ...shipped,
    id: 'books',
    kind: 'user' as const,
    get overrides(): never {
      throw new TypeError('x is not a function');
    },
  };
  const alone = buildCatalog(root, [shipped], { local: [], complete: true });
  const { tools, documents, quarantined } = buildCatalog(root, [shipped, broken], { local: [], complete: true });
  expect(tools.map(({ tool }) => tool.name)).toEqual(alone.tools.map(({ tool }) => tool.name));
  expect(documents).toEqual(alone.documents);
  expect(quarantined).toEqual([
    ...alone.quarantined,
    {
      platform: 'books',
      document: '*',
      operation: '*',
      pointer: '',
      reason: 'it could not be read: x is not a function',
    },
  ]);
});
