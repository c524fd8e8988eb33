/** `setup --docker` over a checkout, for tests of containers. */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import type { Checkout } from './container-engine.ts';

/** The command as a user types it; if the tests run as root, as another user. */
export function setupIn(project: Checkout, words: readonly string[]): string {
  const other = process.getuid?.() === 0 ? { uid: 4711, gid: 4711 } : {};
  if (other.uid !== undefined) {
    for (const folder of ['', 'config', 'secrets']) mkdirSync(join(project.folder, folder), { recursive: true });
    for (const folder of ['', 'config', 'secrets']) chownSync(join(project.folder, folder), 4711, 4711);
  }
  const skipped = ['--skip-install', '--skip-catalog', '--skip-doctor'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(packageRoot, 'server/cli/setup.mjs'),
      '--directory',
      project.folder,
      '--docker',
      '--yes',
      ...skipped,
      ...words,
    ],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: project.folder }, ...other },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** What the setup says to type next. */
export const commandIn = (said: string, name: string) =>
  new RegExp(`^ +${name} +(.+)$`, 'm').exec(said)?.[1]?.split(' ') ?? [];
