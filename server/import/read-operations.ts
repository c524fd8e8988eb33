/** `--read-operation ID`: the operator's word that an operation only reads, bound to the operation as it is now. */
import type { BuiltCatalog } from '../catalog/build.ts';
import { onlyValues } from '../catalog/distinct-requests.ts';
import { operationDigest } from '../catalog/operation-digest.ts';
import { sourceOf } from '../catalog/operation-source.ts';
import { type BuiltTool, operationOf, type Tool } from '../catalog/tool.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { suggest } from '../dispatch/suggest.ts';
import { RouterError } from '../errors.ts';

/**
 * Overrides of the platform file, by `METHOD /path` of the document. An ID is an operationId, a tool name, that `METHOD /path`, or
 * the `METHOD /path?query` that calls are sent to.
 */
export function readOperationOverrides(
  ids: readonly string[],
  platform: string,
  built: BuiltCatalog,
): PlatformDefinition['overrides'] {
  const tools = built.tools.filter(({ tool }) => tool.platform === platform && !tool.local);
  const overrides: PlatformDefinition['overrides'] = {};
  for (const id of ids) {
    const tool = meant(id, tools, built);
    const operation = operationOf(tool);
    if (tool.method === 'DELETE')
      throw refused(id, `${operation}, which is never lowered: a DELETE is destructive`, 'leave this one out');
    if (tool.capability === 'read') continue;
    overrides[operation] = {
      capability: 'read',
      why: `the operator says that it only reads (--read-operation ${id})`,
      operation_digest: digestOf(id, tool, built),
    };
  }
  return overrides;
}

function meant(id: string, tools: readonly BuiltTool[], built: BuiltCatalog): Tool {
  const wanted = id.trim().replace(/^([a-z]+)\s+/i, (_, method: string) => `${method.toUpperCase()} `);
  const found = tools.filter((one) => namesOf(one.tool).includes(wanted) || isSentTo(one, wanted));
  const [first] = found;
  const operations = [...new Set(found.map(({ tool }) => operationOf(tool)))];
  if (first !== undefined && operations.length === 1) return first.tool;
  if (first !== undefined)
    throw refused(id, `${found.length} operations: ${operations.join(', ')}`, 'name one by its METHOD /path');
  const aside = built.quarantined.find(({ operation }) => operation === wanted);
  if (aside)
    throw refused(id, `an operation that is set aside: ${aside.reason}`, 'correct the document, or leave it out');
  const names = tools.flatMap(({ tool }) => namesOf(tool));
  const near = suggest(wanted, names, () => true);
  throw refused(
    id,
    'nothing in the documents',
    near.length > 0 ? `nearest: ${near.join(', ')}` : 'look at what add lists',
  );
}

const namesOf = (tool: Tool): string[] => [
  tool.name,
  ...(tool.operationId === null ? [] : [tool.operationId]),
  operationOf(tool),
];

/** Whether each call of it has the query of `METHOD /path?query`: names with their only value, or with any (`city={city}`). */
function isSentTo(built: BuiltTool, wanted: string): boolean {
  const { method, path, parameters } = built.tool;
  const [before, query] = wanted.split('?', 2);
  if (query === undefined || before !== `${method} ${path}`) return false;
  return query.split('&').every((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    if (value !== '' && !/^\{.*\}$/.test(value)) return onlyValues(built).get(`query ${name}`) === value;
    return parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);
  });
}

const refused = (id: string, got: string, remedy: string) =>
  new RouterError(
    'USAGE',
    `--read-operation should name one operation by operationId, tool name or METHOD /path; ${JSON.stringify(id.slice(0, 120))} names ${got}`,
    { remedy },
  );

/** An override names no document, so an operation that several documents have cannot be lowered in one of them. */
function digestOf(id: string, tool: Tool, built: BuiltCatalog): string {
  const operation = operationOf(tool);
  const found = built.documents.flatMap(({ document }) => {
    const source = sourceOf(document, operation);
    return source === undefined ? [] : [{ document, source }];
  });
  const [only, ...others] = found;
  if (only === undefined) throw new Error(`${tool.name} should come from a document`);
  if (others.length > 0)
    throw refused(
      id,
      `${operation} of ${found.map(({ document }) => document.id).join(' and of ')}`,
      'add these documents as platforms of their own, or keep the operation in one of them',
    );
  return operationDigest(only.document, only.source);
}
