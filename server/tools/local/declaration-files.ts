/**
 * The files that say what the router's own tools are, with the limits and models that their schemas are made from. A start
 * sees by their sizes and times that a catalog still fits, and loads none of them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
/** Of a checkout or of an installed package. */
const EXTENSION = import.meta.filename.slice(-3);
/** What declarations take from elsewhere. */
const SHARED = [
  'config/schema',
  'diagram/flow-model',
  'diagram/model',
  'dispatch/batch',
  'migration/migration-run',
  'migration/run-fields',
  'migration/run-store',
  'migration/shown-run',
].map((name) => join(HERE, '..', '..', name + EXTENSION));

export function declarationFiles(): string[] {
  const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const own = ['', ...folders.map(({ name }) => name)].flatMap((folder) =>
    readdirSync(join(HERE, folder))
      .filter((name) => name.endsWith(EXTENSION) && !name.includes('.test.'))
      .map((name) => join(HERE, folder, name)),
  );
  return [...own, ...SHARED];
}
