/**
 * Operations with a server of their own (`servers` of an operation or path item, OpenAPI 3). One below the server of the
 * document keeps the difference in its path. One elsewhere is set aside by the catalog, or, where the operator asks for
 * exactly that server, is all that is taken.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { pathProblem } from '../catalog/path-template.ts';
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import { serverUrl } from '../catalog/request-parts.ts';
import { RouterError } from '../errors.ts';
import { serverOf } from './common-server.ts';

/** Keys of a path item that belong to one operation each. */
const OPERATIONS = new Set<string>([...METHODS, 'trace', 'query']);

/** Changes the document. */
export function followOwnServers(content: JsonObject): void {
  const base = serverOf(content);
  const items = new Map(Object.entries(pathsOf(content)));
  for (const item of items.values()) if (isObject(item)) stateOwnServers(item, base);
  const made = new Map<string, JsonObject>();
  const below = [...items].flatMap(([path, item]) =>
    operationsOf(item, base).flatMap(({ method, operation, own }) => {
      const prefix = own === undefined ? undefined : prefixOf(whole(own, base), base);
      return prefix === undefined ? [] : [{ path, item: item as JsonObject, method, operation, prefix }];
    }),
  );
  for (const { path, item, method, operation, prefix } of below) {
    const moved = prefix + path;
    if (items.has(moved) || made.get(moved)?.[method] !== undefined) continue;
    made.set(moved, { ...sharedOf(item), ...made.get(moved), [method]: withoutServers(operation) });
    delete item[method];
  }
  if (made.size > 0) content['paths'] = Object.fromEntries([...items, ...made]);
}

/** Keeps the operations of one server and makes it that of the document. Throws DOCUMENT_INVALID where there are none. */
export function onlyServer(content: JsonObject, server: string, name: string): void {
  const base = serverOf(content);
  let wanted = server;
  while (wanted.endsWith('/')) wanted = wanted.slice(0, -1);
  const seen = new Set<string>();
  const kept = Object.entries(pathsOf(content)).flatMap(([path, item]) => {
    const found = operationsOf(item, base, wanted).filter(({ own }) => {
      const url = own === undefined ? base : whole(own, base);
      seen.add(url);
      return url === wanted;
    });
    const own = found.map(({ method, operation }) => [method, withoutServers(operation)] as const);
    return own.length === 0 ? [] : [[path, { ...sharedOf(item), ...Object.fromEntries(own) }] as const];
  });
  if (kept.length === 0)
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${name}: --server should be a server of its operations (${[...seen].slice(0, 5).join(', ')}), got ${JSON.stringify(server)}`,
    );
  content['paths'] = Object.fromEntries(kept);
  content['servers'] = [{ url: wanted }];
}

const pathsOf = ({ paths }: JsonObject): JsonObject => (isObject(paths) ? paths : {});

interface OwnOperation {
  method: string;
  operation: JsonObject;
  /** URL of its own server; undefined for that of the document. */
  own: string | undefined;
}

/** Of the servers of an operation, which are alternatives, the one that is meant, else the first. */
function operationsOf(item: unknown, base: string, meant = base): OwnOperation[] {
  if (!isObject(item)) return [];
  const urlOf = (servers: unknown): string | undefined => {
    const urls = Array.isArray(servers) ? servers.map(serverUrl) : [];
    return urls.find((url) => whole(url, base) === meant) ?? urls[0];
  };
  return Object.entries(item).flatMap(([method, operation]) =>
    OPERATIONS.has(method) && isObject(operation)
      ? [{ method, operation, own: urlOf(operation['servers'] ?? item['servers']) }]
      : [],
  );
}

/** Servers of a path become those of its operations. That of the document is none of their own: it may become another one. */
function stateOwnServers(item: JsonObject, base: string): void {
  for (const { method, operation, own } of operationsOf(item, base)) {
    const isElsewhere = own !== undefined && whole(own, base) !== base;
    item[method] = isElsewhere
      ? { ...operation, servers: operation['servers'] ?? item['servers'] }
      : withoutServers(operation);
  }
  delete item['servers'];
}

/** What all operations of a path have in common, without its servers. */
const sharedOf = (item: unknown): JsonObject =>
  isObject(item)
    ? Object.fromEntries(Object.entries(item).filter(([key]) => !OPERATIONS.has(key) && key !== 'servers'))
    : {};

const withoutServers = ({ servers: _, ...operation }: JsonObject): JsonObject => operation;

/** A server that is only a path is on the origin of the document's server. */
function whole(own: string, base: string): string {
  const isPath = own.startsWith('/') && !own.startsWith('//');
  return isPath && URL.canParse(base) ? new URL(base).origin + own : own;
}

/** What stands between the document's server and this one; undefined where this one is elsewhere. */
function prefixOf(own: string, base: string): string | undefined {
  const prefix = own.startsWith(base) ? own.slice(base.length) : '';
  const below = prefix.startsWith('/') && !prefix.startsWith('//') && !prefix.includes('{');
  return below && pathProblem(prefix) === undefined ? prefix : undefined;
}
