/** Every operation of every platform, as their documents state it. For tests of what scenarios say about calls. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface StatedOperation {
  method: string;
  /** Template, `/a/{id}`. */
  path: string;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

export async function statedOperations(root: string): Promise<StatedOperation[]> {
  const folder = join(root, 'var', 'openapi');
  const files = (await readdir(folder, { recursive: true })).filter((name) => /^[a-z]+\/.*\.json$/.test(name));
  const documents = await Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as { paths?: object }),
  );
  return documents.flatMap(({ paths }) =>
    Object.entries(paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item as object)
        .filter((method) => METHODS.has(method))
        .map((method) => ({ method: method.toUpperCase(), path })),
    ),
  );
}

/** True when some concrete path of the operation is also one of the call or pattern. */
export function canBe(operation: StatedOperation, call: string): boolean {
  const [method = '', path = ''] = call.replace(/\?.*/, '').split(/ (.*)/);
  if (method !== '*' && method !== operation.method) return false;
  const [wanted, stated] = [path.split('/'), operation.path.split('/')];
  for (const [i, part] of wanted.entries()) {
    if (part === '**') return stated.length > i;
    const own = stated[i];
    if (own === undefined) return false;
    const isOpen = part === '*' || part.includes('{') || own.startsWith('{');
    if (!isOpen && part !== own) return false;
  }
  return wanted.length === stated.length;
}
