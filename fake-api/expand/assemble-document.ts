/** Assembles one OpenAPI 3.1 document from a document model. */
import { canonical } from './canonical-document.ts';
import { capitalised } from './model/name-spelling.ts';
import type { DocumentView, Platform } from './model/platform-folder-model.ts';
import { alsoByOperations } from './operations/alternate-key-operations.ts';
import { bulkOperations } from './operations/bulk-operations.ts';
import { computedOperations } from './operations/computed-operations.ts';
import type { Operation } from './operations/modelled-operation.ts';
import { OperationBuilder } from './operations/operation-builder.ts';
import { describe } from './operations/operation-description.ts';
import { previewReadsOf } from './operations/preview-read-operations.ts';
import { sharedPoll } from './operations/shared-poll.ts';
import { isStaged } from './operations/staging.ts';
import { storedOperations } from './operations/stored-operations.ts';
import { taskOperations } from './operations/task-operations.ts';
import { tokenDocument, tokenDocumentOf } from './operations/token-document.ts';
import { traceOperations } from './operations/trace-operations.ts';
import { platformExtensions } from './platform-extensions.ts';
import { fieldParameter } from './schema/declared-parameters.ts';
import { securityRequirement, securitySchemes } from './schema/model-security-schemes.ts';
import { reachable } from './schema/reachable.ts';
import { findReferrers } from './schema/resource-references.ts';
import { errorResponses, rateHeaders, responsesOf } from './schema/responses.ts';
import { type MissingReference, missing, SchemaBook } from './schema/schema-book.ts';
import type { Schema } from './schema/schema-object.ts';

export type OpenApiDocument = Schema;

export interface ExpandedDocument {
  readonly name: string;
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
}

/** Every document of a platform, the token document included, in order of their names. */
export function expandPlatform(platform: Platform, refuse: MissingReference = missing): ExpandedDocument[] {
  const referrers = findReferrers(platform);
  const drafts = platform.documents.map((view) => {
    const book = new SchemaBook(platform, view, refuse);
    const operations = view.resources.flatMap((resource) => {
      const bench = new OperationBuilder(platform, view, resource, book, referrers);
      return [
        ...storedOperations(bench),
        ...alsoByOperations(bench),
        ...bulkOperations(bench),
        ...computedOperations(bench),
        ...traceOperations(bench),
        ...taskOperations(bench),
      ];
    });
    return { view, book, operations };
  });
  const shared = sharedPoll(platform, refuse);
  if (shared) drafts.push(shared);
  const all = drafts.flatMap((draft) => draft.operations);
  refuseDuplicates(all);
  const byId = new Map(all.map((operation) => [operation.id, operation]));
  const documents = drafts.map(({ view, book, operations }) => ({
    name: view.model.name,
    document: assemble(platform, view, book, operations, byId),
    operations,
  }));
  const token = tokenDocumentOf(platform);
  return [...documents, ...(token ? [{ name: tokenDocument, document: token, operations: [] }] : [])].sort(
    (left, right) => (left.name < right.name ? -1 : 1),
  );
}

function assemble(
  platform: Platform,
  view: DocumentView,
  book: SchemaBook,
  operations: readonly Operation[],
  byId: ReadonlyMap<string, Operation>,
): OpenApiDocument {
  const { schema } = platform.model.errors;
  const error = schema === null ? { type: 'string' } : book.shape('objects', schema, 'read', view.model.spot.place);
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
    ...platformExtensions(platform.model),
    servers: [{ url: '/' }],
    tags: [{ name: view.model.tag }],
    security: securityRequirement(platform),
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
    ...ownSecurity(operation, platform),
    parameters: refuseTwice(operation, [
      ...pathParameters(operation, platform, book),
      ...sortedByName(operation.query),
    ]),
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
    ...previewReadsOf(operation, platform, [...byId.values()]),
  };
}

/** Said where it differs from what the document says for all. */
function ownSecurity(operation: Operation, platform: Platform): Schema {
  const own = securityRequirement(platform, operation.method);
  return canonical(own) === canonical(securityRequirement(platform)) ? {} : { security: own };
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
    ...(model.subDocument === null ? {} : { part: model.subDocument }),
    ...(model.key.some((field) => field.readOnly) ? { generatedKey: true } : {}),
    ...(isStaged(operation.resource) ? { staged: true } : {}),
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
  const tasks = platform.model.async;
  return [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => {
    const field =
      operation.pathFields?.get(name!) ?? (name === tasks?.param.name ? tasks?.param : resource.pathFields.get(name!));
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

/** Two parameters of one name in one place would be one for every reader, whichever was meant. */
function refuseTwice(operation: Operation, parameters: readonly Schema[]): Schema[] {
  const seen = new Set<string>();
  for (const { name, in: place } of parameters) {
    const claim = `${String(place)} parameter ${String(name)}`;
    if (seen.has(claim))
      operation.resource.model.spot.fail(`one ${claim} of ${operation.id}`, 'two', 'MODEL_DUPLICATE');
    seen.add(claim);
  }
  return [...parameters];
}

function sortedByName(parameters: readonly Schema[]): Schema[] {
  return [...parameters].sort((left, right) => (String(left['name']) < String(right['name']) ? -1 : 1));
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
