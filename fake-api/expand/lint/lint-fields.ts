/** Lints over field lines: shares of bare types and repeated texts, descriptions that only say the name again. */
import { createHash } from 'node:crypto';
import type { Field } from '../model/field-line.ts';
import { wordsOf } from '../model/name-spelling.ts';
import type { Platform } from '../model/platform-folder-model.ts';
import type { ResourceModel } from '../model/resource-model.ts';
import type { Finding, LintRule } from './lint-rule.ts';

export interface ModelField {
  readonly owner: string;
  readonly field: Field;
  readonly mixin: boolean;
}

/** Every field line of the platform's documents, each once, however often it is emitted. */
export function modelFields(platform: Platform): ModelField[] {
  const found = new Map<string, ModelField>();
  const note = (owner: string, fields: readonly Field[], mixin = false): void => {
    for (const field of fields)
      found.set(`${field.place.file}:${field.place.line}:${field.place.field}`, { owner, field, mixin });
  };
  for (const view of platform.documents) {
    for (const [name, shape] of view.definitions.mixins) note(name, shape.fields, true);
    for (const [name, shape] of view.definitions.objects) note(name, shape.fields);
    for (const { model } of view.resources) for (const [owner, fields] of fieldsByOwner(model)) note(owner, fields);
  }
  return [...found.values()];
}

function fieldsByOwner(model: ResourceModel): [owner: string, fields: readonly Field[]][] {
  return [
    [model.name, [...model.key, ...model.parameters, ...model.fields]],
    [`${model.name} status`, [...(model.status ?? []), ...(model.stats ?? [])]],
    [`${model.name} search`, model.search ?? []],
    ...[...model.trends, ...model.top].map(({ name, fields }) => owned(`${model.name} ${name}`, fields)),
    ...model.tasks.map(({ name, input, result }) => owned(`${model.name} ${name}`, [...input, ...result])),
    ...[...model.query.values()].map((fields) => owned(`${model.name} query`, fields)),
  ];
}

function owned(owner: string, fields: readonly Field[]): [string, readonly Field[]] {
  return [owner, fields];
}

/** A bare field says nothing about what fits: no limits, no pattern, no values, no format. */
export function isBare({ type }: Field): boolean {
  if (type.kind !== 'scalar' || !['str', 'text', 'int', 'num', 'bool'].includes(type.name)) return false;
  return type.min === undefined && type.max === undefined && type.pattern === undefined;
}

export function shareOfBare(fields: readonly ModelField[]): number {
  return fields.length === 0 ? 0 : fields.filter(({ field }) => isBare(field)).length / fields.length;
}

const fewestSharers = 4;

export function shareOfRepeated(fields: readonly ModelField[]): number {
  const own = fields.filter(({ mixin }) => !mixin);
  const groups = new Map<string, number>();
  for (const { field } of own)
    groups.set(field.description.toLowerCase(), (groups.get(field.description.toLowerCase()) ?? 0) + 1);
  const repeated = own.filter(({ field }) => (groups.get(field.description.toLowerCase()) ?? 0) >= fewestSharers);
  return own.length === 0 ? 0 : repeated.length / own.length;
}

/** Resources with a create, and whether its body has something that must be given. */
export function creatingResources(platform: Platform): { name: string; required: boolean }[] {
  return platform.documents.flatMap((view) =>
    view.resources
      .filter(({ model }) => model.ops.has('C'))
      .map(({ model, style }) => {
        const mixed = model.use.flatMap((spot) => view.definitions.mixins.get(spot.text())?.fields ?? []);
        const keyed = style.create.at === 'collection' && model.key.some((field) => !field.readOnly);
        return { name: model.name, required: keyed || [...model.fields, ...mixed].some((field) => field.required) };
      }),
  );
}

export function sampleOf(
  fields: readonly ModelField[],
  size: number,
): { place: string; field: string; description: string }[] {
  const rank = ({ owner, field }: ModelField): string =>
    createHash('sha256').update(`${owner}.${field.name}`).digest('hex');
  return fields
    .map((each) => ({ each, rank: rank(each) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
    .slice(0, size)
    .map(({ each: { owner, field } }) => ({
      place: `${field.place.file}:${field.place.line}`,
      field: `${owner}.${field.name}`,
      description: field.description,
    }));
}

const smallWords = new Set('a an the of for to in on is be its this that or and by with as at'.split(' '));

/** (e) A description must add words to the name. */
const repeatsName: LintRule = ({ platform }) =>
  modelFields(platform).flatMap(({ field }): Finding[] => {
    const name = new Set(wordsOf(field.name).flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')]));
    const added = wordsOf(field.description).filter((word) => !smallWords.has(word) && !name.has(word));
    if (added.length > 0) return [];
    return [
      finding('e-description', field, `a description that says more than "${field.name}", got "${field.description}"`),
    ];
  });

const fillerValue = /^(value|option|choice|item|type|mode|kind|level|enum)[-_ ]?\d+$/i;

/** (f) Value sets are written by hand: no numbered filler, and a set that occurs often has a name. */
const handMadeSets: LintRule = ({ platform }) => {
  const sets = new Map<string, ModelField[]>();
  const findings: Finding[] = [];
  for (const each of modelFields(platform)) {
    if (each.field.type.kind !== 'enum') continue;
    const { values } = each.field.type;
    const filler = values.find((value) => fillerValue.test(value));
    if (filler) findings.push(finding('f-values', each.field, `values with a meaning, got ${filler}`));
    const key = `${each.field.place.file} ${[...values].sort().join('|')}`;
    sets.set(key, [...(sets.get(key) ?? []), each]);
  }
  for (const [key, users] of sets) {
    if (users.length < fewestSharers) continue;
    findings.push(
      finding(
        'f-values',
        users[0]!.field,
        `a named enum for ${key.split(' ')[1]}, got the same set in ${users.length} fields of one file`,
      ),
    );
  }
  return findings;
};

const spelled = {
  kebab: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
  camel: /^[a-z][A-Za-z0-9]*$/,
  snake: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
};

/** Names are spelled as the style says; a resource may hold a name that the specification spells otherwise. */
const oneSpelling: LintRule = ({ platform }) =>
  [...platform.resources.values()].flatMap(({ model, style }) =>
    model.fields
      .filter((field) => !spelled[style.spelling].test(field.name) && !model.spelledOtherwise.has(field.name))
      .map((field) => finding('spelling', field, `${style.spelling} case, got ${field.name}`)),
  );

function finding(rule: string, field: Field, message: string): Finding {
  return {
    rule,
    place: `${field.place.file}:${field.place.line} ${field.place.field}`,
    message: `expected ${message}`,
  };
}

export const fieldRules: readonly LintRule[] = [repeatsName, handMadeSets, oneSpelling];
