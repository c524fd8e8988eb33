/** Example utterances, by the group of operations they ask for: training data, no part of any document or catalog. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';

interface Utterances {
  resources?: Record<string, Record<string, string[]>>;
  operations?: Record<string, string[]>;
}

/** Local tools come from no document. */
const LOCAL = 'local';

/** Keys are `platform/document/resource class` or `platform/document/operationId`, as `groupName` gives them. */
export function utterancesByGroup(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const folder = join(import.meta.dirname, 'utterances');
  for (const file of globSync('*/*.yaml', { cwd: folder }).sort()) {
    const name = basename(file, '.yaml');
    const document = `${dirname(file)}/${name === LOCAL ? '' : name}`;
    const { resources = {}, operations = {} } = parse(readFileSync(join(folder, file), 'utf8')) as Utterances;
    for (const [resource, classes] of Object.entries(resources))
      for (const [name, texts] of Object.entries(classes)) found.set(`${document}/${resource} ${name}`, texts);
    for (const [operation, texts] of Object.entries(operations)) found.set(`${document}/${operation}`, texts);
  }
  return found;
}
