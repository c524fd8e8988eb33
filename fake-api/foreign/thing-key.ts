/** Which field of a thing the end of its path names. */
import { flat, flatWithoutNull, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import {
  type OpenApiDocument,
  type ParameterObject,
  plainName,
  type Schema,
  typesOf,
} from '../engine/openapi/openapi-document.ts';
import type { Entity } from './entity.ts';
import { singularOfNoun } from './item-path.ts';

/** The field, and another one by which the path finds a thing as well. */
export function keysOf(
  document: OpenApiDocument,
  schema: Schema,
  noun: string,
  declared: ParameterObject | undefined,
): Pick<Entity, 'key' | 'otherKey'> {
  const either = declared === undefined ? null : eitherNames(declared);
  const parameter = either?.key ?? declared?.name ?? null;
  const key = keyPathIn(document, schema, { parameter, noun, keySchema: declared?.schema ?? null }, 0);
  return { key, otherKey: key === null ? null : otherKeyIn(document, schema, key, either?.other) };
}

interface KeyQuestion {
  parameter: string | null;
  noun: string;
  keySchema: Schema | null;
}

/** Objects inside a thing in which platforms keep what identifies it. */
const HOLDERS = ['metadata', 'sys', 'attributes', 'data', 'identity', 'info', 'properties'];

/** `issue_number` names `number`, `team_slug` names `slug`, `petId` names `id`, `name` may name `metadata.name`. */
function keyPathIn(document: OpenApiDocument, schema: Schema, asked: KeyQuestion, depth: number): string[] | null {
  const properties = propertiesOf(document, schema);
  const byPlain = new Map(Object.keys(properties).map((name) => [plainName(name), name]));
  for (const wanted of keyNames(asked)) {
    const name = byPlain.get(plainName(wanted));
    const found = name === undefined ? null : keyAt(document, name, properties[name] as Schema, asked.keySchema);
    if (found !== null) return found;
  }
  if (depth > 1) return null;
  const singular = plainName(singularOfNoun(asked.noun));
  for (const wanted of [...HOLDERS, singular]) {
    const name = byPlain.get(wanted);
    if (name === undefined) continue;
    const below = keyPathIn(document, properties[name] as Schema, asked, depth + 1);
    if (below !== null) return [name, ...below];
  }
  return null;
}

/** The field itself, or the id in an object that is called so: `{ "id": { "kind": "device", "id": "…" } }`. */
function keyAt(document: OpenApiDocument, name: string, property: Schema, keySchema: Schema | null): string[] | null {
  if (canBeKey(document, name, property, keySchema)) return [name];
  if (!/id$/i.test(name)) return null;
  const inside = propertiesOf(document, flatWithoutNull(document, property));
  const inner = ['id', 'uuid', 'value'].find(
    (each) => Object.hasOwn(inside, each) && canBeKey(document, each, inside[each] as Schema, keySchema),
  );
  return inner === undefined ? null : [name, inner];
}

function keyNames({ parameter, noun }: KeyQuestion): string[] {
  const words = parameter === null ? [] : parameter.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);
  const suffixes = words.map((_, at) => words.slice(at).join(''));
  // A path that asks for a name is not answered with a number.
  const spoken = /(name|login)$/i.test(parameter ?? '') ? ['login', 'name', 'slug'] : [];
  const usual = ['id', 'uuid', 'guid', 'uid', 'sid', 'gid', 'name', 'key', 'slug', 'number', 'code', 'serial'];
  return [...suffixes, `${singularOfNoun(noun)}_id`, ...spoken, ...usual];
}

/** A path may ask for a number where the thing has its id as a text of any form. */
const isFreeId = (name: string, { format, pattern }: Schema): boolean =>
  /id$/i.test(name) && format === undefined && pattern === undefined;

const isNumeric = (types: readonly string[]): boolean => types.includes('integer') || types.includes('number');

function canBeKey(document: OpenApiDocument, name: string, property: Schema, keySchema: Schema | null): boolean {
  const at = flatWithoutNull(document, property);
  const types = [at, ...(at.oneOf ?? []), ...(at.anyOf ?? [])].flatMap((form) => typesOf(flat(document, form)));
  // An id of which nothing is said is a text.
  const isKeyType = (type: string) => type === 'string' || type === 'integer' || type === 'number';
  if (!(types.some(isKeyType) || (types.length === 0 && /id$/i.test(name)))) return false;
  const asked = keySchema === null ? [] : typesOf(flat(document, keySchema));
  if (isNumeric(asked) && !isNumeric(types) && !isFreeId(name, at)) return false;
  // A word of a short list, a moment or a secret tells no two things apart.
  return at.enum === undefined && at.const === undefined && !/^(date|date-time|password|binary)$/.test(at.format ?? '');
}

const IDS = 'id|uuid|guid|uid|key|number';
const OTHERS = 'name|slug|login|username|hostname|path|alias|code|serial|email|label';
const EITHER = new RegExp(`(${IDS}|${OTHERS})or(${IDS}|${OTHERS})$`);
const EITHER_IN_WORDS = new RegExp(
  `\\b(${IDS}|${OTHERS})\\s+or\\s+(?:the\\s+|its\\s+|a\\s+)?(${IDS}|${OTHERS})\\b`,
  'i',
);

/** The two fields by which a path finds a thing, as its parameter is called or described: `name_or_id`, "ID or name". */
function eitherNames({ name, description }: ParameterObject): { key: string; other: string } | null {
  const words = EITHER.exec(plainName(name)) ?? EITHER_IN_WORDS.exec(description ?? '');
  if (words === null) return null;
  const [first = '', second = ''] = words.slice(1).map((word) => word.toLowerCase());
  const isSecondId = IDS.split('|').includes(second);
  return isSecondId ? { key: second, other: first } : { key: first, other: second };
}

/** Names that lead to the other field by which a thing is found, which stands beside its key. */
function otherKeyIn(
  document: OpenApiDocument,
  schema: Schema,
  key: readonly string[],
  other: string | undefined,
): string[] | null {
  if (other === undefined) return null;
  const holder = key.slice(0, -1);
  const at = holder.reduce((inner, name) => propertiesOf(document, inner)[name] ?? {}, schema);
  const name = Object.keys(propertiesOf(document, at)).find((each) => plainName(each) === other);
  return name === undefined || name === key.at(-1) ? null : [...holder, name];
}
