/** A platform of two resources and one test, small enough to see all of it: what the engine's own tests run against. */
import { type CallRecord, type EngineResponse, handle } from '../../engine/http/request-pipeline.ts';
import type { OpenApiDocument, Schema } from '../../engine/openapi/openapi-document.ts';
import { type Platform, readPlatform } from '../../engine/openapi/served-platform.ts';
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour } from '../../engine/state/platform-behaviour.ts';
import { NO_ROWS, State } from '../../engine/state/state.ts';

const name: Schema = { type: 'string', pattern: '^[a-z0-9-]{1,20}$' };
const problem: Schema = {
  type: 'object',
  properties: {
    httpStatusCode: { type: 'integer' },
    errorCode: { type: 'string' },
    message: { type: 'string' },
    debugId: { type: 'string' },
  },
};
const schemas: Record<string, Schema> = {
  Timers: {
    type: 'object',
    properties: { timeout: { type: 'integer', minimum: 1, maximum: 30, default: 5 } },
  },
  Server: {
    allOf: [{ $ref: '#/components/schemas/Timers' }],
    type: 'object',
    properties: {
      name,
      type: { type: 'string', enum: ['RADIUS', 'LDAP'] },
      host: { type: 'string', format: 'hostname' },
      port: { type: 'integer', minimum: 1, maximum: 65535, default: 1812 },
      'shared-secret-configured': {
        type: 'boolean',
        readOnly: true,
        'x-svc-derive': { kind: 'secret-present', field: 'shared-secret' },
      },
      'base-dn': { type: ['string', 'null'] },
      'created-at': { type: 'string', format: 'date-time', readOnly: true },
      'updated-at': { type: 'string', format: 'date-time', readOnly: true },
    },
    required: ['name', 'type', 'host'],
  },
  ServerCreate: {
    allOf: [{ $ref: '#/components/schemas/Timers' }],
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['RADIUS', 'LDAP'], 'x-svc-immutable': true },
      host: { type: 'string', format: 'hostname', 'x-svc-unique': true },
      port: { type: 'integer', minimum: 1, maximum: 65535, default: 1812 },
      'shared-secret': { type: 'string', format: 'password', writeOnly: true, minLength: 8 },
      'base-dn': { type: ['string', 'null'] },
    },
    required: ['type', 'host'],
    'x-svc-rules': [
      { when: { type: ['LDAP'] }, require: ['base-dn'] },
      { when: { type: ['RADIUS'] }, require: ['shared-secret'] },
    ],
  },
  ServerPatch: {
    allOf: [{ $ref: '#/components/schemas/Timers' }],
    type: 'object',
    minProperties: 1,
    properties: {
      type: { type: 'string', enum: ['RADIUS', 'LDAP'] },
      host: { type: 'string', format: 'hostname' },
      port: { type: 'integer', minimum: 1, maximum: 65535 },
      'shared-secret': { type: 'string', format: 'password', writeOnly: true, minLength: 8 },
      'base-dn': { type: ['string', 'null'] },
    },
  },
  Group: {
    type: 'object',
    properties: {
      name,
      servers: {
        type: 'array',
        items: { type: 'string', 'x-svc-ref': { resource: 'servers', field: 'name', onDelete: 'restrict' } },
      },
      backup: { type: ['string', 'null'], 'x-svc-ref': { resource: 'servers', field: 'name', onDelete: 'set-null' } },
    },
    required: ['name', 'servers'],
  },
  GroupCreate: {
    type: 'object',
    properties: {
      servers: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', 'x-svc-ref': { resource: 'servers', field: 'name', onDelete: 'restrict' } },
      },
      backup: { type: ['string', 'null'], 'x-svc-ref': { resource: 'servers', field: 'name', onDelete: 'set-null' } },
    },
    required: ['servers'],
  },
  Started: {
    type: 'object',
    properties: {
      taskId: { type: 'string' },
      location: { type: 'string' },
      status: { type: 'string' },
      startTime: { type: 'string' },
    },
    required: ['taskId', 'location', 'status'],
  },
  Polled: {
    type: 'object',
    properties: {
      taskId: { type: 'string' },
      status: { type: 'string' },
      progressPercent: { type: 'integer' },
      endTime: { type: ['string', 'null'] },
      output: {
        anyOf: [
          {
            type: 'object',
            properties: { outcome: { type: 'string', enum: ['accept', 'reject'] } },
            required: ['outcome'],
          },
          { type: 'null' },
        ],
      },
    },
    required: ['taskId', 'status'],
  },
};

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const ref = (component: string): Schema => ({ $ref: `#/components/schemas/${component}` });
const page = (property: string, component: string, cursor: boolean): Schema => ({
  type: 'object',
  properties: {
    [property]: { type: 'array', items: ref(component) },
    count: { type: 'integer' },
    total: { type: 'integer' },
    ...(cursor ? { next: { type: ['string', 'null'] } } : { offset: { type: 'integer' } }),
  },
  required: [property],
});
const nameInPath = { name: 'name', in: 'path', required: true, schema: name };
const query = (parameter: string, schema: Schema) => ({ name: parameter, in: 'query', schema });
const operation = (id: string, kind: string, resource: string, more: object) => ({
  operationId: id,
  'x-svc-kind': kind,
  'x-svc-resource': { name: resource, noun: resource, plural: resource, key: 'name' },
  ...more,
});
const errors = Object.fromEntries(['400', '401', '404', '409', '422', '429'].map((code) => [code, json(problem)]));
const ok = (schema: Schema) => ({ responses: { 200: json(schema), ...errors } });
const body = (component: string) => ({ requestBody: { required: true, ...json(ref(component)) } });
const fields = { type: ['eq', 'in'], host: ['eq'], port: ['gt', 'lt'] };

export const smallDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Small platform', version: '1.0.0' },
  paths: {
    '/servers': {
      get: operation('listServers', 'list', 'servers', {
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 100 }),
          query('next', { type: 'string' }),
          query('filter', { type: 'string' }),
          query('sort', { type: 'string' }),
        ],
        'x-svc-list': { property: 'server', paging: 'cursor', default: 3, max: 5, extras: ['count', 'total'] },
        'x-svc-filter': { grammar: 'odata-and', fields },
        'x-svc-sort': ['port', 'name'],
        ...ok(page('server', 'Server', true)),
      }),
    },
    '/servers/{name}': {
      parameters: [nameInPath],
      get: operation('getServer', 'get', 'servers', ok(ref('Server'))),
      post: operation('createServer', 'create', 'servers', { ...body('ServerCreate'), ...ok(ref('Server')) }),
      put: operation('replaceServer', 'replace', 'servers', {
        'x-svc-upsert': true,
        ...body('ServerCreate'),
        ...ok(ref('Server')),
      }),
      patch: operation('updateServer', 'patch', 'servers', { ...body('ServerPatch'), ...ok(ref('Server')) }),
      delete: operation('deleteServer', 'delete', 'servers', {
        'x-svc-capability': 'destructive',
        ...ok(ref('Server')),
      }),
    },
    '/servers/{name}/test': {
      parameters: [nameInPath],
      post: operation('startServerTest', 'diagnostic', 'servers', {
        'x-svc-capability': 'diagnostic',
        'x-svc-async': { poll: 'getServerTestResult', state: 'status', terminal: ['COMPLETED', 'FAILED', 'TIMEOUT'] },
        responses: { 202: json(ref('Started')), ...errors },
      }),
    },
    '/servers/{name}/test/async-operations/{task-id}': {
      parameters: [
        nameInPath,
        { name: 'task-id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      ],
      get: operation('getServerTestResult', 'async-result', 'servers', {
        'x-svc-capability': 'read',
        'x-svc-poll': true,
        ...ok(ref('Polled')),
      }),
    },
    '/groups': {
      get: operation('listGroups', 'list', 'groups', {
        parameters: [query('limit', { type: 'integer', minimum: 1 }), query('offset', { type: 'integer', minimum: 0 })],
        'x-svc-list': {
          property: 'group',
          paging: 'offset',
          default: 100,
          max: 1000,
          extras: ['count', 'total', 'offset'],
        },
        ...ok(page('group', 'Group', false)),
      }),
    },
    '/groups/{name}': {
      parameters: [nameInPath],
      get: operation('getGroup', 'get', 'groups', ok(ref('Group'))),
      post: operation('createGroup', 'create', 'groups', { ...body('GroupCreate'), ...ok(ref('Group')) }),
      delete: operation('deleteGroup', 'delete', 'groups', { 'x-svc-capability': 'destructive', ...ok(ref('Group')) }),
    },
  },
  components: { schemas },
} as unknown as OpenApiDocument;

export const START = '2026-03-02T09:00:00Z';

export interface Testbed {
  platform: Platform;
  state: State;
  records: CallRecord[];
  call: (method: string, target: string, body?: unknown, headers?: Record<string, string>) => Called;
}

export interface Called extends EngineResponse {
  json: Record<string, unknown>;
}

/** A namespace of the small platform with a valid token, driven without a socket. */
export function smallTestbed(world: PlatformBehaviour = NO_PLATFORM_BEHAVIOUR): Testbed {
  const platform = readPlatform({ id: 'small', documents: { small: smallDocument } });
  const state = new State(new Map([['small', platform]]), NO_ROWS, { seed: 1, clock: START });
  state.tokens.set('token', { platform: 'small', issuedAtMs: state.clock.ms, lifetimeSeconds: 7200 });
  const records: CallRecord[] = [];
  const journal = {
    get calls() {
      return records.length;
    },
    append: (record: CallRecord) => {
      records.push(record);
    },
  };
  return {
    platform,
    state,
    records,
    call: (method, target, sent, headers = {}) => {
      const [path = '', queryText = ''] = target.split('?');
      const answer = handle({ platform, world }, state, journal, {
        method,
        path,
        query: queryText,
        headers: {
          authorization: 'Bearer token',
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: sent === undefined ? null : Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent)),
      });
      return { ...answer, json: answer.body === '' ? {} : JSON.parse(answer.body) };
    },
  };
}
