/** Subject files → subjects: read, checked, and with some of their settings changed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { didYouMean, got, HarnessError } from '../harness-errors.ts';
import { readDescribed } from './described-file.ts';
import { moduleIds } from './module-folder.ts';
import { evidenceGaps } from './subject-evidence.ts';
import { unknownPlaceholder } from './subject-placeholders.ts';
import { type Subject, SubjectFile } from './subject-schema.ts';

export type { Subject };

const isSubject = new Ajv2020({ strict: false }).compile<Subject>(JSON.parse(JSON.stringify(SubjectFile)));
const folder = join(import.meta.dirname, '..', 'subjects');

export async function loadSubject(name: string): Promise<Subject> {
  const known = await moduleIds(folder, '.yaml');
  if (!known.includes(name)) {
    const nearest = didYouMean(name, known);
    throw new HarnessError(
      'SUBJECT_INVALID',
      `subject should be one of ${known.join(', ')}, got ${got(name)}${nearest}`,
    );
  }
  return parseSubject(await readFile(join(folder, `${name}.yaml`), 'utf8'), name);
}

export const subjectNames = (): Promise<string[]> => moduleIds(folder, '.yaml');

export function parseSubject(text: string, name: string): Subject {
  const invalid = (what: string, cause?: unknown) =>
    new HarnessError('SUBJECT_INVALID', `harness/subjects/${name}.yaml: ${what}`, { cause });
  const value = readDescribed(text, isSubject, invalid);
  if (value.name !== name) throw invalid(`\`name\` should be "${name}", got ${got(value.name)}`);
  const placeholder = unknownPlaceholder(value);
  if (placeholder !== undefined) throw invalid(placeholder);
  const gaps = evidenceGaps(value);
  if (gaps.length > 0) throw invalid(gaps.join('; '));
  return value;
}

/** The subject with some of its settings changed, and every setting's value. */
export function withSettings(
  subject: Subject,
  wanted: Record<string, string>,
): { subject: Subject; settings: Record<string, string> } {
  const known = subject.settings ?? {};
  for (const [name, value] of Object.entries(wanted)) {
    const values = known[name]?.values ?? [];
    if (!values.includes(value)) {
      const expected =
        values.length === 0 ? `left out: subject ${subject.name} has no ${name}` : `one of ${values.join(', ')}`;
      throw new HarnessError('USAGE', `--${name} should be ${expected}, got ${got(value)}`);
    }
  }
  const changed = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [known[name]!.variable, value]));
  const env = { ...subject.env, ...changed };
  const settings = Object.fromEntries(Object.entries(known).map(([name, { variable }]) => [name, env[variable] ?? '']));
  return { subject: { ...subject, env }, settings };
}
