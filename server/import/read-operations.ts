/** `--read-operation ID`: the operator's word that an operation only reads, bound to the operation as it is now. */
import type { BuiltCatalog } from '../catalog/build.ts';
import { operationDigest } from '../catalog/operation-digest.ts';
import { isObject, type JsonObject, resolveRef } from '../catalog/platform-document.ts';
import type { Tool } from '../catalog/tool.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { suggest } from '../dispatch/suggest.ts';
import { RouterError } from '../errors.ts';

const keyOf = ({ method, path }: Pick<Tool, 'method' | 'path'>) => `${method} ${path}`;

/** Overrides of the platform file, by `METHOD /path`. An ID is an operationId, a tool name or `METHOD /path`. */
export function readOperationOverrides(
  ids: readonly string[],
  platform: string,
  built: BuiltCatalog,
): PlatformDefinition['overrides'] {
  const tools = built.tools.map(({ tool }) => tool).filter((tool) => tool.platform === platform && !tool.local);
  const overrides: PlatformDefinition['overrides'] = {};
  for (const id of ids) {
    const tool = meant(id, tools, built);
    if (tool.method === 'DELETE')
      throw refused(id, `${keyOf(tool)}, which is never lowered: a DELETE is destructive`, 'leave this one out');
    if (tool.capability === 'read') continue;
    overrides[keyOf(tool)] = {
      capability: 'read',
      why: `the operator says that it only reads (--read-operation ${id})`,
      operation_digest: digestOf(tool, built),
    };
  }
  return overrides;
}

function meant(id: string, tools: readonly Tool[], built: BuiltCatalog): Tool {
  const wanted = id.trim().replace(/^([a-z]+)\s+/i, (_, method: string) => `${method.toUpperCase()} `);
  const found = tools.filter((tool) => [tool.name, tool.operationId, keyOf(tool)].includes(wanted));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw refused(id, `${found.length} operations: ${found.map(keyOf).join(', ')}`, 'name one by its METHOD /path');
  const aside = built.quarantined.find(({ operation }) => operation === wanted);
  if (aside)
    throw refused(id, `an operation that is set aside: ${aside.reason}`, 'correct the document, or leave it out');
  const names = tools.flatMap((tool) => [tool.name, ...(tool.operationId ? [tool.operationId] : []), keyOf(tool)]);
  const near = suggest(wanted, names, () => true);
  throw refused(
    id,
    'nothing in the documents',
    near.length > 0 ? `nearest: ${near.join(', ')}` : 'look at what add lists',
  );
}

const refused = (id: string, got: string, remedy: string) =>
  new RouterError(
    'USAGE',
    `--read-operation should name one operation by operationId, tool name or METHOD /path; ${JSON.stringify(id.slice(0, 120))} names ${got}`,
    { remedy },
  );

function digestOf(tool: Tool, built: BuiltCatalog): string {
  const document = built.documents.find(({ document: { id } }) => id === tool.document)?.document;
  const paths = document?.content['paths'];
  if (document === undefined || !isObject(paths)) throw new Error(`${tool.name} should come from a document`);
  const item = resolveRef(document, paths[tool.path]);
  const operation = item[tool.method.toLowerCase()] as JsonObject;
  return operationDigest(document, { method: tool.method, path: tool.path, item, operation });
}
