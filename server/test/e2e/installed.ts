/** Installs the packages of clients/ where they are missing or their lock changed. They are no part of the router's own install. */
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { packageRoot } from '../../config/config.ts';

const here = join(import.meta.dirname, 'clients');

export function ensureInstalled(): void {
  const words = [join(packageRoot, 'run.mjs'), '--install', relative(packageRoot, here)];
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`the packages in ${here} should install, got exit ${status}`);
}

/** A command of an installed package. */
export function commandOf(name: string): string {
  return join(here, 'node_modules', '.bin', name);
}
