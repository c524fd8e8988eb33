/**
 * The shipped platform files as they were when last read: a start neither parses nor checks ten files that have not changed.
 * The snapshot names what it was made from, the files and the code that reads them; one that does not fit, or cannot be read
 * or written, costs a start its time and nothing else.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PlatformDefinition, platformFiles, platformReader, readPlatformFiles } from './platform-file.ts';

interface Snapshot {
  madeFrom: string;
  platforms: PlatformDefinition[];
}

/** Every platform of a folder, from the snapshot at `path` where that fits. */
export function readShippedPlatforms(folder: string, path: string): PlatformDefinition[] {
  const madeFrom = digest(platformReader, ...platformFiles(folder));
  const kept = readSnapshot(path);
  if (kept?.madeFrom === madeFrom) return kept.platforms;
  const platforms = readPlatformFiles(folder);
  keep(path, { madeFrom, platforms });
  return platforms;
}

function digest(...files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const text = readFileSync(file);
    hash.update(`${file}\0${text.length}\0`).update(text);
  }
  return hash.digest('hex');
}

function readSnapshot(path: string): Snapshot | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function keep(path: string, snapshot: Snapshot): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(snapshot), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A folder that is not ours to write (an image, a packed install): the files are read at every start instead.
  }
}
