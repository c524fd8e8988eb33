/** The files of a try: the result, the page, the recordings and the scenarios that were made. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';
import { got, HarnessError } from '../harness-errors.ts';
import { lineOf } from '../recording/run-journal.ts';
import type { Tried } from './run-try.ts';
import { badgeOf } from './try-badge.ts';
import { junitOf } from './try-junit.ts';
import { tryPage } from './try-page.ts';
import { TRY_VERSION, type TryResult } from './try-result.ts';

export interface AlsoWritten {
  junit?: string;
  badge?: string;
}

/** Returns the page that a person should open. */
export async function writeTry(root: string, folder: string, tried: Tried, also: AlsoWritten): Promise<string> {
  const { result, recordings, files } = tried;
  for (const [id, text] of Object.entries(files)) {
    const file = join(folder, 'scenarios', `${id}.yaml`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await writeAtomically(join(folder, 'recordings.jsonl'), recordings.map(lineOf).join(''));
  await writeAtomically(join(folder, 'try.json'), `${JSON.stringify(result, null, 1)}\n`);
  const page = join(folder, 'try.html');
  await writeAtomically(page, await tryPage(root, result, recordings));
  if (also.junit !== undefined) await writeAtomically(also.junit, junitOf(result));
  if (also.badge !== undefined) await writeAtomically(also.badge, badgeOf(result));
  return page;
}

const REMEDY = 'name the try.json that an earlier `svc-mcp-bench try` wrote, in the folder of its --out';

/** `option` is what names the file. */
export async function readTry(file: string, option: string): Promise<TryResult> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new HarnessError('RECORDING_INVALID', `${option} should name a try.json, got ${cause.message}`, {
      cause,
      remedy: REMEDY,
    });
  });
  try {
    const value = JSON.parse(text) as Partial<TryResult> | null;
    if (value?.version === TRY_VERSION && Array.isArray(value.rows)) return value as TryResult;
    throw new Error(`version ${got(value?.version)}`);
  } catch (cause) {
    throw new HarnessError(
      'RECORDING_INVALID',
      `${file} should be a try.json of version ${TRY_VERSION}, got ${(cause as Error).message}`,
      { cause, remedy: REMEDY },
    );
  }
}
