/**
 * A snapshot of the parsed platform files, so that a start need not parse and validate unchanged files. The snapshot
 * holds a digest of each file and of the code that reads them. A file with another digest is read again. A snapshot
 * that cannot be read or written only costs time.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeAtomically } from '../files/atomic-write.ts';
import { makeFolder } from '../files/make-folder.ts';
import { type PlatformDefinition, platformFiles, platformReader, readPlatformFile } from './platform-file.ts';

interface Snapshot {
  reader: string;
  /** By path. */
  files: Record<string, { digest: string; platform: PlatformDefinition }>;
}

export class PlatformSnapshot {
  readonly #path: string;
  readonly #reader = digestOf(platformReader);
  readonly #before: Snapshot['files'];
  readonly #now: Snapshot['files'] = {};
  #changed = false;

  constructor(path: string) {
    this.#path = path;
    this.#before = readSnapshot(path, this.#reader);
  }

  /** As `readPlatformFile`, which it calls for a file that is new or has changed. */
  readonly read = (file: string): PlatformDefinition => {
    const digest = digestOf(file);
    const kept = this.#before[file];
    const fits = kept?.digest === digest;
    const platform = fits ? kept.platform : readPlatformFile(file);
    this.#changed ||= !fits;
    this.#now[file] = { digest, platform };
    return platform;
  };

  /** Writes down what was read, where any of it was not known yet. */
  keep(): void {
    if (!this.#changed) return;
    try {
      makeFolder(dirname(this.#path));
      const kept: Snapshot = { reader: this.#reader, files: this.#now };
      // A start waits for this, and a damaged snapshot is read as none.
      writeAtomically(this.#path, JSON.stringify(kept), { durable: false });
    } catch {
      // A folder that is not ours to write (an image, a packed install): the files are read at every start instead.
    }
  }
}

/** Every platform of a folder, sorted by id. */
export function readShippedPlatforms(folder: string, path: string): PlatformDefinition[] {
  const snapshot = new PlatformSnapshot(path);
  const platforms = platformFiles(folder).map(snapshot.read);
  snapshot.keep();
  return platforms;
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function readSnapshot(path: string, reader: string): Snapshot['files'] {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Snapshot;
    return kept.reader === reader ? kept.files : {};
  } catch {
    return {};
  }
}
