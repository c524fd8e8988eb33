/**
 * Paths with a fragment, such as `/tags/{id}#keys`: documents write two operations of one path so, told apart by a query parameter
 * that they state as well. No request carries a fragment (RFC 9110, 7.1), so the operation is that of the path before it, where no
 * other one has that path and method. Where several do, each stays under its own path, and the catalog decides which of them are tools.
 * One whose fragment is written like a path is left out.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { addressOf } from '../catalog/path-template.ts';
import { isObject, type JsonObject } from '../catalog/platform-document.ts';

/** Changes the document. */
export function cutFragments(content: JsonObject): void {
  const paths = content['paths'] as JsonObject;
  const cut = Object.entries(paths).flatMap(([path, item]) => {
    const before = addressOf(path);
    return before === path || !isObject(item) ? [] : [{ path, before, item }];
  });
  for (const { path, before, item } of cut) {
    const rivals = [
      paths[before],
      ...cut.filter((other) => other.before === before && other.path !== path).map((other) => other.item),
    ];
    const methods = METHODS.filter((method) => isObject(item[method]));
    if (methods.some((method) => rivals.some((rival) => isObject(rival) && method in rival))) continue;
    const shared = Array.isArray(item['parameters']) ? item['parameters'] : [];
    const moved = methods.map((method) => [method, withParameters(item[method] as JsonObject, shared)] as const);
    const known = isObject(paths[before]) ? paths[before] : {};
    delete paths[path];
    paths[before] = { ...known, ...Object.fromEntries(moved) };
  }
}

const withParameters = (operation: JsonObject, shared: readonly unknown[]): JsonObject =>
  shared.length === 0
    ? operation
    : {
        ...operation,
        parameters: [...shared, ...(Array.isArray(operation['parameters']) ? operation['parameters'] : [])],
      };
