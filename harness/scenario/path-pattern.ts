/** Matching of ledger entries against what scenarios say: `METHOD /template`, and `METHOD|* /path` with `*` and `**`. */
import type { LedgerEntry } from '#fake-api/ledger';

/** True when the entry is a call of that operation. A concrete path names that very object. */
export function isCallOf(entry: Pick<LedgerEntry, 'method' | 'path' | 'template'>, call: string): boolean {
  const [method, path] = splitCall(call);
  return (
    entry.method === method &&
    (entry.template === path || samePath(entry.path, path) || shapeOf(entry.template) === shapeOf(path))
  );
}

/** True when the entry is that method on that very path. */
export function isExactly(entry: Pick<LedgerEntry, 'method' | 'path'>, call: string): boolean {
  const [method, path] = splitCall(call);
  return entry.method === method && samePath(entry.path, path);
}

/** True when a forbidden pattern covers the entry. */
export function isForbiddenBy(entry: Pick<LedgerEntry, 'method' | 'path'>, pattern: string): boolean {
  const [method, path] = splitCall(pattern);
  if (method !== '*' && method !== entry.method) return false;
  const wanted = path.split('/');
  const actual = entry.path.split('/').map(decode);
  for (const [i, part] of wanted.entries()) {
    if (part === '**') return actual.length > i;
    if (actual[i] === undefined) return false;
    if (part !== '*' && !/^\{.+\}$/.test(part) && decode(part) !== actual[i]) return false;
  }
  return wanted.length === actual.length;
}

/** `GET /a/b` → its two parts. */
export function splitCall(call: string): [method: string, path: string] {
  const space = call.indexOf(' ');
  return [call.slice(0, space), call.slice(space + 1)];
}

/** `GET /a?b=1` → the call without its query, and the query where one is stated. */
export function splitQuery(call: string): [call: string, query: string | undefined] {
  const mark = call.indexOf('?');
  return mark < 0 ? [call, undefined] : [call.slice(0, mark), call.slice(mark + 1)];
}

/** Paths are equal when they mean the same segments, however they are percent-encoded. */
export function samePath(a: string, b: string): boolean {
  return decode(a) === decode(b);
}

/** Parameter names do not matter: `/a/{id}` and `/a/{name}` are one template. */
function shapeOf(template: string | null): string | null {
  return template === null ? null : template.replaceAll(/\{[^}]*\}/g, '{}');
}

function decode(path: string): string {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return path; // a malformed escape is only ever equal to itself
  }
}
