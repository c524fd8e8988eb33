/**
 * Packs the built catalog with its indexes into one archive, and unpacks it. The program opens an archive only after
 * its digest matched the expected one. Then it compares each member with a fixed list; the archive decides neither the
 * path nor the size of a file.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { create, Parser, type ReadEntry } from 'tar';
import { RouterError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';

export const POINTER_MEMBER = 'pointer.json';
const GIBIBYTE = 2 ** 30;

export interface ArchiveLimits {
  /** Most bytes of everything unpacked. */
  maxBytes: number;
}

export const LIMITS: ArchiveLimits = { maxBytes: 2 * GIBIBYTE };

/** The digest of a file as 64 hex digits. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The same members give the same bytes, whoever packs them and whenever. */
export async function writeArchive(folder: string, members: readonly string[], path: string): Promise<void> {
  await create({ cwd: folder, file: path, gzip: true, portable: true, noMtime: true }, [...members].sort());
}

/** Unpacks into a new folder beside the others. On any failure it removes that folder. */
export async function readArchive(
  path: string,
  parent: string,
  members: readonly string[],
  limits: ArchiveLimits = LIMITS,
): Promise<string> {
  makeFolder(parent);
  const draft = mkdtempSync(join(parent, '.draft-'));
  try {
    const seen = await unpack(path, draft, new Set(members), limits);
    const missing = members.filter((name) => !seen.has(name));
    if (missing.length > 0) throw refused(path, `lacks ${missing.join(', ')}`);
    return draft;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (error instanceof RouterError) throw error;
    throw refused(path, 'cannot be read as a gzip archive', error);
  }
}

async function unpack(
  path: string,
  folder: string,
  allowed: ReadonlySet<string>,
  { maxBytes }: ArchiveLimits,
): Promise<Set<string>> {
  const seen = new Set<string>();
  let problem: RouterError | undefined;
  const parser = new Parser({ strict: true, onReadEntry: (entry) => take(entry) });
  const wrongWith = ({ type, path: name }: ReadEntry): string | undefined => {
    if (type !== 'File' && type !== 'OldFile') return `a ${type}, not a plain file`;
    if (!allowed.has(name)) return 'not one of an index';
    return seen.has(name) ? 'there twice' : undefined;
  };
  function take(entry: ReadEntry): void {
    const wrong = wrongWith(entry);
    if (wrong !== undefined)
      problem ??= refused(path, `has the member ${JSON.stringify(entry.path.slice(0, 200))}: ${wrong}`);
    if (problem !== undefined) {
      entry.resume();
      return;
    }
    seen.add(entry.path);
    const file = openSync(join(folder, entry.path), 'wx', 0o644);
    entry.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
    });
    entry.on('end', () => closeSync(file));
  }
  let bytes = 0;
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve);
    parser.on('error', reject);
  });
  ended.catch(() => undefined);
  const unzipped = createReadStream(path).pipe(createGunzip());
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Counted as it comes out, because a header may say anything about how much there is.
    if (bytes > maxBytes) throw refused(path, `unpacks to more than ${maxBytes} bytes`);
    parser.write(chunk);
    if (problem !== undefined) throw problem;
  }
  parser.end();
  await ended;
  if (problem !== undefined) throw problem;
  return seen;
}

export function refused(path: string, what: string, cause?: unknown): RouterError {
  return new RouterError('ARCHIVE_REFUSED', `${basename(path)} ${what}`, { cause });
}

export interface IndexManifest {
  schema_version: 1;
  release: string;
  archive: string;
  url: string;
  sha256: string;
  checksum_url?: string;
}

export async function readManifest(path: string): Promise<IndexManifest> {
  let value: Partial<IndexManifest> | null;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new RouterError('USAGE', `--manifest should name a JSON file, got ${path}`, { cause });
  }
  if (value?.schema_version !== 1 || typeof value.url !== 'string' || typeof value.sha256 !== 'string')
    throw new RouterError(
      'USAGE',
      `--manifest should hold schema_version 1, url and sha256, got another form in ${path}`,
    );
  return value as IndexManifest;
}
