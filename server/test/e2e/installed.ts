/** Installs the packages of clients/ where they are missing or their lock changed. They are no part of the router's own install. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = join(import.meta.dirname, 'clients');
const stamp = join(here, 'node_modules', '.installed');

export function ensureInstalled(): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(here, 'package-lock.json')))
    .digest('hex');
  if (stampOf() === lock) return;
  process.stderr.write(
    'Installing the clients and the referee of server/test/e2e/clients (first run, or their lock changed)…\n',
  );
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ci in ${here} should exit 0, got ${status}`);
  writeFileSync(stamp, lock);
}

/** A command of an installed package. */
export function commandOf(name: string): string {
  return join(here, 'node_modules', '.bin', name);
}

function stampOf(): string | undefined {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}
