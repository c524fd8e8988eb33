/**
 * Ingests documents into a store: each in one transaction, and only if its content changed. A killed ingestion
 * continues where it stopped. A file that cannot be read is reported and skipped.
 */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { Store } from './corpus-store.ts';
import { type DocumentMetadata, passagesOf, type ReadDocument } from './passage.ts';
import { Unreadable } from './readers/reader.ts';
import { ENDINGS, readFile } from './readers/reader-thread.ts';

export const INGEST_LIMITS = { fileBytes: 25_000_000 };

/** Part of every hash: what is read otherwise than before is read again. */
const READING = 3;

export interface Skipped {
  path: string;
  reason: string;
}

export interface Progress {
  done: number;
  total: number;
  path: string;
  outcome: 'taken in' | 'unchanged' | 'skipped' | 'vectors made';
}

export interface Ingested {
  taken_in: number;
  unchanged: number;
  removed: number;
  passages: number;
  skipped: Skipped[];
}

export interface IngestOptions {
  store: Store;
  collection: string;
  /** Licence of documents that state none. */
  licence?: string;
  /** Documents that are no longer under the folders leave the store. */
  prune?: boolean;
  progress?: (progress: Progress) => void;
}

interface Found {
  /** Where it is, and its path in the store. */
  file: string;
  path: string;
}

export async function ingest(roots: readonly string[], options: IngestOptions): Promise<Ingested> {
  const { store, collection, progress } = options;
  const skipped: Skipped[] = [];
  const found = eachPathOnce(
    roots.flatMap((root) => filesUnder(root, skipped)),
    skipped,
  );
  const result: Ingested = { taken_in: 0, unchanged: 0, removed: 0, passages: 0, skipped };
  for (const [i, { file, path }] of found.entries()) {
    const outcome = await ingestFile(file, path, options, result);
    progress?.({ done: i + 1, total: found.length, path, outcome });
  }
  if (options.prune === true) {
    const kept = new Set([...found.map(({ path }) => path), ...skipped.map(({ path }) => path)]);
    // What is below a folder that could not be read, such as a share that is not mounted, may still be there: below a root, anything.
    const unread = skipped.map(({ path }) => (roots.includes(path) ? '' : `${path}/`));
    const isGone = (known: string) => !kept.has(known) && !unread.some((folder) => known.startsWith(folder));
    for (const path of store.paths(collection).filter(isGone)) {
      store.remove(collection, path);
      result.removed += 1;
    }
  }
  return result;
}

async function ingestFile(
  file: string,
  path: string,
  options: IngestOptions,
  result: Ingested,
): Promise<Progress['outcome']> {
  const { store, collection, licence = '' } = options;
  try {
    const { size } = statSync(file);
    if (size > INGEST_LIMITS.fileBytes)
      throw new Unreadable(`should be at most ${INGEST_LIMITS.fileBytes} bytes, got ${size}`);
    const content = readFileSync(file);
    const hash = createHash('sha256').update(`${READING}\0${licence}\0`).update(content).digest('hex');
    if (store.hashOf(collection, path) === hash) {
      result.unchanged += 1;
      return 'unchanged';
    }
    const document = await readDocument(file, path, content, licence);
    store.put(collection, hash, document);
    result.taken_in += 1;
    result.passages += document.passages.length;
    return 'taken in';
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    result.skipped.push({ path, reason });
    return 'skipped';
  }
}

/** Why a file is left out; undefined for an error that is ours. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unreadable) return error.message;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && /^E[A-Z]+$/.test(code) ? `cannot be read (${code})` : undefined;
}

async function readDocument(file: string, path: string, content: Buffer, licence: string): Promise<ReadDocument> {
  const { title, head, sections } = await readFile(extname(file).toLowerCase(), content);
  const passages = passagesOf(sections);
  if (passages.length === 0) throw new Unreadable('should hold text, got none');
  return { metadata: factsOf(path, title, head, licence), passages };
}

function factsOf(
  path: string,
  title: string | undefined,
  head: Readonly<Record<string, string>>,
  licence: string,
): DocumentMetadata {
  const [folder = ''] = path.includes('/') ? path.split('/') : ['documents'];
  return {
    path,
    title: head['title'] ?? title ?? basename(path),
    source: head['source'] ?? folder,
    doc_type: head['doc_type'] ?? folder,
    platform: head['platform'] ?? '',
    version: head['version'] ?? '',
    date: head['date'] ?? '',
    licence: head['licence'] ?? head['license'] ?? licence,
    superseded_by: head['superseded_by'] ?? '',
  };
}

/** Files that can be read, in the order of their paths; each folder once, however many links lead to it. */
function filesUnder(root: string, skipped: Skipped[]): Found[] {
  const base = statSync(root).isDirectory() ? root : dirname(root);
  const seen = new Set<string>();
  const found: Found[] = [];
  const visitFolder = (folder: string, real: string): void => {
    if (seen.has(real)) throw new Unreadable('leads back to a folder that was read already');
    seen.add(real);
    for (const { name } of readdirSync(folder, { withFileTypes: true }).sort(byName))
      if (!name.startsWith('.')) visit(join(folder, name));
  };
  const visit = (file: string): void => {
    const path = relative(base, file).split(sep).join('/');
    try {
      const real = realpathSync(file);
      const state = statSync(real);
      if (state.isDirectory()) visitFolder(file, real);
      else if (state.isFile() && ENDINGS.includes(extname(file).toLowerCase())) found.push({ file, path });
      else skipped.push({ path, reason: `should be one of ${ENDINGS.join(' ')}` });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      skipped.push({ path: path === '' ? root : path, reason });
    }
  };
  visit(root);
  return found;
}

/** A path names one document: of two files with one path, the later would silently replace the earlier. */
function eachPathOnce(found: readonly Found[], skipped: Skipped[]): Found[] {
  const known = new Map<string, string>();
  return found.filter(({ file, path }) => {
    const first = known.get(path) ?? file;
    known.set(path, first);
    if (first !== file) skipped.push({ path, reason: `has the path of ${first} too: name the folder that holds both` });
    return first === file;
  });
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);
