/**
 * All platforms as one OpenAPI document, for servers that take only one: each path begins with its platform, components
 * carry the names of platform and document, and no credential is asked for, because the proxy in front adds it.
 */
import type { Document, Json, Operation, PlatformDocuments } from './served-documents.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']);
const LOCAL = /^#\/components\/([^/]+)\/(.+)$/;

export function mergeDocuments(platforms: PlatformDocuments, serverUrl: string): Document {
  const merged: Document = {
    openapi: '3.1.0',
    info: { title: 'Network platforms', version: '1' },
    servers: [{ url: serverUrl }],
    paths: {},
    components: {},
  };
  const taken = new Set<string>();
  for (const [platform, documents] of platforms) {
    for (const [name, document] of documents) addDocument(merged, document, { platform, name, taken });
  }
  return merged;
}

interface Place {
  platform: string;
  name: string;
  /** operationIds of all documents. */
  taken: Set<string>;
}

function addDocument(merged: Document, document: Document, place: Place): void {
  const prefix = `${place.platform}.${place.name}.`;
  for (const [path, item] of Object.entries(document.paths)) {
    const target = `/${place.platform}${path}`;
    merged.paths[target] = { ...merged.paths[target], ...itemOf(item, prefix, place) };
  }
  for (const [kind, components] of Object.entries(document.components ?? {})) {
    if (kind === 'securitySchemes') continue;
    const all = merged.components?.[kind] ?? {};
    for (const [name, component] of Object.entries(components)) {
      all[`${prefix}${name}`] = withRefs(component, prefix) as Json;
    }
    merged.components = { ...merged.components, [kind]: all };
  }
}

function itemOf(item: Record<string, Operation>, prefix: string, place: Place): Record<string, Operation> {
  const entries = Object.entries(item).map(([method, operation]) => {
    if (!METHODS.has(method)) return [method, withRefs(operation, prefix)];
    const { security: _, ...kept } = withRefs(operation, prefix) as Operation;
    return [method, { ...kept, operationId: freeId(`${place.platform}_${kept.operationId ?? method}`, place.taken) }];
  });
  return Object.fromEntries(entries) as Record<string, Operation>;
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}_${n}`;
  taken.add(id);
  return id;
}

/** References, also those of a discriminator's mapping, lead to the renamed components. */
function withRefs(value: unknown, prefix: string): unknown {
  if (typeof value === 'string')
    return value.replace(LOCAL, (_, kind, name) => `#/components/${kind}/${prefix}${name}`);
  if (Array.isArray(value)) return value.map((inner) => withRefs(inner, prefix));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRefs(inner, prefix)]));
}
