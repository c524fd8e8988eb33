/** Where the models lie: a folder for each platform, and one that they share. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export const platformsFolder = join(import.meta.dirname, '..', '..', 'platforms');

export async function listPlatforms(folder = platformsFolder): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map((entry) => entry.name)
    .sort();
}
