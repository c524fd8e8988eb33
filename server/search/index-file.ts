/**
 * The index as one file of arrays, each on 8 bytes, behind a table of their lengths. It is read whole in one go and
 * used where it lies: nothing is parsed and nothing copied.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { buildIndex, type SearchIndex } from './inverted-index.ts';

/** Its name beside the catalog it belongs to. */
export const SEARCH_INDEX_FILE = 'search.idx';

const MAGIC = 0x58444953;

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

type Part = Uint8Array | Uint16Array | Uint32Array | Float32Array;

export function encode(index: SearchIndex): Buffer {
  const parts: Part[] = [
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
  ];
  const head = new Uint32Array([MAGIC, index.size, ...parts.map(({ length }) => length)]);
  return Buffer.concat([head, ...parts].map(padded));
}

export function decode(file: Buffer): SearchIndex {
  // Typed views need a start on 8 bytes, which a pooled Buffer does not promise.
  const own = file.byteOffset % 8 === 0 ? file : new Uint8Array(file);
  const { buffer, byteOffset } = own;
  const head = new Uint32Array(buffer, byteOffset, HEAD_LENGTH);
  assertKind(head[0]);
  let at = byteOffset + padding(HEAD_LENGTH * 4);
  let part = 2;
  const next: Next = (Type) => {
    const length = head[part++] as number;
    const view = new Type(buffer, at, length);
    at += padding(view.byteLength);
    return view;
  };
  const names = Buffer.from(next(Uint8Array)).toString();
  return {
    size: head[1] as number,
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

/** The next part of the file, as the array it was. */
type Next = <T extends Part>(Type: ArrayOf<T>) => T;
type ArrayOf<T> = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => T;

const HEAD_LENGTH = 20;
const padding = (length: number) => Math.ceil(length / 8) * 8;

function padded(part: Part): Buffer {
  const whole = Buffer.alloc(padding(part.byteLength));
  whole.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  return whole;
}
