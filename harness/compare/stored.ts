/**
 * The rows of a published comparison, in git: one gzipped file, and one that says what was asked, with the digest of the other.
 * The three files of the comparison are a function of these two alone.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { got, HarnessError } from '../harness-errors.ts';
import { LARGEST_BYTES, PUBLISHED_FOLDER, publishedFolder } from '../reporting/publication.ts';
import { byVersion } from '../reporting/version-order.ts';
import { rowKey } from './compare-journal.ts';
import type { Cell, Row } from './row.ts';
import { inOrder, type Measured, type Recorded } from './server-comparison.ts';

const HEAD = 'comparison.head.json';
const ROWS = 'comparison.rows.gz';
const STORED_VERSION = 1;

type Head = { version: typeof STORED_VERSION; sha256: string } & Omit<Measured, 'cells' | 'rows'>;
type Line = { cell: Cell } | { row: Row };

export interface StoredComparison {
  measured: Measured;
  recorded: Recorded;
}

/** Stores what was measured with a version, in the place of what was stored before; refuses what cannot be made again. */
export async function storeComparison(root: string, release: string, measured: Measured): Promise<StoredComparison> {
  assertStorable(measured);
  const { cells, rows, ...head } = measured;
  const text = linesOf(measured)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  const packed = gzipSync(text, { level: 9 });
  const folder = publishedFolder(root, release);
  const bytes = packed.length + (await bytesBeside(folder));
  if (bytes > LARGEST_BYTES)
    throw refused(`the recordings of a version should be at most ${LARGEST_BYTES} bytes, got ${bytes}`);
  const stored: Head = { version: STORED_VERSION, sha256: sha256(text), ...head };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, ROWS), packed);
  await writeFile(join(folder, HEAD), `${JSON.stringify(stored, null, 1)}\n`);
  const kept = await readComparison(root, release);
  if (kept === undefined) throw refused(`${folder} should hold what was written there just now, got nothing`);
  return kept;
}

/** Undefined where a version has none. */
export async function readComparison(root: string, release: string): Promise<StoredComparison | undefined> {
  const folder = publishedFolder(root, release);
  const text = await readFile(join(folder, HEAD), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { version, sha256: expected, ...head } = JSON.parse(text) as Head;
  if (version !== STORED_VERSION) throw damaged(folder, `version ${STORED_VERSION}`, got(version));
  const lines = unpacked(folder, await readFile(join(folder, ROWS)));
  const actual = sha256(lines);
  if (actual !== expected) throw damaged(folder, `the digest ${expected}`, actual);
  const parts = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  const cells = parts.flatMap((part) => ('cell' in part ? [part.cell] : []));
  const rows = parts.flatMap((part) => ('row' in part ? [part.row] : []));
  return { measured: { ...head, cells, rows }, recorded: { release, sha256: actual } };
}

/** The newest version that has one: `reports/comparison.*` are its. */
export async function newestRelease(root: string): Promise<string | undefined> {
  const folder = join(root, PUBLISHED_FOLDER);
  const releases = await readdir(folder).catch(() => [] as string[]);
  const known: string[] = [];
  for (const release of releases) if ((await readdir(join(folder, release))).includes(HEAD)) known.push(release);
  return known.sort(byVersion).at(-1);
}

/** Cells before rows, each in one order, whichever was measured first. */
function linesOf({ cells, rows, ...rest }: Measured): Line[] {
  const ordered = inOrder(cells, rest);
  const place = new Map(ordered.map(({ subject, size }, i) => [`${subject} ${size}`, i]));
  const at = (row: Row) => place.get(`${row.subject} ${row.size}`) ?? ordered.length;
  const sorted = [...rows].sort((a, b) => at(a) - at(b) || (rowKey(a) < rowKey(b) ? -1 : 1));
  return [...ordered.map((cell) => ({ cell })), ...sorted.map((row) => ({ row }))];
}

function assertStorable({ commit, cells, subjects, sizes }: Measured): void {
  if (!/^[0-9a-f]{40}$/.test(commit ?? '')) {
    throw refused(`a published comparison should be of a commit without changes, got ${got(commit)}`);
  }
  const missing = sizes.flatMap((size) =>
    subjects.flatMap(({ name }) =>
      cells.some((cell) => cell.size === size && cell.subject === name) ? [] : [`${name} at ${size}`],
    ),
  );
  if (missing.length > 0) throw refused(`a published comparison should be whole, got none of ${missing.join(', ')}`);
}

async function bytesBeside(folder: string): Promise<number> {
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name !== ROWS);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function unpacked(folder: string, packed: Buffer): string {
  try {
    return gunzipSync(packed).toString('utf8');
  } catch (error) {
    throw damaged(folder, 'a whole archive', (error as Error).message);
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const damaged = (folder: string, expected: string, actual: string): HarnessError =>
  new HarnessError('RECORDING_INVALID', `${join(folder, ROWS)} should have ${expected}, got ${actual}`, {
    remedy: 'take the file from git again',
  });

const refused = (message: string): HarnessError =>
  new HarnessError('PUBLICATION_REFUSED', message, {
    remedy: 'measure again on a clean commit: npm run compare -- --record <version>',
  });
