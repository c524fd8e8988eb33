/**
 * References of a document before it is served. Local ones must lead somewhere, files are taken in from below the
 * document's folder, anything else is never fetched: what it described becomes "any value", with a warning.
 */
import { basename, dirname } from 'node:path';
import { decoded, lookUp } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import { fileBelow, readSource } from './document-file.ts';
import type { Warnings } from './document-warning.ts';

/** Where the content of other files is kept inside the served document. */
export const FILES = 'x-svc-files';
/** Below these names stands data, in which `$ref` is a word like any other. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-webhooks', 'webhooks']);

interface Visit {
  root: Record<string, unknown>;
  /** File in which the visited part stands. */
  file: string;
  /** Steps from the root to the file's content. */
  base: string[];
}

export async function joinReferences(root: Record<string, unknown>, file: string, warnings: Warnings): Promise<void> {
  const joining: Joining = { file, folder: dirname(file), names: new Map(), store: {}, waiting: [], warnings };
  joining.waiting.push({ root, file, base: [] });
  for (let visit = joining.waiting.shift(); visit !== undefined; visit = joining.waiting.shift()) {
    for (const { holder, path } of referencesIn(visit.root)) await joinReference(joining, visit, holder, path);
  }
  if (joining.names.size > 0) root[FILES] = joining.store;
}

interface Joining {
  file: string;
  folder: string;
  /** Path of a file that was taken in to its name in `store`. */
  names: Map<string, string>;
  store: Record<string, unknown>;
  waiting: Visit[];
  warnings: Warnings;
}

async function joinReference(
  joining: Joining,
  visit: Visit,
  holder: Record<string, unknown>,
  path: string[],
): Promise<void> {
  const [place = '', pointer = ''] = split(holder['$ref'] as string);
  if (place === '') {
    if (visit.base.length > 0) holder['$ref'] = `#/${visit.base.join('/')}${pointer}`;
    return;
  }
  const refuse = (why: string): void => {
    const message = `reference to "${place}" ${why}, any value is accepted here`;
    forget(holder, [...visit.base, ...path], joining.warnings, message);
  };
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(place)) return refuse('is not fetched');
  const real = await fileBelow(joining.folder, visit.file, decoded(place)).catch(() => null);
  if (real === null) return refuse("leads outside the document's folder");
  if (real === joining.file) {
    holder['$ref'] = `#${pointer}`;
    return;
  }
  const problem = await joinFile(joining, real);
  if (problem !== null) return refuse(`cannot be read (${problem})`);
  holder['$ref'] = `#/${FILES}/${joining.names.get(real)}${pointer}`;
}

/** Keeps the content of a file and lets its own references be joined; a text says why it cannot be read. */
async function joinFile({ names, store, waiting }: Joining, file: string): Promise<string | null> {
  if (names.has(file)) return null;
  const name = `${names.size}-${basename(file).replace(/[^A-Za-z0-9.-]/g, '_')}`;
  try {
    const root = await readSource(file);
    names.set(file, name);
    store[name] = root;
    waiting.push({ root, file, base: [FILES, name] });
    return null;
  } catch (cause) {
    return (cause as Error).message;
  }
}

/** After all files are in: each local reference leads somewhere and not in a circle of references alone. */
export function checkReferences(root: Record<string, unknown>, warnings: Warnings): void {
  for (const { holder, path } of referencesIn(root)) {
    let at: unknown = holder;
    const seen = new Set<unknown>();
    while (isObject(at) && typeof at['$ref'] === 'string' && !seen.has(at)) {
      seen.add(at);
      at = lookUp(root, at['$ref']);
    }
    if (at === undefined)
      forget(holder, path, warnings, `reference "${holder['$ref']}" leads nowhere, any value is accepted here`);
    else if (seen.has(at))
      forget(holder, path, warnings, `reference "${holder['$ref']}" leads back to itself, any value is accepted here`);
  }
}

function forget(holder: Record<string, unknown>, path: string[], warnings: Warnings, message: string): void {
  delete holder['$ref'];
  const remedy =
    message.includes('nowhere') || message.includes('itself')
      ? 'correct the reference in the document'
      : 'put the described part into the document or into a file below its folder';
  warnings.add(path, message, remedy);
}

function split(reference: string): [string, string] {
  const cut = reference.indexOf('#');
  return cut < 0 ? [reference, ''] : [reference.slice(0, cut), reference.slice(cut + 1)];
}

function referencesIn(root: unknown): Reference[] {
  const found: Reference[] = [];
  collectReferences(root, [], false, new Set(), found);
  return found;
}

interface Reference {
  holder: Record<string, unknown>;
  path: string[];
}

/** Below a map of names every key is a name, `default` and `example` included; a text under `$ref` is a reference there, too. */
function collectReferences(
  value: unknown,
  path: string[],
  isMap: boolean,
  visited: Set<unknown>,
  found: Reference[],
): void {
  if (typeof value !== 'object' || value === null || visited.has(value)) return;
  visited.add(value);
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) collectReferences(entry, [...path, String(at)], false, visited, found);
    return;
  }
  const holder = value as Record<string, unknown>;
  if (typeof holder['$ref'] === 'string') found.push({ holder, path });
  for (const [name, entry] of Object.entries(holder)) {
    if (typeof entry !== 'object' || (!isMap && isData(name, entry))) continue;
    collectReferences(entry, [...path, name], !isMap && MAPS.has(name), visited, found);
  }
}

function isData(name: string, entry: unknown): boolean {
  if (name.startsWith('x-') && name !== FILES) return true;
  // Named examples may be references themselves.
  return DATA.has(name) && (name !== 'examples' || Array.isArray(entry));
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'schemas', 'responses', 'paths']);
