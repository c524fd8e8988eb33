/** Assembles one OpenAPI 3.1 document from a document model. */
import { computedOperations } from './computed-operations.ts';
import { describe } from './describe.ts';
import { ExpandError } from './errors.ts';
import type { Operation } from './operation.ts';
import { fieldParameter } from './parameters.ts';
import type { DocumentView, Platform } from './platform.ts';
import { reachable } from './reachable.ts';
import { findReferrers } from './references.ts';
import { type Schema, SchemaBook } from './schema-book.ts';
import { storedOperations } from './stored-operations.ts';
import { taskOperations } from './task-operations.ts';
import { capitalised } from './words.ts';
import { Workbench } from './workbench.ts';

export type OpenApiDocument = Schema;

export interface ExpandedDocument {
  readonly name: string;
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
}

export const tokenDocument = 'token';

/** Every document of a platform, the token document included, in order of their names. */
export function expandPlatform(platform: Platform): ExpandedDocument[] {
  const referrers = findReferrers(platform);
  const drafts = platform.documents.map((view) => {
    const book = new SchemaBook(platform, view);
    const operations = view.resources.flatMap((resource) => {
      const bench = new Workbench(platform, view, resource, book, referrers);
      return [...storedOperations(bench), ...computedOperations(bench), ...taskOperations(bench)];
    });
    return { view, book, operations };
  });
  const all = drafts.flatMap((draft) => draft.operations);
  refuseDuplicates(all);
  const byId = new Map(all.map((operation) => [operation.id, operation]));
  const documents = drafts.map(({ view, book, operations }) => ({
    name: view.model.name,
    document: assemble(platform, view, book, operations, byId),
    operations,
  }));
  return [...documents, tokenOf(platform)].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function assemble(
  platform: Platform,
  view: DocumentView,
  book: SchemaBook,
  operations: readonly Operation[],
  byId: ReadonlyMap<string, Operation>,
): OpenApiDocument {
  const error = book.shape('objects', platform.model.errors.schema, 'read', view.model.spot.place);
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method] = operationObject(operation, platform, book, byId);
    paths[operation.path] = item;
  }
  const responses = errorResponses(platform, error);
  const used = reachable([paths, responses], book.schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: `${platform.model.title}: ${view.model.title}`,
      version: platform.model.version,
      description: platform.model.description,
      'x-svc-platform': platform.model.id,
      'x-svc-document': view.model.name,
    },
    servers: [{ url: '/' }],
    tags: [{ name: view.model.tag }],
    security: [{ oauth2: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(used),
      responses,
      headers: rateHeaders(platform),
      securitySchemes: securitySchemes(platform),
    },
  };
}

function operationObject(
  operation: Operation,
  platform: Platform,
  book: SchemaBook,
  byId: ReadonlyMap<string, Operation>,
): Schema {
  const { model, document } = operation.resource;
  const { wording } = operation;
  const description = describe(operation, platform);
  const summary = capitalised(operation.words.summary);
  const audience = wording.audience ?? model.audience;
  const aliases = wording.aliases ?? model.aliases;
  const questions = wording.questions ?? model.questions;
  const distinguish = wording.distinguish ?? model.distinguish;
  const derive = wording.derive ?? operation.extensions['x-svc-derive'];
  return {
    operationId: operation.id,
    summary,
    description,
    tags: [document.tag],
    parameters: [...pathParameters(operation, platform, book), ...sortedByName(operation.query)],
    ...(operation.body
      ? { requestBody: { required: true, content: { [operation.body.media]: { schema: operation.body.schema } } } }
      : {}),
    responses: responsesOf(operation, platform),
    ...(wording.deprecated ? { deprecated: true } : {}),
    ...operation.extensions,
    ...(derive === undefined ? {} : { 'x-svc-derive': derive }),
    'x-svc-capability': operation.capability,
    'x-svc-kind': operation.kind,
    'x-svc-resource': resourceExtension(operation),
    'x-svc-scope': model.scope,
    'x-svc-distinguish': distinguish,
    ...(aliases.length > 0 ? { 'x-svc-aliases': [...aliases] } : {}),
    ...(audience.length > 0 ? { 'x-svc-audience': [...audience] } : {}),
    ...(questions.length > 0 ? { 'x-svc-questions': [...questions] } : {}),
    ...twinExtension(operation, platform, byId),
  };
}

function resourceExtension(operation: Operation): Schema {
  const { model, parent } = operation.resource;
  const keys = model.key.map((field) => field.name);
  return {
    name: model.name,
    noun: model.noun[0],
    plural: model.noun[1],
    key: keys.length > 1 ? keys : (keys[0] ?? null),
    ...(model.singleton ? { singleton: true } : {}),
    ...(model.key.some((field) => field.readOnly) ? { generatedKey: true } : {}),
    ...(parent ? { parent: { resource: parent.model.name, parameters: [...parent.pathFields.keys()] } } : {}),
    ...(model.derive === null ? {} : { derive: model.derive }),
  };
}

/** The twin's operation of the same kind, else its partial change, else its create, else its read. */
function twinExtension(operation: Operation, platform: Platform, byId: ReadonlyMap<string, Operation>): Schema {
  const { twin, spot } = operation.resource.model;
  if (!twin) return {};
  const target =
    platform.resources.get(twin.of) ?? spot.fail('twin.of: a resource of this platform', twin.of, 'MODEL_REFERENCE');
  const family = [...byId.values()].filter((each) => each.resource === target);
  for (const kind of [operation.kind, 'patch', 'create', 'get', 'list']) {
    const match = family.find((each) => each.kind === kind);
    if (match) return { 'x-svc-twin': { of: match.id, note: twin.note } };
  }
  return spot.fail('twin.of: a resource with operations', twin.of, 'MODEL_REFERENCE');
}

function pathParameters(operation: Operation, platform: Platform, book: SchemaBook): Schema[] {
  const { resource } = operation;
  const { param } = platform.model.async;
  return [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => {
    const field = name === param.name ? param : resource.pathFields.get(name!);
    if (!field)
      return resource.model.spot.fail(
        `a parameters line for {${name}} of ${operation.path}`,
        'none',
        'MODEL_REFERENCE',
      );
    const plain = { ...field, readOnly: false, immutable: false, unique: false, inSummary: false, required: true };
    return fieldParameter(plain, 'path', book);
  });
}

function sortedByName(parameters: readonly Schema[]): Schema[] {
  return [...parameters].sort((left, right) => (String(left['name']) < String(right['name']) ? -1 : 1));
}

const reasons: Readonly<Record<number, readonly [name: string, text: string]>> = {
  400: ['BadRequest', 'The request does not follow this document'],
  401: ['Unauthorized', 'The access token is missing, wrong or expired'],
  403: ['Forbidden', 'The account may not do this'],
  404: ['NotFound', 'Nothing exists under this path'],
  409: ['Conflict', 'The object exists already, or is still in use'],
  422: ['Unprocessable', 'The request is well formed but breaks a rule of the platform'],
  429: ['TooManyRequests', 'The request limit is used up'],
  500: ['ServerError', 'The platform failed'],
};

function responsesOf(operation: Operation, platform: Platform): Schema {
  const { always, item, write } = platform.model.errors;
  const { success } = operation;
  const headers = Object.fromEntries(
    [...platform.model.rateLimit.headers.keys()].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const onItem = operation.path.includes('{');
  const changes = operation.capability === 'write' || operation.capability === 'destructive';
  const codes = [...always, ...(onItem ? item : []), ...(changes || operation.kind === 'diagnostic' ? write : [])];
  return {
    [success.status]: {
      description: success.text,
      headers,
      ...(success.schema ? { content: { [success.media ?? 'application/json']: { schema: success.schema } } } : {}),
    },
    ...Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/responses/${reasonOf(code)[0]}` }])),
  };
}

function reasonOf(code: number): readonly [string, string] {
  const reason = reasons[code];
  if (reason) return reason;
  throw new ExpandError('MODEL_SHAPE', {
    expected: `error codes of ${Object.keys(reasons).join(', ')}`,
    got: String(code),
  });
}

function errorResponses(platform: Platform, error: Schema): Schema {
  const { always, item, write } = platform.model.errors;
  return Object.fromEntries(
    [...new Set([...always, ...item, ...write])].map((code) => {
      const [name, description] = reasonOf(code);
      return [name, { description, content: { 'application/json': { schema: error } } }];
    }),
  );
}

function rateHeaders(platform: Platform): Schema {
  return Object.fromEntries(
    [...platform.model.rateLimit.headers].map(([name, description]) => [
      name,
      { description, schema: { type: 'integer', minimum: 0 } },
    ]),
  );
}

function securitySchemes(platform: Platform): Schema {
  return {
    oauth2: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: platform.model.auth.token, scopes: {} } } },
  };
}

function refuseDuplicates(operations: readonly Operation[]): void {
  const seen = new Map<string, Operation>();
  for (const operation of operations) {
    for (const claim of [operation.id, `${operation.method.toUpperCase()} ${operation.path}`]) {
      const other = seen.get(claim);
      if (other) {
        const { file, line } = other.resource.model.spot.place;
        operation.resource.model.spot.fail(
          `an operation of its own for ${claim}`,
          `one already at ${file}:${line}`,
          'MODEL_DUPLICATE',
        );
      }
      seen.set(claim, operation);
    }
  }
}

/** The token request is served like everything else but belongs to no catalog: its audience is internal. */
function tokenOf(platform: Platform): ExpandedDocument {
  const { auth, id, title, version, description } = platform.model;
  const form = {
    type: 'object',
    properties: {
      grant_type: { type: 'string', enum: ['client_credentials'], description: 'The only grant this platform gives' },
      client_id: { type: 'string', minLength: 1, description: 'Public identifier of the API client' },
      client_secret: {
        type: 'string',
        format: 'password',
        writeOnly: true,
        minLength: 1,
        description: 'Secret of the API client',
      },
    },
    required: ['grant_type'],
  };
  const token = {
    type: 'object',
    properties: {
      access_token: { type: 'string', description: 'Bearer token for the other operations' },
      token_type: { type: 'string', enum: ['Bearer'], description: 'How the token is presented' },
      expires_in: {
        type: 'integer',
        minimum: 1,
        maximum: auth.lifetime,
        description: 'Seconds until the token expires',
      },
    },
    required: ['access_token', 'token_type', 'expires_in'],
  };
  const problem = {
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Code of the refusal, such as invalid_client' },
      error_description: { type: 'string', description: 'Reason of the refusal in words' },
    },
    required: ['error'],
  };
  const refused = {
    description: 'Refused',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenError' } } },
  };
  const document = {
    openapi: '3.1.0',
    info: {
      title: `${title}: access tokens`,
      version,
      description,
      'x-svc-platform': id,
      'x-svc-document': tokenDocument,
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Access tokens' }],
    security: [],
    paths: {
      [auth.token]: {
        post: {
          operationId: 'createAccessToken',
          summary: 'Get an access token',
          description: `Get an access token for the ${platform.model.phrase} from a client id and secret, sent as form fields or as basic authentication. The token goes into the Authorization header of every other request.`,
          tags: ['Access tokens'],
          parameters: [],
          requestBody: {
            required: true,
            content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/TokenRequest' } } },
          },
          responses: {
            200: {
              description: 'A token',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Token' } } },
            },
            400: refused,
            401: refused,
          },
          'x-svc-capability': 'read',
          'x-svc-kind': 'token',
          'x-svc-audience': ['internal'],
        },
      },
    },
    components: {
      schemas: { Token: token, TokenError: problem, TokenRequest: form },
      securitySchemes: securitySchemes(platform),
    },
  };
  return { name: tokenDocument, document, operations: [] };
}
