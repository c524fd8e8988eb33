/**
 * Paths with a fragment, such as `/tags/{id}#keys`. No request carries one (RFC 9110, 7.1), so an operation is served at the path
 * before it. Where another one has that path and method, what they require of a request tells them apart.
 */
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { isObject, own } from '../engine/state/json-value.ts';

export interface ServedTemplate {
  /** At which an operation is served. */
  template: string;
  /** Whether it stands behind a fragment beside others of its path and method. */
  isBeside: boolean;
}

export function servedTemplate({ paths }: OpenApiDocument, written: string, method: string): ServedTemplate {
  const [before = '', fragment] = written.split('#', 2);
  if (fragment === undefined || !/^[\w.&=:+-]*$/.test(fragment) || !before.startsWith('/'))
    return { template: written, isBeside: false };
  const isBeside = Object.entries(paths).some(
    ([other, item]) =>
      other !== written && other.split('#', 1)[0] === before && isObject(item) && own(item, method) !== undefined,
  );
  return { template: before, isBeside };
}
