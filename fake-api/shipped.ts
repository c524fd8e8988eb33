/** The platforms in the box: the folder is their registry. */
import { readdir } from 'node:fs/promises';

/** Folder of parts that several platforms use; no platform itself. */
const SHARED = 'shared';

export async function shippedPlatforms(): Promise<string[]> {
  const entries = await readdir(new URL('platforms/', import.meta.url), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
    .map((entry) => entry.name)
    .sort();
}
