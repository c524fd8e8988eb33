import { describe, expect, test } from 'vitest';
import { documentWith, exampleText, smallPlatform } from '../test/expand/small-model.ts';
import { expandPlatform, type OpenApiDocument } from './assemble-document.ts';
import { operationsOf, schemasOf } from './lint/endpoint-count.ts';
import { readPlatform } from './model/platform-folder-model.ts';
import { listPlatforms } from './model/platforms-folder.ts';
import type { Schema } from './schema/schema-object.ts';
import { documentText } from './write-documents.ts';

const expandText = (...texts: string[]): OpenApiDocument => {
  const [first] = expandPlatform(smallPlatform(...texts)).filter(({ name }) => name !== 'token');
  return first!.document;
};

const linesOf = (document: OpenApiDocument): string[] =>
  operationsOf(document)
    .map(
      ({ method, path, operation }) =>
        `${operation['operationId']} ${method.toUpperCase()} ${path} ${operation['x-svc-capability']}`,
    )
    .sort();

describe('the example resource', () => {
  const document = expandText(exampleText);
  const schemas = schemasOf(document);

  test('becomes its thirteen operations', () => {
    const base = '/network-config/v1alpha1/auth-servers';
    expect(linesOf(document)).toEqual([
      `createAuthServer POST ${base}/{name} write`,
      `deleteAuthServer DELETE ${base}/{name} destructive`,
      `getAuthServer GET ${base}/{name} read`,
      `getAuthServerDrainResult GET ${base}/{name}/drain/async-operations/{task-id} read`,
      `getAuthServerStatus GET ${base}/{name}/status read`,
      `getAuthServerTestAuthenticationResult GET ${base}/{name}/test-authentication/async-operations/{task-id} read`,
      `listAuthServers GET ${base} read`,
      `replaceAuthServer PUT ${base}/{name} write`,
      `rotateAuthServerSecret POST ${base}/{name}/rotate-secret write`,
      `searchAuthServers POST ${base}/search read`,
      `startAuthServerDrain POST ${base}/{name}/drain destructive`,
      `startAuthServerTestAuthentication POST ${base}/{name}/test-authentication diagnostic`,
      `updateAuthServer PATCH ${base}/{name} write`,
    ]);
  });

  test('never returns a secret, and says whether one is stored', () => {
    const read = (schemas['AuthServer'] as Schema)['properties'] as Record<string, Schema>;
    expect(read).not.toHaveProperty('shared-secret');
    expect(read['shared-secret-configured']).toMatchObject({ type: 'boolean', readOnly: true });
    const nested = (schemas['LdapSettings'] as Schema)['properties'] as Record<string, Schema>;
    expect(Object.keys(nested).sort()).toEqual(['admin-password-configured', 'base-dn', 'transport']);
    const create = (schemas['AuthServerCreate'] as Schema)['properties'] as Record<string, Schema>;
    expect(create['shared-secret']).toMatchObject({ format: 'password', writeOnly: true, minLength: 8 });
  });

  test('takes on create what is writable, and on a partial change what may change', () => {
    const create = schemas['AuthServerCreate'] as Schema;
    expect(create['required']).toEqual(['host', 'type']);
    expect(create['properties']).not.toHaveProperty('used-by');
    expect(create).toMatchObject({
      unevaluatedProperties: false,
      allOf: [{ $ref: '#/components/schemas/RadiusTimers' }],
    });
    const patch = schemas['AuthServerPatch'] as Schema;
    expect(patch).toMatchObject({ minProperties: 1, allOf: [{ $ref: '#/components/schemas/RadiusTimersPatch' }] });
    expect(patch['required']).toBeUndefined();
    expect(patch['properties']).not.toHaveProperty('type');
    expect(schemas['LdapSettingsPatch']).not.toHaveProperty('required');
  });

  test('carries its rules, list style, filters, order and task link as extensions', () => {
    expect((schemas['AuthServerCreate'] as Schema)['x-svc-rules']).toEqual([
      { when: { type: ['LDAP'] }, require: ['ldap'] },
      { field: 'type', deviceFunction: { CAMPUS_AP: ['RADIUS', 'LDAP'] } },
    ]);
    const list = find(document, 'listAuthServers');
    expect(list).toMatchObject({
      'x-svc-list': { property: 'auth-server', paging: 'offset', default: 100, max: 1000, extras: ['count', 'total'] },
      'x-svc-filter': { grammar: 'parameters', fields: { type: ['eq', 'in'], host: ['eq'] } },
      'x-svc-sort': ['type', 'host'],
      'x-svc-resource': {
        name: 'auth-servers',
        noun: 'authentication server',
        plural: 'authentication servers',
        key: 'name',
      },
      'x-svc-questions': ['which server answers our logins'],
    });
    expect((list['parameters'] as Schema[]).map((parameter) => parameter['name'])).toEqual([
      'host',
      'limit',
      'offset',
      'search',
      'sort',
      'type',
    ]);
    expect(find(document, 'startAuthServerDrain')['x-svc-async']).toEqual({
      poll: 'getAuthServerDrainResult',
      state: 'status',
      terminal: ['COMPLETED'],
    });
    expect(find(document, 'getAuthServerDrainResult')['x-svc-poll']).toBe(true);
    expect(find(document, 'deleteAuthServer')['x-svc-audience']).toEqual(['admin']);
  });

  test('is described by verb, object, realm, difference and effect', () => {
    expect(find(document, 'listAuthServers')['description']).toBe(
      'List all authentication servers (AAA server, RADIUS server) in the demo cloud library. One external identity server; an ordered list of them is a server group. Filter by type and host. Read-only.',
    );
    expect(find(document, 'getAuthServer')['description']).not.toContain('secret');
    expect(find(document, 'deleteAuthServer')['description']).toBe(
      'Delete one authentication server (AAA server, RADIUS server) from the demo cloud library. Remove; refused while config assignments use it. Destructive: its settings are lost for good.',
    );
  });
});

describe('other shapes of resources', () => {
  const common =
    'noun: [thing, things], aliases: [item], questions: [which things], distinguish: "a thing", impact: "it is gone"';

  test('a nested one has the parameters of its parents, a singleton has no key', () => {
    const document = expandText(
      documentWith(
        [
          `aps: {${common}, key: "serial str(8..8) -- Serial of it", ops: read, fields: {model: "str(1..9) list -- Hardware"}}`,
          `ap-radios: {${common}, id: [ApRadio, ApRadios], within: aps, segment: radios, key: "number int(0..3) -- Which radio", ops: G, fields: {band: "enum(a|b) -- Where"}}`,
          `ap-power: {${common}, id: [ApPower, ApPowers], within: aps, segment: power, singleton: true, ops: GR, fields: {watts: "int(0..90) -- Draw"}}`,
        ].join('\n'),
        'style: monitor',
      ),
    );
    expect(linesOf(document)).toEqual([
      'getAp GET /api/aps/{serial} read',
      'getApPower GET /api/aps/{serial}/power read',
      'getApRadio GET /api/aps/{serial}/radios/{number} read',
      'listAps GET /api/aps read',
      'replaceApPower PUT /api/aps/{serial}/power write',
    ]);
    const radio = find(document, 'getApRadio');
    expect((radio['parameters'] as Schema[]).map((each) => each['name'])).toEqual(['serial', 'number']);
    expect(radio['x-svc-resource']).toMatchObject({
      key: 'number',
      parent: { resource: 'aps', parameters: ['serial'] },
    });
  });

  test('a composite key, a path of its own and a list as body', () => {
    const document = expandText(
      documentWith(
        `links: {${common}, path: "links/{left}/{right}", collection: links, style: monitor, key: ["left str(1..9) filter(eq) -- One end", "right str(1..9) -- Other end"], ops: LCD, array-body: true, fields: {since: "datetime ro list -- Begin"}}`,
      ),
    );
    expect(linesOf(document)).toEqual([
      'createLinks POST /api/links write',
      'deleteLink DELETE /api/links/{left}/{right} destructive',
      'listLinks GET /api/links read',
    ]);
    expect(bodyOf(find(document, 'createLinks'))).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/LinkCreate' },
    });
    expect((schemasOf(document)['LinkCreate'] as Schema)['required']).toEqual(['left', 'right']);
    expect(find(document, 'listLinks')['x-svc-resource']).toMatchObject({ key: ['left', 'right'] });
  });

  test('trends, rankings, counts, exports and bulk forms have places and schemas of their own', () => {
    const document = expandText(
      documentWith(
        `clients: {${common}, key: "mac mac -- Address", ops: list, style: monitor, fields: {site: "str(1..9) list filter(eq) -- Where"}, count: [site], export: true, bulk: [delete], trends: {load: {title: load, fields: {percent: "num(0..100) -- Share"}}}, top: {usage: {title: traffic, fields: {bytes: "int(0..) -- Sum"}}}}`,
      ),
    );
    expect(linesOf(document)).toEqual([
      'bulkDeleteClients DELETE /api/clients/bulk destructive',
      'countClients GET /api/clients/count read',
      'exportClients GET /api/clients/export read',
      'getClientLoadTrend GET /api/clients/{mac}/load-trends read',
      'listClients GET /api/clients read',
      'listTopClientsByUsage GET /api/top-clients-by-usage read',
    ]);
  });

  test('a local object names its scope on every write, a shared one does not', () => {
    const resource = (name: string, scope: string): string =>
      `${name}: {${common}, scope: ${scope}, key: "name str(1..9) -- Called", ops: LGC, fields: {mode: "enum(a|b)! -- How"}}`;
    const parameters = (scope: string): unknown[] => {
      const create = find(expandText(documentWith(resource('rings', scope))), 'createRing');
      return (create['parameters'] as Schema[]).map((each) => each['name']);
    };
    expect(parameters('local')).toEqual(['name', 'scope-id']);
    expect(parameters('shared')).toEqual(['name']);
  });

  test('an older form points at its twin', () => {
    const document = expandText(
      documentWith(
        [
          `vlans: {${common}, key: "id int(1..9) -- Number", ops: LGC, fields: {mode: "enum(a|b)! -- How"}}`,
          `vlans-v1: {${common}, id: [VlanV1, VlansV1], path: "/v1/vlan/{id}", key: "id int(1..9) -- Number", ops: GR, twin: {of: vlans}, fields: {mode: "enum(a|b)! -- How"}}`,
        ].join('\n'),
      ),
    );
    expect(find(document, 'getVlanV1')['x-svc-twin']).toEqual({
      of: 'getVlan',
      note: 'older form, not interchangeable',
    });
    expect(find(document, 'replaceVlanV1')['x-svc-twin']).toEqual({
      of: 'createVlan',
      note: 'older form, not interchangeable',
    });
  });
});

test('the order in which resources and documents stand does not show in the bytes', () => {
  const resource = (name: string): string =>
    `${name}: {noun: [${name} thing, ${name} things], aliases: [item], questions: [which], distinguish: "about ${name}", impact: "gone", key: "name str(1..9) -- Called", ops: crud, fields: {mode: "enum(a|b)! -- How"}}`;
  const texts = (...documents: string[]): string[] =>
    expandPlatform(smallPlatform(...documents)).map(({ document }) => documentText(document));
  const once = texts(documentWith(`${resource('ants')}\n${resource('bees')}`), exampleText);
  expect(texts(exampleText, documentWith(`${resource('bees')}\n${resource('ants')}`))).toEqual(once);
});

describe('every platform', async () => {
  const platforms = await listPlatforms();

  test.each(platforms)('%s: two expansions are the same bytes, in whatever order the files were read', async (id) => {
    const texts = (expanded: ReturnType<typeof expandPlatform>): string[] =>
      expanded.map(({ document }) => documentText(document));
    const platform = await readPlatform(id);
    const once = texts(expandPlatform(platform));
    const again = await readPlatform(id);
    expect(texts(expandPlatform({ ...again, documents: [...again.documents].reverse() }))).toEqual(once);
  });
});

function find(document: OpenApiDocument, id: string): Schema {
  const found = operationsOf(document).find(({ operation }) => operation['operationId'] === id);
  if (!found) throw new Error(`expected an operation ${id}, got none`);
  return found.operation;
}

function bodyOf(operation: Schema): Schema {
  const content = (operation['requestBody'] as Schema)['content'] as Record<string, Schema>;
  return content['application/json']!['schema'] as Schema;
}
