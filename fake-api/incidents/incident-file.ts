/**
 * An incident as it lies on disk: what is wrong, where the cause can be read, and what every platform shows of it. The folder
 * `fixtures/incidents` is the registry; a file's name is the name of the incident.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, digestOf } from '../engine/state/json-value.ts';
import { FakeApiError } from '../fake-errors.ts';
import { readLocatedYaml, type YamlPath } from '../located-yaml.ts';

const closed = { additionalProperties: false };
/** `platform/resource`. */
const Place = Type.String({ pattern: '^[a-z]+/[A-Za-z0-9_-]+$' });
const RowsName = Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' });
/** Field to a value, or to `{not}`, `{in}`, `{min}`, `{max}`, `{contains}` with one. */
const Where = Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 });
const Most = Type.Integer({ minimum: 1, maximum: 10_000 });
const Fields = Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 });

/** Rows of the network before the incident that its symptoms refer to as `{{name.field}}`. */
const NamedRows = Type.Object({ of: Place, where: Where, most: Type.Optional(Most) }, closed);

const Symptom = Type.Object(
  {
    in: Place,
    /** Once for each of the named rows; the name then stands for the one. */
    for: Type.Optional(RowsName),
    where: Type.Optional(Where),
    most: Type.Optional(Most),
    /** Fields that the selected rows get. */
    set: Type.Optional(Fields),
    /** Fields of a new row. */
    add: Type.Optional(Fields),
    /** Takes the selected rows away. */
    remove: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const IncidentFile = Type.Object(
  {
    /** What the people in the building notice, in one sentence. */
    about: Type.String({ minLength: 20, maxLength: 300 }),
    /** What is really wrong, and the field that says so. */
    cause: Type.Object(
      { says: Type.String({ minLength: 20, maxLength: 400 }), in: Place, where: Where, field: Type.String() },
      closed,
    ),
    rows: Type.Optional(Type.Record(RowsName, NamedRows)),
    symptoms: Type.Array(Symptom, { minItems: 1 }),
  },
  closed,
);

export type IncidentFacts = Static<typeof IncidentFile>;
export type SymptomFacts = Static<typeof Symptom>;

export interface Incident extends IncidentFacts {
  name: string;
  digest: string;
  /** Throws `INCIDENT_INVALID` with the file and the line of a path. */
  refuse: (path: YamlPath, expected: string, got: string) => never;
}

const check = Compile(IncidentFile);
const FOLDER = fileURLToPath(new URL('../fixtures/incidents/', import.meta.url));

export async function incidentNames(folder = FOLDER): Promise<string[]> {
  const entries = existsSync(folder) ? await readdir(folder) : [];
  return entries
    .filter((entry) => entry.endsWith('.yaml'))
    .map((entry) => entry.slice(0, -'.yaml'.length))
    .sort();
}

/** Throws `FAKE_UNKNOWN_INCIDENT`, or `INCIDENT_INVALID` for a file of another shape. */
export async function readIncident(name: string, folder = FOLDER): Promise<Incident> {
  const known = await incidentNames(folder);
  if (!known.includes(name))
    throw new FakeApiError('FAKE_UNKNOWN_INCIDENT', { incident: name, known: known.join(', ') });
  const file = `incidents/${name}.yaml`;
  const { value, lineOf } = await readLocatedYaml(join(folder, `${name}.yaml`), file);
  const refuse = (path: YamlPath, expected: string, got: string): never => {
    const field = path.join('.') || '(whole file)';
    throw new FakeApiError('INCIDENT_INVALID', { file, line: lineOf(path), field, expected, got });
  };
  if (!check.Check(value)) {
    const found = check.Errors(value)[0];
    const path = (found?.instancePath ?? '').split('/').slice(1);
    return refuse(path, found?.message ?? 'a fitting value', describe(at(value, path)));
  }
  for (const [index, symptom] of value.symptoms.entries()) checkShape(symptom, ['symptoms', index], refuse);
  return { ...value, name, digest: digestOf(value), refuse };
}

/** Each symptom does one thing, and to rows that it selects. */
function checkShape(symptom: SymptomFacts, path: YamlPath, refuse: Incident['refuse']): void {
  const verbs = ['set', 'add', 'remove'].filter((verb) => verb in symptom);
  if (verbs.length !== 1) refuse(path, 'one of set, add and remove', verbs.join(' and ') || 'none of them');
  if ((symptom.add === undefined) !== (symptom.where !== undefined))
    refuse(path, 'where beside set or remove, and none beside add', symptom.where === undefined ? 'none' : 'where');
}

function at(value: unknown, path: YamlPath): unknown {
  let found = value;
  for (const step of path) found = (found as Record<string | number, unknown> | null | undefined)?.[step];
  return found;
}
