/** The folder is the registry: every module in it is loaded, and its id must be its file name. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { got, HarnessError } from '../harness-errors.ts';

export async function discoverModules<T extends { id: string }>(folder: string): Promise<T[]> {
  const modules: T[] = [];
  for (const id of await moduleIds(folder)) {
    const loaded = (await import(pathToFileURL(join(folder, `${id}.ts`)).href)) as { default?: T };
    if (loaded.default?.id !== id) {
      throw new HarnessError(
        'PLUGIN_INVALID',
        `${join(folder, id)}.ts: default export's id should be "${id}", got ${got(loaded.default?.id)}`,
      );
    }
    modules.push(loaded.default);
  }
  return modules;
}

export async function moduleIds(folder: string, extension = '.ts'): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(extension) && !name.endsWith('.test.ts'))
    .map((name) => basename(name, extension))
    .sort();
}
