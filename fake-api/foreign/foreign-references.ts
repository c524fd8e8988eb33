/**
 * References of a document before it is served. Local ones must lead somewhere, files are taken in from below the
 * document's folder, anything else is never fetched: what it described becomes "any value", with a warning.
 */
import { basename, dirname } from 'node:path';
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
  const folder = dirname(file);
  const files = new Map<string, string>();
  const store: Record<string, unknown> = {};
  const waiting: Visit[] = [{ root, file, base: [] }];
  for (let visit = waiting.shift(); visit !== undefined; visit = waiting.shift()) {
    for (const found of referencesIn(visit.root)) {
      const [place = '', pointer = ''] = split(found.holder['$ref'] as string);
      const path = [...visit.base, ...found.path];
      if (place === '') {
        if (visit.base.length > 0) found.holder['$ref'] = `#/${visit.base.join('/')}${pointer}`;
        continue;
      }
      if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(place)) {
        forget(found.holder, path, warnings, `reference to "${place}" is not fetched, any value is accepted here`);
        continue;
      }
      const real = await fileBelow(folder, visit.file, decodeURIComponent(place)).catch(() => null);
      if (real === null) {
        forget(
          found.holder,
          path,
          warnings,
          `reference to "${place}" leads outside the document's folder, any value is accepted here`,
        );
        continue;
      }
      const name = files.get(real) ?? `${files.size}-${basename(real).replace(/[^A-Za-z0-9.-]/g, '_')}`;
      if (real !== file && !files.has(real)) {
        let content: Record<string, unknown>;
        try {
          content = await readSource(real);
        } catch (cause) {
          forget(
            found.holder,
            path,
            warnings,
            `reference to "${place}" cannot be read (${(cause as Error).message}), any value is accepted here`,
          );
          continue;
        }
        files.set(real, name);
        store[name] = content;
        waiting.push({ root: content, file: real, base: [FILES, name] });
      }
      found.holder['$ref'] = real === file ? `#${pointer}` : `#/${FILES}/${name}${pointer}`;
    }
  }
  if (files.size > 0) root[FILES] = store;
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

export function lookUp(root: Record<string, unknown>, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) && !Array.isArray(at)) return undefined;
    at = Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
  }
  return at;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function referencesIn(root: unknown): { holder: Record<string, unknown>; path: string[] }[] {
  const found: { holder: Record<string, unknown>; path: string[] }[] = [];
  const visited = new Set<unknown>();
  const visit = (value: unknown, path: string[], names: boolean): void => {
    if (typeof value !== 'object' || value === null || visited.has(value)) return;
    visited.add(value);
    if (Array.isArray(value)) {
      for (const [at, entry] of value.entries()) visit(entry, [...path, String(at)], false);
      return;
    }
    const holder = value as Record<string, unknown>;
    if (!names && typeof holder['$ref'] === 'string') found.push({ holder, path });
    for (const [name, entry] of Object.entries(holder)) {
      if (typeof entry !== 'object' || entry === null) continue;
      // Below a map of names every key is a name, `default` and `example` included.
      if (!names && name.startsWith('x-') && name !== FILES) continue;
      if (!names && DATA.has(name) && !(name === 'examples' && !Array.isArray(entry))) continue;
      visit(entry, [...path, name], !names && MAPS.has(name));
    }
  };
  visit(root, [], false);
  return found;
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'schemas', 'responses', 'paths']);
