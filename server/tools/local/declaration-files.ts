/**
 * The files that say what the router's own tools are, with the limits and lists that their schemas name. A start sees by
 * their sizes and times that a catalog still fits, and loads none of them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '..', '..');
const FOLDERS = ['tools/local', 'migration', 'diagram'].map((name) => join(SERVER, name));
const EXTENSION = import.meta.filename.slice(-3);

export const declarationFiles = (): string[] =>
  [
    ...FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ),
    join(SERVER, 'dispatch', `batch${EXTENSION}`),
  ]
    .filter((file) => file.endsWith(EXTENSION) && !file.includes('.test.'))
    .sort();
