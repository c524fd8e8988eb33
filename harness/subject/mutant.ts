/**
 * A mutant is a patched copy of the subject: proof that a gate can turn red. It is data (which gate, which text becomes
 * which), and the server itself carries no switch for it.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { HarnessError } from '../harness-errors.ts';
import { readDescribed } from './described-file.ts';
import { moduleIds } from './module-folder.ts';

const closed = { additionalProperties: false };

const MutantFile = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]+$' }),
    about: Type.String({ minLength: 10 }),
    gate: Type.Union([
      Type.Literal('safety_failure'),
      Type.Literal('task_success'),
      Type.Literal('token_usage'),
      Type.Literal('api_call_count'),
      Type.Literal('oracle'),
      Type.Literal('injection'),
    ]),
    /** Ids or suites, of the golden scenarios and of those in `harness/controls/scenarios`. */
    scenarios: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    agents: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** For the gate `injection`: on a connection that can ask the person, or on one that cannot. */
    elicits: Type.Optional(Type.Boolean()),
    /** Played for every change, whatever the change touches. */
    every_change: Type.Optional(Type.Boolean()),
    edits: Type.Array(
      Type.Object(
        { file: Type.String({ pattern: '^server/' }), search: Type.String({ minLength: 1 }), replace: Type.String() },
        closed,
      ),
      { minItems: 1 },
    ),
  },
  closed,
);

export type Mutant = Static<typeof MutantFile>;

const isMutant = new Ajv2020({ strict: false }).compile<Mutant>(JSON.parse(JSON.stringify(MutantFile)));
const folder = join(import.meta.dirname, '..', 'controls', 'mutants');

/** No program loads it, and its tests install packages into it while a copy may be made. */
const TESTS = join('server', 'test');

export async function loadMutants(): Promise<Mutant[]> {
  const names = await moduleIds(folder, '.yaml');
  return Promise.all(
    names.map(async (name) => parseMutant(await readFile(join(folder, `${name}.yaml`), 'utf8'), name)),
  );
}

export function parseMutant(text: string, name: string): Mutant {
  const invalid = (what: string, cause?: unknown) =>
    new HarnessError('MUTANT_INVALID', `harness/controls/mutants/${name}.yaml: ${what}`, { cause });
  const value = readDescribed(text, isMutant, invalid);
  if (value.name !== name) throw invalid(`\`name\` should be "${name}", got "${value.name}"`);
  return value;
}

export interface PatchedCopy extends AsyncDisposable {
  root: string;
}

/** The server, patched, in a folder of its own; what it only reads is linked. */
export async function patchedCopy(root: string, mutant: Mutant): Promise<PatchedCopy> {
  const copy = await mkdtemp(join(tmpdir(), `mutant-${mutant.name}-`));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    await cp(join(root, 'server'), join(copy, 'server'), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => relative(root, path) !== TESTS,
    });
    await cp(join(root, 'package.json'), join(copy, 'package.json'));
    const own = needsOwnCatalog(mutant);
    if (own) await mkdir(join(copy, 'var'));
    for (const name of ['node_modules', ...(own ? ['var/openapi', 'var/compiled'] : ['var'])]) {
      await symlink(join(root, name), join(copy, name));
    }
    for (const edit of mutant.edits) {
      const file = join(copy, edit.file);
      await writeFile(file, patched(await readFile(file, 'utf8'), edit, mutant.name));
    }
    return { root: copy, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The code that reads documents and indexes them is an input of the catalog, so a patch of it makes another one. */
export function needsOwnCatalog(mutant: Pick<Mutant, 'edits'>): boolean {
  return mutant.edits.some((edit) => /^server\/(catalog|search|spec-index)\//.test(edit.file));
}

/** A search text that matches twice, or no more, is a mutant nobody can trust. */
export function patched(text: string, edit: Mutant['edits'][number], name: string): string {
  const matches = text.split(edit.search).length - 1;
  if (matches === 1) return text.replace(edit.search, () => edit.replace);
  throw new HarnessError(
    'MUTANT_INVALID',
    `mutant ${name}: the search text should match once in ${edit.file}, got ${matches} matches`,
  );
}
