/** A file of `var/` or of the documents, written whole: another process reads the old text or the new one, never a part. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes the folder where there is none. Throws what the file system throws, and leaves no draft behind. */
export function writeAtomically(path: string, text: string): void {
  const folder = dirname(path);
  const draft = join(folder, `.${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}.tmp`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}
