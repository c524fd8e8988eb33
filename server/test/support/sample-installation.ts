/** A small installation for tests: a package root of its own with one platform file and one hand-written OpenAPI document. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Config, loadConfig } from '../../config/config.ts';

export const SAMPLE_BASE = 'http://platform.test/mgmt';
export const SAMPLE_SECRET = 'sample-client-secret-5aA';

export const samplePlatform = {
  id: 'mgmt',
  title: 'management cloud',
  kind: 'toolset',
  words: ['mgmt', 'management cloud'],
  documents: 'var/openapi/mgmt',
  backends: { 'config-nac': 'mgmt-nac', config: 'mgmt-config', '': 'mgmt-generated' },
  auth: {
    strategy: 'oauth2-client-credentials',
    token_path: '/as/token',
    section: 'mgmt',
    variables: {
      base_url: 'SOURCE_BASE_URL',
      client_id: 'SOURCE_CLIENT_ID',
      client_secret: 'SOURCE_CLIENT_SECRET',
      workspace_id: 'SOURCE_GLP_WORKSPACE',
    },
  },
  gate: { variable: 'SVC_MCP_MGMT_WRITES', default: 'off' },
  rate: { burst: 2 },
  overrides: {} as Record<string, { capability: string; why: string }>,
};

const server = { $ref: '#/components/schemas/AuthServer' };
const byName = [
  { name: 'name', in: 'path', required: true, schema: { type: 'string', pattern: '^[A-Za-z0-9_. /-]{1,63}$' } },
];
const json = (schema: unknown) => ({ 'application/json': { schema } });
const ok = (schema: unknown) => ({ 200: { description: 'done', content: json(schema) } });
const resource = { name: 'auth-servers', noun: 'authentication server', plural: 'authentication servers', key: 'name' };
const aliases = ['RADIUS server', 'AAA server'];

/** Written by hand, not by our expander: half of it uses the extensions, half is what anybody's document looks like. */
export const sampleDocument = {
  openapi: '3.1.0',
  info: { title: 'Sample', version: '1', 'x-svc-platform': 'mgmt', 'x-svc-document': 'config-security' },
  servers: [{ url: '/' }],
  paths: {
    '/auth-servers': {
      get: {
        operationId: 'listAuthServers',
        description: 'List all authentication servers in the library. Read-only.',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500 } },
          { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } },
          { name: 'type', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: ok({
          type: 'object',
          properties: { 'auth-server': { type: 'array', items: server }, total: { type: 'integer' } },
        }),
        'x-svc-capability': 'read',
        'x-svc-kind': 'list',
        'x-svc-list': { property: 'auth-server', paging: 'offset' },
        'x-svc-resource': resource,
        'x-svc-aliases': aliases,
      },
    },
    '/auth-servers/{name}': {
      parameters: byName,
      get: {
        operationId: 'getAuthServer',
        description: 'Get one authentication server by name. Read-only.',
        responses: ok(server),
        'x-svc-kind': 'get',
        'x-svc-resource': resource,
        'x-svc-aliases': aliases,
      },
      post: {
        operationId: 'createAuthServer',
        description: 'Create a new authentication server. Changes configuration.',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/AuthServerCreate' }) },
        responses: ok(server),
        'x-svc-kind': 'create',
        'x-svc-resource': resource,
        'x-svc-aliases': aliases,
      },
      patch: {
        operationId: 'updateAuthServer',
        description: 'Change some fields of one authentication server. Changes configuration.',
        requestBody: { required: true, content: json(server) },
        responses: ok(server),
        'x-svc-kind': 'patch',
        'x-svc-resource': resource,
        'x-svc-aliases': aliases,
      },
      delete: {
        operationId: 'deleteAuthServer',
        description: 'Delete one authentication server. Destructive.',
        responses: { 204: { description: 'gone' } },
        'x-svc-kind': 'delete',
        'x-svc-resource': resource,
        'x-svc-aliases': aliases,
      },
    },
    '/auth-servers/{name}/test': {
      parameters: byName,
      post: {
        operationId: 'startAuthServerTest',
        description: 'Start an authentication test against one server. Diagnostic.',
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            required: ['username', 'password'],
            properties: {
              username: { type: 'string' },
              password: { type: 'string', format: 'password', minLength: 4 },
            },
            additionalProperties: false,
          }),
        },
        responses: { 202: { description: 'started' } },
        'x-svc-capability': 'diagnostic',
        'x-svc-kind': 'diagnostic',
        'x-svc-async': { poll: 'getAuthServerTestResult', state: 'status', terminal: ['COMPLETED'] },
      },
    },
    '/auth-servers/{name}/test/async-operations/{task-id}': {
      parameters: [...byName, { name: 'task-id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getAuthServerTestResult',
        summary: 'Get the result of an authentication test',
        responses: ok({ type: 'object' }),
      },
    },
    '/access-points': {
      get: {
        summary: 'List access points',
        responses: ok({
          type: 'object',
          properties: { items: { type: 'array', items: { type: 'object' } }, next: { type: 'string' } },
        }),
      },
    },
    '/access-points/{serial}': {
      parameters: [{ name: 'serial', in: 'path', required: true, schema: { type: 'string' } }],
      get: { summary: 'Show one access point', responses: ok({ type: 'object' }) },
    },
    '/access-points/{serial}/reboot': {
      parameters: [{ name: 'serial', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        operationId: 'rebootAccessPoint',
        summary: 'Reboot an access point',
        responses: { 202: { description: 'started' } },
      },
    },
    '/access-points/search': {
      post: {
        operationId: 'searchAccessPoints',
        summary: 'Search access points',
        requestBody: {
          required: true,
          content: json({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
        },
        responses: ok({ type: 'array', items: { type: 'object' } }),
      },
    },
    '/wlans/{ssid}': {
      parameters: [{ name: 'ssid', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getWlan', summary: 'Get one WLAN (SSID)', responses: ok({ type: 'object' }) },
      put: {
        operationId: 'replaceWlan',
        summary: 'Replace one WLAN (SSID)',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Wlan' }) },
        responses: ok({ type: 'object' }),
      },
    },
  },
  components: {
    schemas: {
      AuthServer: {
        type: 'object',
        properties: {
          name: { type: 'string', readOnly: true },
          type: { type: 'string', enum: ['RADIUS', 'LDAP', 'TACACS'] },
          'auth-port': { type: 'integer', minimum: 1, maximum: 65535 },
          'shared-secret': { type: 'string', format: 'password', writeOnly: true, minLength: 8 },
          'used-by': { type: 'integer', readOnly: true },
        },
        additionalProperties: false,
      },
      AuthServerCreate: {
        allOf: [{ $ref: '#/components/schemas/AuthServer' }, { type: 'object', required: ['type', 'used-by'] }],
      },
      Wlan: {
        type: 'object',
        required: ['security'],
        properties: {
          security: { $ref: '#/components/schemas/Security' },
          parent: { $ref: '#/components/schemas/Wlan' },
        },
      },
      Security: {
        type: 'object',
        properties: { passphrase: { type: 'string', writeOnly: true }, mode: { type: 'string', nullable: true } },
      },
    },
  },
};

export interface SampleInstallation {
  root: string;
  /** A configuration of this installation; variables on top of the defaults. */
  config: (variables?: Record<string, string>) => Config;
  writeDocument: (name: string, document: unknown) => void;
  writePlatform: (change: Partial<typeof samplePlatform>) => void;
  [Symbol.dispose]: () => void;
}

export function sampleInstallation(): SampleInstallation {
  const root = mkdtempSync(join(tmpdir(), 'svc-mcp-estate-'));
  const writeDocument = (name: string, document: unknown) => {
    writeFileSync(
      join(root, 'var/openapi/mgmt', name),
      typeof document === 'string' ? document : JSON.stringify(document),
    );
  };
  const writePlatform = (change: Partial<typeof samplePlatform>) => {
    writeFileSync(join(root, 'server/platforms/mgmt.yaml'), stringify({ ...samplePlatform, ...change }));
  };
  mkdirSync(join(root, 'server/platforms'), { recursive: true });
  mkdirSync(join(root, 'var/openapi/mgmt'), { recursive: true });
  mkdirSync(join(root, 'config'));
  writeDocument('config-security.json', sampleDocument);
  writePlatform({});
  writeFileSync(
    join(root, 'config/credentials.yaml'),
    stringify({
      mgmt: { base_url: SAMPLE_BASE, client_id: 'sample-client', client_secret: SAMPLE_SECRET, workspace_id: 'sample' },
    }),
    { mode: 0o600 },
  );
  return {
    root,
    writeDocument,
    writePlatform,
    config: (variables = {}) =>
      loadConfig({
        env: {
          SVC_MCP_DOTENV: '0',
          SVC_MCP_LOG_LEVEL: 'silent',
          SVC_MCP_RATE_PER_SECOND: '0',
          TOKEN_CACHE_DIR: join(root, 'cache'),
          SVC_MCP_STATE_DIR: join(root, 'state'),
          SVC_MCP_CONFIG_DIR: join(root, 'user'),
          ...variables,
        },
        cwd: root,
        root,
      }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
