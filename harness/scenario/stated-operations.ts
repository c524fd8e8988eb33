/** The operations of the shipped platforms, from the documents that the fake writes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

/** `METHOD /template` of every operation of every platform, as the documents state it; none where there are no documents yet. */
export async function statedOperations(root: string): Promise<string[]> {
  const documents = join(root, 'var', 'openapi');
  const names = await readdir(documents, { recursive: true }).catch(() => []);
  const texts = await Promise.all(
    names.filter((name) => /^[a-z]+[/\\].*\.json$/.test(name)).map((name) => readFile(join(documents, name), 'utf8')),
  );
  return texts.flatMap((text) =>
    Object.entries((JSON.parse(text) as { paths?: object }).paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item as object)
        .filter((method) => METHODS.has(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
}
