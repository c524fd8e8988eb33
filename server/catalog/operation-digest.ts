/**
 * One digest for all that a document says of an operation: method, path, the operation with its path's parameters and servers,
 * the security that holds for it, and everything these refer to. An operator's word about an operation is bound to it.
 */
import { createHash } from 'node:crypto';
import { type ApiDocument, isObject, type JsonObject, lookUp } from './platform-document.ts';

export function operationDigest(
  document: ApiDocument,
  { method, path, item, operation }: { method: string; path: string; item: JsonObject; operation: JsonObject },
): string {
  const { content } = document;
  const components = isObject(content['components']) ? content['components'] : {};
  const own = {
    method,
    path,
    operation,
    parameters: item['parameters'],
    servers: item['servers'],
    security: operation['security'] ?? content['security'],
    schemes: components['securitySchemes'],
  };
  const referred = new Map<string, string>();
  const text = sorted(own);
  const open = [...referencesIn(own)];
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    if (referred.has(reference)) continue;
    const value = valueAt(document, reference);
    referred.set(reference, sorted(value));
    open.push(...referencesIn(value));
  }
  const parts = [...referred].sort(([a], [b]) => (a < b ? -1 : 1)).flat();
  return createHash('sha256')
    .update([text, ...parts].join('\0'))
    .digest('base64url');
}

function valueAt(document: ApiDocument, reference: string): unknown {
  try {
    return lookUp(document, reference);
  } catch {
    // Points at nothing, or out of the document: only its text counts.
    return null;
  }
}

function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const entry of value) yield* referencesIn(entry);
  if (!isObject(value)) return;
  if (typeof value['$ref'] === 'string') yield value['$ref'];
  for (const inner of Object.values(value)) yield* referencesIn(inner);
}

/** JSON with the keys of every object in one order. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(value[key])}`).join(',')}}`;
}
