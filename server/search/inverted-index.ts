/**
 * The search index: for every term the tools it occurs in, with one weight that already holds field importance and
 * length normalisation, and the fields it was found in. One compact file, read whole.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAPABILITIES } from '../access/access.ts';
import type { Catalog } from '../catalog/store.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { pairs, stem, terms } from './tokens.ts';
import { VERBS, verbOf } from './verb.ts';

/** Fields by importance. `questions` is long when present, so it has strong length normalisation of its own. */
export const FIELDS = [
  { id: 'name', weight: 3, b: 0.3 },
  { id: 'noun', weight: 2.6, b: 0.5 },
  { id: 'questions', weight: 1.6, b: 0.75 },
  { id: 'description', weight: 1.2, b: 0.6 },
  { id: 'path', weight: 1, b: 0.4 },
  { id: 'params', weight: 0.2, b: 0.75 },
] as const;
export const IN_NAME = 1;
export const IN_NOUN = 2;

export const FLAG_ONE = 1;
export const FLAG_OLD = 2;

export interface SearchIndex {
  size: number;
  platforms: string[];
  terms: Map<string, number>;
  start: Uint32Array;
  doc: Uint32Array;
  weight: Float32Array;
  mask: Uint8Array;
  /** Per tool. */
  platform: Uint8Array;
  capability: Uint8Array;
  verb: Uint8Array;
  flags: Uint8Array;
  /** Distinct content words in the name. */
  nameLength: Uint8Array;
}

/** Its name beside the catalog it belongs to. */
export const SEARCH_INDEX_FILE = 'search.idx';

/** The index that belongs to a catalog: loaded, or built and kept beside it. */
export function openIndex(catalog: Catalog): SearchIndex {
  const path = join(catalog.folder, SEARCH_INDEX_FILE);
  if (existsSync(path)) return decode(readFileSync(path));
  const bytes = encode(buildIndex(catalog.all()));
  const draft = join(catalog.folder, `.${SEARCH_INDEX_FILE}-${process.pid}-${randomUUID().slice(0, 8)}`);
  writeFileSync(draft, bytes);
  renameSync(draft, path);
  return decode(bytes);
}

export function buildIndex(tools: Iterable<{ tool: Tool; text: SearchText }>): SearchIndex {
  const documents = [...tools].map(({ tool, text }) => ({ tool, text, fields: fieldTerms(tool, text) }));
  const average = FIELDS.map(
    (_, f) =>
      documents.reduce((sum, { fields }) => sum + (fields[f] as string[]).length, 0) / Math.max(1, documents.length) ||
      1,
  );
  const postings = new Map<string, { doc: number; weight: number; mask: number }[]>();
  documents.forEach(({ fields }, doc) => {
    const own = new Map<string, { doc: number; weight: number; mask: number }>();
    fields.forEach((list, f) => {
      const { weight, b } = FIELDS[f] as (typeof FIELDS)[number];
      const norm = 1 - b + (b * list.length) / (average[f] as number);
      for (const term of list) {
        const entry = own.get(term) ?? { doc, weight: 0, mask: 0 };
        entry.weight += weight / norm;
        entry.mask |= 1 << f;
        own.set(term, entry);
      }
    });
    for (const [term, entry] of own) {
      const list = postings.get(term);
      if (list) list.push(entry);
      else postings.set(term, [entry]);
    }
  });
  const sorted = [...postings.keys()].sort();
  const total = sorted.reduce((sum, term) => sum + (postings.get(term)?.length ?? 0), 0);
  const platforms = [...new Set(documents.map(({ tool }) => tool.platform))].sort();
  const index: SearchIndex = {
    size: documents.length,
    platforms,
    terms: new Map(sorted.map((term, i) => [term, i])),
    start: new Uint32Array(sorted.length + 1),
    doc: new Uint32Array(total),
    weight: new Float32Array(total),
    mask: new Uint8Array(total),
    platform: Uint8Array.from(documents, ({ tool }) => platforms.indexOf(tool.platform)),
    capability: Uint8Array.from(documents, ({ tool }) => CAPABILITIES.indexOf(tool.capability)),
    verb: Uint8Array.from(documents, ({ tool, text }) => VERBS.indexOf(verbOf(tool, text))),
    flags: Uint8Array.from(
      documents,
      ({ tool }) => (tool.path.endsWith('}') ? FLAG_ONE : 0) | (tool.twin || tool.deprecated ? FLAG_OLD : 0),
    ),
    nameLength: Uint8Array.from(documents, ({ fields }) =>
      Math.min(255, new Set((fields[0] as string[]).filter((t) => !t.includes('_'))).size),
    ),
  };
  let at = 0;
  sorted.forEach((term, t) => {
    index.start[t] = at;
    for (const { doc, weight, mask } of postings.get(term) ?? []) {
      index.doc[at] = doc;
      index.weight[at] = weight;
      index.mask[at] = mask;
      at++;
    }
  });
  index.start[sorted.length] = at;
  return index;
}

/** Terms of a tool by field, in the order of FIELDS. */
function fieldTerms(tool: Tool, text: SearchText): string[][] {
  const own = tool.name.startsWith(`${tool.platform}_`) ? tool.name.slice(tool.platform.length + 1) : tool.name;
  const name = terms(own);
  const nouns = [tool.resource?.noun ?? '', ...text.aliases].filter((noun) => noun !== '').map((noun) => terms(noun));
  const segments = tool.path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment));
  const path = segments.flatMap((segment, i) =>
    i === segments.length - 1 ? [...terms(segment), ...terms(segment)] : terms(segment),
  );
  return [
    [...name, ...pairs(name)],
    nouns.flatMap((noun) => [...noun, ...pairs(noun)]),
    text.questions.flatMap((question) => terms(question)),
    [...terms(tool.description), ...terms(text.distinguish), ...terms(text.tag)],
    path,
    text.fields.flatMap((field) => terms(field)).map(stem),
  ];
}

// The file: a JSON head of fixed arrays' lengths, the terms, then the arrays one after the other, each on 8 bytes.
const ARRAYS = ['start', 'doc', 'weight', 'mask', 'platform', 'capability', 'verb', 'flags', 'nameLength'] as const;
const TYPES = { start: Uint32Array, doc: Uint32Array, weight: Float32Array, mask: Uint8Array } as const;

export function encode(index: SearchIndex): Buffer {
  const names = Buffer.from([...index.terms.keys()].join('\n'));
  const lengths = ARRAYS.map((name) => index[name].length);
  const head = Buffer.from(
    JSON.stringify({ size: index.size, platforms: index.platforms, terms: names.length, lengths }),
  );
  const parts = [
    Buffer.alloc(8),
    pad(head),
    pad(names),
    ...ARRAYS.map((name) => pad(Buffer.from(index[name].buffer, index[name].byteOffset, index[name].byteLength))),
  ];
  (parts[0] as Buffer).writeUInt32LE(head.length, 0);
  return Buffer.concat(parts);
}

export function decode(file: Buffer): SearchIndex {
  // A fresh ArrayBuffer starts on 8 bytes, which typed views need and a pooled Buffer does not promise.
  const bytes = new Uint8Array(file).buffer;
  const headLength = new DataView(bytes).getUint32(0, true);
  const text = (from: number, length: number) => Buffer.from(bytes, from, length).toString();
  const head = JSON.parse(text(8, headLength)) as {
    size: number;
    platforms: string[];
    terms: number;
    lengths: number[];
  };
  let at = 8 + padded(headLength);
  const names = head.terms === 0 ? [] : text(at, head.terms).split('\n');
  at += padded(head.terms);
  const arrays: Record<string, unknown> = {};
  ARRAYS.forEach((name, i) => {
    const Type = name in TYPES ? TYPES[name as keyof typeof TYPES] : Uint8Array;
    const length = head.lengths[i] as number;
    arrays[name] = new Type(bytes, at, length);
    at += padded(length * Type.BYTES_PER_ELEMENT);
  });
  return {
    size: head.size,
    platforms: head.platforms,
    terms: new Map(names.map((term, i) => [term, i])),
    ...arrays,
  } as SearchIndex;
}

const padded = (length: number) => Math.ceil(length / 8) * 8;
const pad = (part: Buffer) => Buffer.concat([part, Buffer.alloc(padded(part.length) - part.length)]);
