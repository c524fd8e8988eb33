/** The platforms and subjects of this checkout, which the scenarios that are played here may name. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownNames } from '../../scenario/reference-checks.ts';
import { subjectNames } from '../../subject/subject.ts';

export async function knownNames(root: string): Promise<KnownNames> {
  const entries = await readdir(join(root, 'fake-api', 'platforms'), { withFileTypes: true });
  const platforms = entries.filter((entry) => entry.isDirectory() && entry.name !== 'shared').map(({ name }) => name);
  return { platforms: platforms.sort(), subjects: await subjectNames() };
}
