/** The platforms, subjects and operations of this checkout, which the scenarios that are played here may name. */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { KnownNames } from '../../scenario/reference-checks.ts';
import { SCENARIOS } from '../../scenario/scenario.ts';
import { statedOperations } from '../../scenario/stated-operations.ts';
import { subjectNames } from '../../subject/subject.ts';

/** Operations are looked up for a folder of somebody's own, once the fake has written its documents; a test looks at those of `scenarios`. */
export async function knownNames(root: string, folder: string = SCENARIOS): Promise<KnownNames> {
  const entries = await readdir(join(root, 'fake-api', 'platforms'), { withFileTypes: true });
  const platforms = entries.filter((entry) => entry.isDirectory() && entry.name !== 'shared').map(({ name }) => name);
  const isOwn = resolve(root, folder) !== resolve(root, SCENARIOS);
  const operations = isOwn ? await statedOperations(root) : [];
  return {
    platforms: platforms.sort(),
    subjects: await subjectNames(),
    ...(operations.length === 0 ? {} : { operations }),
  };
}
