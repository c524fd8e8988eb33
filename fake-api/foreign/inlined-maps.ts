/**
 * Maps, path items and operations of a document that are references, put into their place. OpenAPI has references to path items and
 * to single components only, but documents are split so, and tools read them so. Of Swagger 2.0 also the parameters and responses of other
 * files, which its conversion has to see.
 */
import { lookUp } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import { FILES } from './foreign-references.ts';

type Fields = Record<string, unknown>;

const MOST_HOPS = 8;
/** As in the router: a document that grows beyond this by its references is an attack on its reader. */
const MOST_INLINED = 64 * 1024 * 1024;
const TOP = ['paths', 'components', 'definitions', 'parameters', 'responses', 'securityDefinitions'];

/** Changes the document, whose references all lead to places in it. */
export function inlineMaps(root: Fields): void {
  const into = { root, left: MOST_INLINED };
  inlineIn(into, root, TOP);
  const { components, paths } = root;
  if (isObject(components)) inlineIn(into, components, Object.keys(components));
  if (!isObject(paths)) return;
  inlineIn(into, paths, Object.keys(paths));
  const items = Object.values(paths).filter(isObject);
  for (const item of items) inlineIn(into, item, Object.keys(item));
  if (!('swagger' in root)) return;
  const operations = items.flatMap((item) => Object.values(item)).filter(isObject);
  for (const { parameters, responses } of [root, ...items, ...operations])
    for (const holder of [parameters, responses]) inlineIn(into, holder as Fields, ofFiles(holder));
}

/** Names or positions of what stands in another file. */
const ofFiles = (holder: unknown): string[] =>
  Object.entries(holder ?? {}).flatMap(([name, one]) =>
    isObject(one) && String(one['$ref']).startsWith(`#/${FILES}/`) ? [name] : [],
  );

/** What stands beside a reference wins over what the reference brings. */
function inlineIn(into: { root: Fields; left: number }, holder: Fields, names: readonly string[]): void {
  for (const name of names) {
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      const value = holder[name];
      if (!isObject(value) || typeof value['$ref'] !== 'string') break;
      const { $ref, ...beside } = value;
      const target = lookUp(into.root, $ref);
      if (!isObject(target) || target === into.root) break;
      const text = JSON.stringify(target);
      into.left -= text.length;
      if (into.left < 0) throw new Error('one that its references make larger than 64 MiB');
      holder[name] = { ...(JSON.parse(text) as Fields), ...beside };
    }
  }
}
