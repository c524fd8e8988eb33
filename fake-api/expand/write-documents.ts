/** Documents on disk: sorted keys, written beside and renamed, with a note of who made them from what. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';
import { sorted } from './canonical-document.ts';
import { ExpandError } from './model/expand-errors.ts';

export const openApiFolder = join(import.meta.dirname, '..', '..', 'var', 'openapi');
export const digestFile = '.digest.json';

export interface DigestNote {
  readonly madeBy: string;
  readonly inputs: string;
  readonly documents: Readonly<Record<string, string>>;
}

export function documentText(document: unknown): string {
  return `${JSON.stringify(sorted(document))}\n`;
}

export function digestOf(text: string | Buffer): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Per platform a digest over its models, the shared ones and the expander itself: a changed rule is a changed document.
 * Tests are left out, they change nothing that is written.
 */
export async function inputsDigests(
  platformIds: readonly string[],
  platformsFolder: string,
): Promise<Map<string, string>> {
  const common = await Promise.all([
    folderDigest(join(platformsFolder, 'shared'), '.yaml'),
    folderDigest(import.meta.dirname, '.ts'),
  ]);
  const own = await Promise.all(platformIds.map((id) => folderDigest(join(platformsFolder, id), '.yaml')));
  return new Map(platformIds.map((id, at) => [id, digestOf([...common, own[at]].join(' '))]));
}

/** Of the folder and those below it. */
async function folderDigest(folder: string, ending: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true }).catch(() => [])).filter(
    (name) => name.endsWith(ending) && !name.endsWith('.test.ts'),
  );
  names.sort();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
  const hash = createHash('sha256');
  for (const [at, content] of contents.entries()) hash.update(`${names[at]}\0`).update(content).update('\0');
  return hash.digest('hex');
}

/** The note is written last, so a half-written folder is seen as stale and made again. */
export async function writeDocuments(
  folder: string,
  documents: ReadonlyMap<string, unknown>,
  inputs: string,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await rm(join(folder, digestFile), { force: true });
    const digests: Record<string, string> = {};
    for (const [name, document] of documents) {
      const text = documentText(document);
      digests[name] = digestOf(text);
      writeAtomically(join(folder, `${name}.json`), text);
    }
    for (const name of await readdir(folder)) {
      if (name.endsWith('.json') && name !== digestFile && !documents.has(name.slice(0, -5)))
        await rm(join(folder, name));
    }
    const note: DigestNote = { madeBy: 'fake-api/expand', inputs, documents: digests };
    writeAtomically(join(folder, digestFile), documentText(note));
  } catch (cause) {
    throw new ExpandError(
      'EXPAND_WRITE_FAILED',
      { expected: `a writable folder ${folder}`, got: writeProblem(cause as NodeJS.ErrnoException) },
      { cause },
    );
  }
}

/** Below a read-only disk Node finds no folder to make another in, and says ENOENT. */
const writeProblem = ({ code, syscall, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' && syscall === 'mkdir' ? 'a folder that cannot be made: the disk is read-only' : message;

/** Digest of the inputs that a folder was made from, null when nobody knows. */
export async function writtenFrom(folder: string): Promise<string | null> {
  try {
    return (JSON.parse(await readFile(join(folder, digestFile), 'utf8')) as DigestNote).inputs;
  } catch {
    return null;
  }
}

/** The documents in `folder` when they were made from these inputs and are unharmed, else null. */
export async function readDocuments(folder: string, inputs: string): Promise<Map<string, unknown> | null> {
  try {
    const note = JSON.parse(await readFile(join(folder, digestFile), 'utf8')) as DigestNote;
    if (note.inputs !== inputs) return null;
    const noted = Object.entries(note.documents);
    const contents = await Promise.all(noted.map(([name]) => readFile(join(folder, `${name}.json`))));
    const documents = new Map<string, unknown>();
    for (const [at, [name, digest]] of noted.entries()) {
      const content = contents[at] as Buffer;
      if (digestOf(content) !== digest) return null;
      documents.set(name, JSON.parse(content.toString()));
    }
    return documents;
  } catch {
    // Absent, half written or damaged all mean the same: make them again.
    return null;
  }
}
