/**
 * Paths with a query, such as `/rest?method=echo` and `/weather?city={city}`. OpenAPI has no such paths; what stands there is a query
 * parameter with one value, or one that the operation declares. Each operation gets it as such, behind a fragment of the path before.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, pointerPart, resolveRef } from '../catalog/platform-document.ts';

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
  inlineParts(
    content,
    content,
    places.map(({ path }) => `#/paths/${pointerPart(path)}/`),
  );
  for (const { path, moved, item, query } of places) {
    delete paths[path];
    paths[moved] = withQuery(content, item, query);
  }
}

/** What other operations take from a path that is moved becomes their own: its parameters stand in another order there. */
function inlineParts(content: JsonObject, node: unknown, below: readonly string[]): void {
  for (const entry of Array.isArray(node) ? node : []) inlineParts(content, entry, below);
  if (!isObject(node)) return;
  const { $ref } = node;
  if (typeof $ref === 'string' && below.some((place) => $ref.startsWith(place))) {
    const part = structuredClone(resolveRef({ id: '', file: '', content }, node));
    delete node['$ref'];
    Object.assign(node, part);
  }
  for (const entry of Object.values(node)) inlineParts(content, entry, below);
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
