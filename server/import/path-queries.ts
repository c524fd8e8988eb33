/**
 * Paths with a query, such as `/rest?method=echo` and `/weather?city={city}`. OpenAPI has no such paths; what stands there is a query
 * parameter with one value, or one that the operation declares. Each operation gets it as such, behind a fragment of the path before.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, pointerSteps, resolveRef } from '../catalog/platform-document.ts';
import { documentNodes } from './document-nodes.ts';

/** Changes the document. */
export function moveQueries(content: JsonObject): void {
  const paths = content['paths'] as Record<string, unknown>;
  const places = Object.entries(paths).flatMap(([path, item]) => {
    const [before = '', query = ''] = path.split('?', 2);
    const fragment = query.replace(/[{}]/g, '');
    const moved = `${before}#${fragment}`;
    // One that is written like a path is no query.
    const isQuery = /^[\w.&=:+{}-]+$/.test(query) && before.startsWith('/') && fragment !== '';
    return isQuery && isObject(item) && !Object.hasOwn(paths, moved) ? [{ path, moved, item, query }] : [];
  });
  if (places.length === 0) return;
  const moving = new Set(places.map(({ path }) => path));
  inlineParts(content, ([root, path = '', ...below]) => root === 'paths' && moving.has(path) && below.length > 0);
  for (const { path, moved, item, query } of places) {
    delete paths[path];
    paths[moved] = withQuery(content, item, query);
  }
}

/** Of references that lead from one such part to the next. */
const MOST_HOPS = 8;

/** What others take from a part that will be moved becomes their own. `isMoved` is asked about the steps of a reference to the part. */
export function inlineParts(content: JsonObject, isMoved: (steps: readonly string[]) => boolean): void {
  const document = { id: '', file: '', content };
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const taking = [...documentNodes(content)].flatMap(({ node }) => {
      const { $ref } = node;
      return typeof $ref === 'string' && isMoved(pointerSteps($ref) ?? []) ? [node] : [];
    });
    if (taking.length === 0) return;
    const parts = taking.map((node) => structuredClone(resolveRef(document, node)));
    for (const [at, node] of taking.entries()) {
      delete node['$ref'];
      Object.assign(node, parts[at]);
    }
  }
}

/** Every operation with the parameters that the query of its path states; those that it declares itself are moved there. */
function withQuery(content: JsonObject, item: JsonObject, query: string): JsonObject {
  const pairs = query.split('&').map((pair) => pair.split('=', 2) as [string, string?]);
  const shared = listOf(item['parameters']);
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    if (!isObject(operation)) return [];
    const declared = [...shared, ...listOf(operation['parameters'])].map((parameter) =>
      resolveRef({ id: '', file: '', content }, parameter),
    );
    const parameters = pairs.reduce(withPair, declared);
    return [[method, { ...operation, parameters }] as const];
  });
  return { ...item, parameters: [], ...Object.fromEntries(operations) };
}

function withPair(parameters: readonly JsonObject[], [name, value = '']: [string, string?]): JsonObject[] {
  const placeholder = /^\{([^{}]+)\}$/.exec(value)?.[1];
  const stated = placeholder ?? name;
  const known = parameters.find(
    (parameter) => parameter['name'] === stated && /^(path|query)$/.test(String(parameter['in'])),
  );
  const others = parameters.filter((parameter) => parameter !== known);
  if (placeholder === undefined && value !== '')
    return [...others, { ...known, name, in: 'query', required: true, schema: { type: 'string', enum: [value] } }];
  const required = known === undefined || known['in'] === 'path' || known['required'] === true;
  return [...others, { schema: { type: 'string' }, ...known, name, in: 'query', required }];
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
