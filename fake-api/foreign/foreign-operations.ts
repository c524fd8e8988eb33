/** Operations of a foreign document, with what it left out or said twice put right and reported. */

import {
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  resolve,
} from '../engine/openapi/openapi-document.ts';
import type { Capability } from '../engine/openapi/operation-capability.ts';
import { METHODS, type Operation } from '../engine/openapi/served-operation.ts';
import { namesIn } from '../engine/openapi/stored-resource.ts';
import { isObject } from '../engine/state/json-value.ts';
import { PLAIN_SEMANTICS } from '../engine/state/operation-semantics.ts';
import type { Warnings } from './document-warning.ts';

export interface ForeignOperation extends Operation {
  /** Names of credentials of which one set is needed; empty when none is. */
  security: Record<string, unknown>[];
}

export function foreignOperations(platform: string, document: OpenApiDocument, warnings: Warnings): ForeignOperation[] {
  const operations: ForeignOperation[] = [];
  const ids = new Map<string, string>();
  for (const [template, entry] of Object.entries(document.paths)) {
    if (!template.startsWith('/') || !isObject(entry)) {
      warnings.add(
        ['paths', template],
        'a path should begin with "/" and hold operations, it is not served',
        'correct the path in the document',
      );
      continue;
    }
    const item = resolve(document, entry) as Record<string, unknown>;
    const shared = listOf(item['parameters']);
    for (const method of METHODS) {
      const source = item[method];
      if (!isObject(source)) continue;
      const path = ['paths', template, method];
      const id = ownId(source, method, template, ids, path, warnings);
      operations.push(
        readOperation(platform, document, template, method, id, source as OperationObject, shared, path, warnings),
      );
    }
  }
  return operations;
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

function readOperation(
  platform: string,
  document: OpenApiDocument,
  template: string,
  method: string,
  id: string,
  source: OperationObject,
  shared: ParameterObject[],
  path: string[],
  warnings: Warnings,
): ForeignOperation {
  const pathNames = namesIn(template);
  const parameters = readParameters(document, [...shared, ...listOf(source.parameters)], pathNames, path, warnings);
  const responses: Record<string, ResponseObject> = {};
  for (const [status, response] of Object.entries(source.responses ?? {})) {
    if (isObject(response)) responses[status] = resolve(document, response as ResponseObject);
  }
  const body = isObject(source.requestBody) ? resolve(document, source.requestBody) : null;
  const security = source['security'] ?? document['security'];
  return {
    platform,
    document,
    documentId: platform,
    id,
    method: method.toUpperCase(),
    template,
    kind: 'action',
    capability: capabilityOf(method, template),
    isPoll: false,
    resource: null,
    resourceKey: null,
    resourceKeys: [],
    generatedKey: false,
    parameters,
    pathNames,
    body: body === null ? null : { required: body.required === true, content: body.content ?? {} },
    responses,
    list: null,
    filter: null,
    sort: [],
    async: null,
    scope: 'none',
    derive: {},
    freeText: [],
    by: null,
    isPart: false,
    upsert: false,
    audience: [],
    ...PLAIN_SEMANTICS,
    security: Array.isArray(security) ? security.filter(isObject) : [],
  };
}

/** Parameters by place and name, the later one counts; those of the path are all there. */
function readParameters(
  document: OpenApiDocument,
  declared: readonly ParameterObject[],
  pathNames: readonly string[],
  path: string[],
  warnings: Warnings,
): ParameterObject[] {
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
  return [...parameters.values()];
}

const READS = new Set(['search', 'query', 'list', 'count', 'lookup', 'export', 'diff', 'preview', 'render']);
const DIAGNOSES = new Set(['validate', 'test', 'ping', 'trace', 'show', 'simulate']);

/** By method, and for POST by the first word of the last literal segment. */
function capabilityOf(method: string, template: string): Capability {
  if (method === 'get') return 'read';
  if (method === 'delete') return 'destructive';
  if (method !== 'post') return 'write';
  const last = template.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const word = (last.split(/[^A-Za-z]|(?<=[a-z])(?=[A-Z])/)[0] ?? '').toLowerCase();
  if (READS.has(word)) return 'read';
  return DIAGNOSES.has(word) ? 'diagnostic' : 'write';
}
