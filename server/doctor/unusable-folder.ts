/** Folders that the router makes and writes: whether it could, without writing anything. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

interface Unusable {
  what: string;
  remedy: string;
}

/** Why nothing can be written there, and what helps; undefined where it can. `variable` names the folder. */
export function unusableFolder(folder: string, variable: string): Unusable | undefined {
  const nearest = nearestExisting(folder);
  const or = `or set ${variable} to another folder`;
  if (!statSync(nearest).isDirectory())
    return {
      what: `${folder} cannot be a folder: ${nearest} is a file`,
      remedy: `remove the file at this path, ${or}`,
    };
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    return { what: `${nearest} cannot be written`, remedy: `give this user the right to write there, ${or}` };
  }
  const { blocks, bavail } = statfsSync(nearest);
  // A file system without a size says 0 of both.
  const isFull = blocks > 0 && bavail === 0;
  return isFull ? { what: `the disk of ${nearest} is full`, remedy: `free space there, ${or}` } : undefined;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
