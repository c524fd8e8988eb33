/** A subject is a server under test, described as data: how to start it, how to point it at the fake, what its tools are for. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { parse } from 'yaml';
import { moduleIds } from './discover.ts';
import { got, HarnessError } from './errors.ts';

const closed = { additionalProperties: false };
const Environment = Type.Record(Type.String(), Type.String());

const SubjectFile = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]+$' }),
    about: Type.String(),
    /** `working-tree` is this repository's own server; every other subject names a 40-hex commit. */
    source: Type.Union([
      Type.Object({ working_tree: Type.String() }, closed),
      Type.Object({ git: Type.String(), commit: Type.String({ pattern: '^[0-9a-f]{40}$' }) }, closed),
      Type.Object(
        {
          npm: Type.String({ pattern: '^(@[a-z0-9-]+/)?[a-z0-9.-]+@\\d+\\.\\d+\\.\\d+$' }),
          integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
          repository: Type.String({ pattern: '^https://' }),
          /** Of that version. */
          commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
        },
        closed,
      ),
    ]),
    /** `merged`: one document and one address for all platforms, `{document}` and `{api}` in the command line. */
    world: Type.Optional(Type.Literal('merged')),
    /** Tool → file:line@commit of its definition. */
    evidence: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: '^[^ :]+:\\d+@[0-9a-f]{40}$' }))),
    /** Run once to its end before anything is started, such as what would else be built by each process for itself. */
    prepare: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    command: Type.Array(Type.String(), { minItems: 1 }),
    transports: Type.Array(Type.Union([Type.Literal('http'), Type.Literal('stdio')]), { minItems: 1 }),
    /** Environment for each transport, each gate configuration, and always. */
    env: Environment,
    transport_env: Type.Object({ http: Type.Optional(Environment), stdio: Type.Optional(Environment) }, closed),
    gate_env: Type.Object({ closed: Environment, open: Environment }, closed),
    /** What `--mode`, `--profile` and the like set: the variable, and what it may be. The default is in `env`. */
    settings: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z]+$' }),
        Type.Object({ variable: Type.String(), values: Type.Array(Type.String(), { minItems: 1 }) }, closed),
      ),
    ),
    /** Fields of its answers whose values are drawn at random; recordings hold stand-ins for them. */
    opaque: Type.Optional(Type.Array(Type.String())),
    /** Settings under which `tools/list` holds every tool. */
    direct_listing: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** How it asks the person before a write; `none` turns unapproved writes into a gate-absence differential. */
    confirmation: Type.Union([Type.Literal('elicitation'), Type.Literal('none')]),
    roles: Type.Optional(
      Type.Object({ discover: Type.String(), dispatch_read: Type.String(), dispatch_any: Type.String() }, closed),
    ),
  },
  closed,
);

export type Subject = Static<typeof SubjectFile>;
export type Roles = NonNullable<Subject['roles']>;

const isSubject = new Ajv2020({ strict: false }).compile<Subject>(JSON.parse(JSON.stringify(SubjectFile)));
const folder = join(import.meta.dirname, 'subjects');

export async function loadSubject(name: string): Promise<Subject> {
  const known = await moduleIds(folder, '.yaml');
  if (!known.includes(name)) {
    throw new HarnessError('SUBJECT_INVALID', `subject should be one of ${known.join(', ')}, got ${got(name)}`);
  }
  return parseSubject(await readFile(join(folder, `${name}.yaml`), 'utf8'), name);
}

export const subjectNames = (): Promise<string[]> => moduleIds(folder, '.yaml');

export function parseSubject(text: string, name: string): Subject {
  const value: unknown = parse(text);
  if (!isSubject(value)) {
    const error = isSubject.errors?.[0];
    throw new HarnessError(
      'SUBJECT_INVALID',
      `harness/subjects/${name}.yaml: \`${error?.instancePath || '(file)'}\` ${error?.message}`,
    );
  }
  if (value.name !== name) {
    throw new HarnessError(
      'SUBJECT_INVALID',
      `harness/subjects/${name}.yaml: \`name\` should be "${name}", got ${got(value.name)}`,
    );
  }
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
