/** The search index as one file of packed arrays. */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { buildIndex, type SearchIndex } from './inverted-index.ts';
import { packArrays, unpackArrays } from './packed-arrays.ts';

/** Its name beside the catalog it belongs to. */
export const SEARCH_INDEX_FILE = 'search.idx';

const MAGIC = 0x58444953;
const ARRAYS = 18;

/** The index that belongs to a catalog: loaded, or built and kept beside it. */
export function openIndex(catalog: Catalog): SearchIndex {
  const path = join(catalog.folder, SEARCH_INDEX_FILE);
  if (existsSync(path)) return decode(readFileSync(path));
  const bytes = encode(buildIndex(catalog.all()));
  writeAtomically(path, bytes, { mode: 0o644 });
  return decode(bytes);
}

/**
 * The same, read by the first use: a start does not wait for tens of megabytes. Throws CATALOG_INVALID at once for a file of
 * another kind.
 */
export function openIndexLater(catalog: Catalog): () => SearchIndex {
  const path = join(catalog.folder, SEARCH_INDEX_FILE);
  if (existsSync(path)) assertKind(magicOf(path));
  let index: SearchIndex | undefined;
  return () => (index ??= openIndex(catalog));
}

function magicOf(path: string): number | undefined {
  const head = new Uint32Array(1);
  const file = openSync(path, 'r');
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head[0];
}

function assertKind(magic: number | undefined): void {
  if (magic !== MAGIC)
    throw new RouterError('CATALOG_INVALID', `${SEARCH_INDEX_FILE} should be a search index, got another kind of file`);
}

export function encode(index: SearchIndex): Buffer {
  return packArrays(MAGIC, index.size, [
    new Uint8Array(Buffer.from(index.platforms.join('\n'))),
    index.terms.letters,
    index.terms.offset,
    index.terms.slots,
    index.start,
    index.doc,
    index.weight,
    index.mask,
    index.platform,
    index.capability,
    index.verb,
    index.flags,
    index.versionOf,
    index.nameMass,
    index.spread,
    index.signatures,
    index.average,
    index.groupOf,
  ]);
}

export function decode(file: Buffer): SearchIndex {
  const { magic, size, next } = unpackArrays(file, ARRAYS);
  assertKind(magic);
  const names = Buffer.from(next(Uint8Array)).toString();
  return {
    size,
    platforms: names === '' ? [] : names.split('\n'),
    terms: { letters: next(Uint16Array), offset: next(Uint32Array), slots: next(Uint32Array) },
    start: next(Uint32Array),
    doc: next(Uint32Array),
    weight: next(Float32Array),
    mask: next(Uint8Array),
    platform: next(Uint8Array),
    capability: next(Uint8Array),
    verb: next(Uint8Array),
    flags: next(Uint8Array),
    versionOf: next(Uint32Array),
    nameMass: next(Float32Array),
    spread: next(Float32Array),
    signatures: next(Uint32Array),
    average: next(Float32Array),
    groupOf: next(Uint16Array),
  };
}
