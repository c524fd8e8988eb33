/**
 * Paths with a query, such as `/rest?method=echo` and `/weather?city={city}`. OpenAPI has no such paths; what stands there is a query
 * parameter with one value, or one that the operation declares. Each operation gets it as such, behind a fragment of the path before.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, resolveRef } from '../catalog/platform-document.ts';

/** Changes the document. */
export function moveQueries(content: JsonObject): void {
  const paths = content['paths'] as Record<string, unknown>;
  for (const [path, item] of Object.entries(paths)) {
    const [before = '', query = ''] = path.split('?', 2);
    if (query === '' || path.includes('#') || !before.startsWith('/') || !isObject(item)) continue;
    const fragment = query.replace(/[^\w.&=:+-]/g, '');
    const moved = `${before}#${fragment}`;
    if (fragment === '' || Object.hasOwn(paths, moved)) continue;
    delete paths[path];
    paths[moved] = withQuery(content, item, query);
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
