/**
 * Paths with a fragment, such as `/tags/{id}#keys`. No request carries one (RFC 9110, 7.1), so an operation is served at the path
 * before it, where no other one has that path and method.
 */
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { isObject, own } from '../engine/state/json-value.ts';

/** The template at which an operation is served. */
export function servedTemplate({ paths }: OpenApiDocument, template: string, method: string): string {
  const [before = '', fragment] = template.split('#', 2);
  if (fragment === undefined || !/^[\w.&=:+-]*$/.test(fragment)) return template;
  const rivals = Object.entries(paths).filter(
    ([other, item]) =>
      other !== template && other.split('#', 1)[0] === before && isObject(item) && own(item, method) !== undefined,
  );
  return rivals.length === 0 && before.startsWith('/') ? before : template;
}
