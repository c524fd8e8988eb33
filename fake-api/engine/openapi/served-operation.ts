/** Operations of a platform as the engine serves them: read once from the documents, shared by every namespace. */
import { FakeApiError } from '../../fake-errors.ts';
import { byName, isObject, own } from '../state/json-value.ts';
import { type OperationSemantics, operationSemanticsOf } from '../state/operation-semantics.ts';
import {
  type MediaObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  resolve,
  type Schema,
} from './openapi-document.ts';
import { type Capability, inferCapability } from './operation-capability.ts';
import { namesIn } from './route-template.ts';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Kind =
  | 'list'
  | 'get'
  | 'create'
  | 'replace'
  | 'patch'
  | 'delete'
  | 'status'
  | 'stats'
  | 'trend'
  | 'top'
  | 'search'
  | 'count'
  | 'action'
  | 'diagnostic'
  | 'async-result'
  | 'references'
  | 'history'
  | 'bulk-create'
  | 'bulk-patch'
  | 'bulk-delete'
  | 'export'
  | 'singleton-get'
  | 'singleton-put'
  | 'set'
  | AuthKind;

/** What opens and closes a platform; the pipeline answers it before anything else. */
export type AuthKind = 'token' | 'login' | 'logout';

/** What a property or a header beside the entries of a list tells. */
export type ListMeaning = 'count' | 'total' | 'offset' | 'next' | 'limit' | 'page' | 'start' | 'end';
export type PagingRole = 'limit' | 'offset' | 'page' | 'cursor' | 'before';

export interface ListStyle {
  /** Array property of the answer, with dots where it lies deeper; null means the answer is the array. */
  property: string | null;
  /** The entries are an object from key to entry. */
  shape?: 'map';
  paging: 'offset' | 'cursor' | 'page' | 'none';
  default: number;
  max: number;
  extras: string[];
  /** Properties beside the array that are not named like what they tell. */
  meanings?: Record<string, ListMeaning>;
  /** Query parameter that has to be true for the extras to be told. */
  onRequest?: string;
  /** Paging parameters that are not named as usual. */
  parameters?: Partial<Record<PagingRole, string>>;
  /** Number of the first entry or page, where it is not the usual one. */
  first?: number;
  headers?: Record<string, ListMeaning>;
  /** Property that holds the links to other pages. */
  links?: string;
  sort?: 'signed';
  /** A cursor is the key of an entry, or a token of it, and belongs to every query. */
  cursor?: 'key';
}

export interface FilterStyle {
  grammar: 'odata-and' | 'odata' | 'json' | 'parameters' | 'wildcard';
  fields: Record<string, string[]>;
  /** Parameters that are bounds of a field: name → field and operator. */
  ranges?: Record<string, [field: string, operator: string]>;
}

export interface AsyncStyle {
  poll: string;
  state: string;
  terminal: string[];
  /** Property of the started or polled object → what it tells, where the names are not the usual ones. */
  values?: Record<string, string>;
  /** What the task puts out, where one poll operation serves tasks of every kind. */
  result?: Schema;
}

export interface Operation extends OperationSemantics {
  platform: string;
  document: OpenApiDocument;
  documentId: string;
  id: string;
  method: string;
  template: string;
  kind: Kind;
  capability: Capability;
  isPoll: boolean;
  resource: string | null;
  resourceKey: string | null;
  /** Names of a key of several parts, none for a plain one. */
  resourceKeys: string[];
  generatedKey: boolean;
  parameters: ParameterObject[];
  /** Names of the path parameters in path order. */
  pathNames: string[];
  body: { required: boolean; content: Record<string, MediaObject> } | null;
  responses: Record<string, ResponseObject>;
  list: ListStyle | null;
  filter: FilterStyle | null;
  sort: string[];
  async: AsyncStyle | null;
  scope: 'shared' | 'local' | 'none';
  derive: Record<string, unknown>;
  /** Fields that the free-text parameter looks at. */
  freeText: string[];
  /** Field whose value stands in the path instead of the key. */
  by: string | null;
  /** Its resource is a small document of another one. */
  isPart: boolean;
  /** PUT on a missing item creates it. */
  upsert: boolean;
  audience: string[];
}

export function operationsOf(platform: string, documentId: string, document: OpenApiDocument): Operation[] {
  const operations: Operation[] = [];
  for (const [template, pathItem] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const source = pathItem[method];
      if (!isObject(source)) continue;
      const declared = parametersOf(document, pathItem, source);
      const undeclared = namesIn(template).find((name) => !declared.has(`path ${name}`));
      if (undeclared !== undefined)
        throw invalidOperation(document, method, template, `a declaration of path parameter "${undeclared}"`);
      operations.push(readOperation({ platform, document, documentId, template, method, source, declared }));
    }
  }
  return operations;
}

function invalidOperation(document: OpenApiDocument, method: string, template: string, expected: string): FakeApiError {
  const at = `${method.toUpperCase()} ${template}`;
  return new FakeApiError('DOCUMENT_INVALID', { document: document.info.title, at, expected, got: 'none' });
}

export interface OperationSource {
  platform: string;
  document: OpenApiDocument;
  documentId: string;
  template: string;
  /** In small letters. */
  method: string;
  source: OperationObject;
  /** By place and name; those of the path are all there. */
  declared: ReadonlyMap<string, ParameterObject>;
}

export function readOperation({
  platform,
  document,
  documentId,
  template,
  method,
  source,
  declared,
}: OperationSource): Operation {
  const responses = byName<ResponseObject>();
  for (const [status, response] of Object.entries(source.responses ?? {})) {
    if (isObject(response)) responses[status] = resolve(document, response as ResponseObject);
  }
  const body = isObject(source.requestBody) ? resolve(document, source.requestBody) : null;
  const extension = <T>(name: string): T | null => (own(source, name) ?? null) as T | null;
  const kind = extension<Kind>('x-svc-kind');
  if (kind === null) throw invalidOperation(document, method, template, 'an x-svc-kind');
  return {
    platform,
    document,
    documentId,
    id: source.operationId ?? `${method} ${template}`,
    method: method.toUpperCase(),
    template,
    kind,
    capability: extension<Capability>('x-svc-capability') ?? inferCapability(method),
    isPoll: source['x-svc-poll'] === true,
    ...resourceFieldsOf(source['x-svc-resource']),
    parameters: [...declared.values()],
    pathNames: namesIn(template),
    body: body === null ? null : { required: body.required === true, content: body.content ?? {} },
    responses,
    list: extension<ListStyle>('x-svc-list'),
    filter: extension<FilterStyle>('x-svc-filter'),
    sort: extension<string[]>('x-svc-sort') ?? [],
    async: extension<AsyncStyle>('x-svc-async'),
    scope: extension<'shared' | 'local' | 'none'>('x-svc-scope') ?? 'none',
    derive: extension<Record<string, unknown>>('x-svc-derive') ?? {},
    freeText: extension<string[]>('x-svc-free-text') ?? [],
    by: extension<string>('x-svc-by'),
    upsert: source['x-svc-upsert'] === true,
    audience: extension<string[]>('x-svc-audience') ?? [],
    ...operationSemanticsOf(source),
  };
}

/** Parameters by place and name: those of the operation replace those of its path. */
function parametersOf(
  document: OpenApiDocument,
  pathItem: Record<string, unknown>,
  source: OperationObject,
): Map<string, ParameterObject> {
  const shared = Array.isArray(pathItem['parameters']) ? (pathItem['parameters'] as ParameterObject[]) : [];
  const parameters = [...shared, ...(source.parameters ?? [])].map((entry) => resolve(document, entry));
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function resourceFieldsOf(
  resource: unknown,
): Pick<Operation, 'resource' | 'resourceKey' | 'resourceKeys' | 'generatedKey' | 'isPart'> {
  const { name, key, generatedKey, part } = isObject(resource) ? resource : {};
  return {
    resource: typeof name === 'string' ? name : null,
    resourceKey: typeof key === 'string' ? key : null,
    generatedKey: generatedKey === true,
    resourceKeys: Array.isArray(key) ? key.map(String) : [],
    isPart: part !== undefined,
  };
}

/** The array property of a list answer: null for a bare array, undefined when the answer holds no array. */
export function listProperty(document: OpenApiDocument, schema: Schema): string | null | undefined {
  const at = resolve(document, schema);
  if (at.type === 'array') return null;
  const arrays = Object.entries(at.properties ?? {}).filter(([, property]) => {
    const target = resolve(document, property);
    return target.type === 'array';
  });
  if (arrays.length === 1) return arrays[0]?.[0];
  return arrays.find(([name]) => ['items', 'results', 'data', 'value', 'entries'].includes(name))?.[0];
}
