/**
 * Maps, path items and operations of a document that are references, put into their place. OpenAPI has references to path items and
 * to single components only, but documents are split so, and tools read them so.
 */
import { lookUp } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';

type Fields = Record<string, unknown>;

const MOST_HOPS = 8;
const TOP = ['paths', 'components', 'definitions', 'parameters', 'responses', 'securityDefinitions'];

/** Changes the document, whose references all lead to places in it. */
export function inlineMaps(root: Fields): void {
  inlineIn(root, root, TOP);
  const { components, paths } = root;
  if (isObject(components)) inlineIn(root, components, Object.keys(components));
  if (!isObject(paths)) return;
  inlineIn(root, paths, Object.keys(paths));
  for (const item of Object.values(paths)) if (isObject(item)) inlineIn(root, item, Object.keys(item));
}

/** What stands beside a reference wins over what the reference brings. */
function inlineIn(root: Fields, holder: Fields, names: readonly string[]): void {
  for (const name of names) {
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      const value = holder[name];
      if (!isObject(value) || typeof value['$ref'] !== 'string') break;
      const { $ref, ...beside } = value;
      const target = lookUp(root, $ref);
      if (!isObject(target) || target === root) break;
      holder[name] = { ...structuredClone(target), ...beside };
    }
  }
}
