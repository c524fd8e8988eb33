/** Operations of a foreign document, with what it left out or said twice put right and reported. */
import {
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  resolve,
} from '../engine/openapi/openapi-document.ts';
import type { Capability } from '../engine/openapi/operation-capability.ts';
import { namesIn } from '../engine/openapi/route-template.ts';
import { type Operation, readOperation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { Warnings } from './document-warning.ts';
import { ownServerPrefix } from './own-server-prefix.ts';
import { servedTemplate } from './path-fragments.ts';

export interface ForeignOperations {
  operations: Operation[];
  /** Sets of security schemes of which a call needs one; none where it needs no credential. */
  security: Map<Operation, Record<string, unknown>[]>;
  /** Operations that stand behind a fragment beside others of their path and method. */
  beside: Set<Operation>;
}

export function foreignOperations(platform: string, document: OpenApiDocument, warnings: Warnings): ForeignOperations {
  const found: ForeignOperations = { operations: [], security: new Map(), beside: new Set() };
  const ids = new Map<string, string>();
  for (const [written, entry] of Object.entries(document.paths)) {
    if (!written.startsWith('/') || !isObject(entry)) {
      warnings.add(
        ['paths', written],
        'a path should begin with "/" and hold operations, it is not served',
        'correct the path in the document',
      );
      continue;
    }
    const item = resolve(document, entry) as Record<string, unknown>;
    for (const [method, stated] of statedOperations(item)) {
      const path = ['paths', written, method];
      const at = servedTemplate(document, written, method);
      const template = ownServerPrefix(document, item, stated) + at.template;
      const source: OperationObject = {
        ...withoutExtensions(stated),
        operationId: ownId(stated, method, template, ids, path, warnings),
        'x-svc-kind': 'action',
        'x-svc-capability': capabilityOf(method, template),
      };
      const parameters = [...listOf(item['parameters']), ...listOf(stated['parameters'])];
      const declared = readParameters(document, parameters, namesIn(template), path, warnings);
      const operation = readOperation({ platform, document, documentId: platform, template, method, source, declared });
      found.operations.push(operation);
      if (at.isBeside) found.beside.add(operation);
      const security = stated['security'] ?? document['security'];
      found.security.set(operation, Array.isArray(security) ? security.filter(isObject) : []);
    }
  }
  return found;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'];

/** By method in small letters. OpenAPI 3.2 has further methods by name. */
function statedOperations(item: Record<string, unknown>): [string, Record<string, unknown>][] {
  const further = isObject(item['additionalOperations']) ? Object.entries(item['additionalOperations']) : [];
  return [...METHODS.map((method) => [method, item[method]] as const), ...further].flatMap(([method, stated]) =>
    isObject(stated) ? [[method.toLowerCase(), stated] as [string, Record<string, unknown>]] : [],
  );
}

/** The extensions state conventions of the shipped documents, which a foreign document does not follow. */
function withoutExtensions(source: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !name.startsWith('x-svc-')));
}

function listOf(value: unknown): ParameterObject[] {
  return Array.isArray(value) ? (value.filter(isObject) as unknown as ParameterObject[]) : [];
}

function ownId(
  source: Record<string, unknown>,
  method: string,
  template: string,
  ids: Map<string, string>,
  path: string[],
  warnings: Warnings,
): string {
  const stated =
    typeof source['operationId'] === 'string' && source['operationId'] !== '' ? source['operationId'] : null;
  let id = stated ?? `${method} ${template}`;
  const twin = ids.get(id);
  if (twin !== undefined) {
    warnings.add(
      [...path, 'operationId'],
      `"${id}" is also the operationId of ${twin}`,
      'give each operation an operationId of its own',
    );
    id = `${method} ${template}`;
  }
  ids.set(id, `${method.toUpperCase()} ${template}`);
  return id;
}

/** Parameters by place and name, the later one counts; those of the path are all there. */
function readParameters(
  document: OpenApiDocument,
  declared: readonly ParameterObject[],
  pathNames: readonly string[],
  path: string[],
  warnings: Warnings,
): Map<string, ParameterObject> {
  const parameters = new Map<string, ParameterObject>();
  for (const entry of declared) {
    const parameter = resolve(document, entry);
    if (typeof parameter.name === 'string' && typeof parameter.in === 'string')
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    else
      warnings.add(
        [...path, 'parameters'],
        'a parameter should have a name and a place, it is ignored',
        'correct the parameter in the document',
      );
  }
  for (const name of pathNames) {
    if (parameters.has(`path ${name}`)) continue;
    parameters.set(`path ${name}`, { name, in: 'path', required: true, schema: { type: 'string' } });
    warnings.add(
      [...path, 'parameters'],
      `path parameter "${name}" is not declared, any text is accepted`,
      'declare the parameter',
    );
  }
  return parameters;
}

const READS = new Set(['search', 'query', 'list', 'count', 'lookup', 'export', 'diff', 'preview', 'render']);
const DIAGNOSES = new Set(['validate', 'test', 'ping', 'trace', 'show', 'simulate']);

/** By method, and for POST by the first word of the last literal segment. */
function capabilityOf(method: string, template: string): Capability {
  if (['get', 'head', 'options', 'trace', 'query'].includes(method)) return 'read';
  if (method === 'delete') return 'destructive';
  if (method !== 'post') return 'write';
  const last = template.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const word = (last.split(/[^A-Za-z]|(?<=[a-z])(?=[A-Z])/)[0] ?? '').toLowerCase();
  if (READS.has(word)) return 'read';
  return DIAGNOSES.has(word) ? 'diagnostic' : 'write';
}
