/** The folder is the registry: every module in it is loaded, and its id must be its file name. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { got, HarnessError } from '../harness-errors.ts';

/** What the fields of a module hold: a type, or one of these texts. */
export type ModuleShape = Readonly<Record<string, 'string' | 'boolean' | 'function' | readonly string[]>>;

/** @param shape fields that every module has, because a mistake in one would show only when it is used */
export async function discoverModules<T extends { id: string }>(folder: string, shape: ModuleShape = {}): Promise<T[]> {
  const modules: T[] = [];
  for (const id of await moduleIds(folder)) {
    const file = `${join(folder, id)}.ts`;
    const loaded = (await import(pathToFileURL(file).href)) as { default?: T };
    if (loaded.default?.id !== id)
      throw new HarnessError(
        'PLUGIN_INVALID',
        `${file}: default export's id should be "${id}", got ${got(loaded.default?.id)}`,
      );
    for (const [field, wanted] of Object.entries(shape))
      mustHold(file, field, wanted, loaded.default[field as keyof T]);
    modules.push(loaded.default);
  }
  return modules;
}

function mustHold(file: string, field: string, wanted: ModuleShape[string], value: unknown): void {
  const isRight = typeof wanted === 'string' ? typeof value === wanted : wanted.includes(value as string);
  if (isRight) return;
  const expected = typeof wanted === 'string' ? `a ${wanted}` : `one of ${wanted.join(', ')}`;
  throw new HarnessError(
    'PLUGIN_INVALID',
    `${file}: default export's ${field} should be ${expected}, got ${got(value)}`,
  );
}

export async function moduleIds(folder: string, extension = '.ts'): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(extension) && !name.endsWith('.test.ts'))
    .map((name) => basename(name, extension))
    .sort();
}
