/**
 * Path parameters that a document states only in the path, or under another name there. OpenAPI wants one parameter for each `{name}`;
 * documents forget some. What stands in a path is a text, and a caller has to give it. One without a place in the path would be asked for in vain.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { addressOf, parameterNames } from '../catalog/path-template.ts';
import { type ApiDocument, isObject, type JsonObject, pointerPart, resolveRef } from '../catalog/platform-document.ts';
import type { Finding } from './import-finding.ts';
import { inlineParts } from './path-queries.ts';

/** Changes the document: each operation has a parameter for each name of its path, and no others in it. */
export function statePathParameters(content: JsonObject, document: string, findings: Finding[]): void {
  const within = { id: document, file: document, content };
  const paths = content['paths'] as JsonObject;
  const completed = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(paths)) {
    const changed = isObject(item) ? completeItem(within, path, item, findings) : undefined;
    if (changed !== undefined) completed.set(path, changed);
  }
  if (completed.size > 0) inlineParts(content, (steps) => isOfParameters(steps, completed));
  for (const [path, item] of completed) paths[path] = item;
}

/** Another item, because an anchor of YAML makes one object the item of several paths; undefined where its operations have the names of the path. */
function completeItem(
  within: ApiDocument,
  path: string,
  item: JsonObject,
  findings: Finding[],
): JsonObject | undefined {
  const names = parameterNames(addressOf(path));
  const shared = listOf(item['parameters']);
  const operations: JsonObject = {};
  for (const method of METHODS) {
    const operation = item[method];
    const completed = isObject(operation) ? complete(within, names, shared, operation) : undefined;
    if (completed === undefined) continue;
    operations[method] = completed.operation;
    const pointer = `/paths/${pointerPart(path)}/${method}`;
    findings.push(...completed.said.map((message) => ({ document: within.id, pointer, message, remedy: REMEDY })));
  }
  if (Object.keys(operations).length === 0) return undefined;
  const parameters = shared.filter((parameter) => !isMisnamed(resolveRef(within, parameter), names));
  return { ...item, ...operations, parameters };
}

/** Undefined for an operation that has them all, and no others. */
function complete(within: ApiDocument, names: readonly string[], shared: readonly unknown[], operation: JsonObject) {
  const own = listOf(operation['parameters']);
  const inPath = [...shared, ...own].map((stated) => resolveRef(within, stated)).filter(isInPath);
  const lacking = names.filter((name) => !inPath.some((parameter) => parameter['name'] === name));
  const misnamed = inPath.filter((parameter) => isMisnamed(parameter, names));
  if (lacking.length === 0 && misnamed.length === 0) return undefined;
  const only = lacking.length === 1 && misnamed.length === 1 ? misnamed[0] : undefined;
  const kept = own.filter((parameter) => !isMisnamed(resolveRef(within, parameter), names));
  const added = lacking.map((name) => ({ ...(only ?? TEXT), name, in: 'path', required: true }));
  const nameOf = (parameter: JsonObject) => JSON.stringify(parameter['name']);
  const taken = only === undefined ? 'a text' : `the parameter ${nameOf(only)}, which has no place there`;
  const said = [
    ...lacking.map((name) => `\`{${name}}\` in the path has no parameter: taken as ${taken}`),
    ...misnamed
      .filter((parameter) => parameter !== only)
      .map((parameter) => `the parameter ${nameOf(parameter)} has no place in the path: left out`),
  ];
  return { operation: { ...operation, parameters: [...kept, ...added] }, said };
}

/** The lists of a path that is completed have other parameters at other places. */
const isOfParameters = (
  [root, path = '', ...below]: readonly string[],
  completed: ReadonlyMap<string, unknown>,
): boolean => root === 'paths' && completed.has(path) && below.slice(0, 2).includes('parameters');

const isInPath = (parameter: JsonObject): boolean => parameter['in'] === 'path';
const isMisnamed = (parameter: JsonObject, names: readonly string[]): boolean =>
  isInPath(parameter) && !names.includes(String(parameter['name']));

const REMEDY = 'declare it in the document under the name in the path';
const TEXT: JsonObject = { schema: { type: 'string' } };

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
