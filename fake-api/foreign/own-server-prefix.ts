/**
 * Operations with a server of their own (`servers` of an operation or path item, OpenAPI 3). One below the server of the document is
 * served below it: the base URL of the fake stands for the server of the document.
 */
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';

/** What stands between the document's server and that of an operation; empty where it has none, or one elsewhere. */
export function ownServerPrefix(
  document: OpenApiDocument,
  item: Readonly<Record<string, unknown>>,
  operation: Readonly<Record<string, unknown>>,
): string {
  const own = firstUrl(operation['servers'] ?? item['servers']);
  const base = firstUrl(document['servers']);
  if (own === null || base === null) return '';
  const whole = own.startsWith('/') && URL.canParse(base) ? new URL(base).origin + own : own;
  const prefix = whole.startsWith(base) ? whole.slice(base.length) : '';
  return prefix.startsWith('/') && !/[{?#]|\/\/|\/\.{1,2}(\/|$)/.test(prefix) ? prefix : '';
}

/** URL of the first server with its variables at their defaults, without a last slash. */
function firstUrl(servers: unknown): string | null {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isObject(first)) return null;
  const variables = isObject(first['variables']) ? first['variables'] : {};
  const url = String(first['url'] ?? '').replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) ? String(variable['default'] ?? whole) : whole;
  });
  return url.replace(/\/$/, '');
}
