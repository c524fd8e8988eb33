/** An operation as it stands in its document, with the operator's override of it. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { addressOf } from './path-template.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';

/** Methods whose operations become tools. */
export const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

export interface OperationSource {
  method: string;
  /** As the document has it; it may end in a fragment. */
  path: string;
  /** What requests are sent to. */
  address: string;
  item: JsonObject;
  operation: JsonObject;
  override: PlatformDefinition['overrides'][string] | undefined;
}

/** Every operation of a document, with the operator's override of it. */
export function* sourcesOf(
  platform: Pick<PlatformDefinition, 'overrides'>,
  document: ApiDocument,
): Generator<OperationSource> {
  for (const [path, rawItem] of Object.entries(document.content['paths'] as JsonObject)) {
    const item = resolveRef(document, rawItem);
    for (const lower of METHODS) {
      const operation = item[lower];
      if (!isObject(operation)) continue;
      const method = lower.toUpperCase();
      const key = `${method} ${path}`;
      const override = Object.hasOwn(platform.overrides, key) ? platform.overrides[key] : undefined;
      yield { method, path, address: addressOf(path), item, operation, override };
    }
  }
}

/** The operation of this `METHOD /path`; undefined where the document has none. */
export function sourceOf(document: ApiDocument, operation: string): OperationSource | undefined {
  for (const source of sourcesOf({ overrides: {} }, document))
    if (`${source.method} ${source.path}` === operation) return source;
  return undefined;
}

export interface UnsupportedOperation {
  method: string;
  path: string;
  reason: string;
}

/** Operations of methods that become no tool. TRACE echoes credentials, and fetch refuses it (Fetch standard, 2.2.1). */
export function* unsupportedIn(document: ApiDocument): Generator<UnsupportedOperation> {
  for (const [path, rawItem] of Object.entries(document.content['paths'] as JsonObject)) {
    if (path.startsWith('x-')) continue;
    const item = resolveRef(document, rawItem);
    const more = isObject(item['additionalOperations']) ? item['additionalOperations'] : {};
    if (isObject(item['trace']))
      yield { method: 'TRACE', path, reason: 'TRACE is not sent: it would echo credentials' };
    for (const name of [...(isObject(item['query']) ? ['QUERY'] : []), ...Object.keys(more)])
      yield {
        method: name.slice(0, 40),
        path,
        reason: `the method ${JSON.stringify(name.slice(0, 40))} of OpenAPI 3.2 is not sent by this router`,
      };
  }
}
