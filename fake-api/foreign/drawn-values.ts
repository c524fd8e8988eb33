/**
 * Values for schemas of foreign documents. Each is drawn from a dice of its own, named by what the value is for, so
 * equal calls have equal answers. A later attempt tries another branch of a union and leaves more out.
 */

import { type OpenApiDocument, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { Dice, type Part } from '../engine/state/determinism.ts';
import { isObject } from '../engine/state/json-value.ts';
import { flat, merged } from './flattened-schema.ts';
import { drawNumber, drawText } from './scalars.ts';
import { checkOf, type Direction } from './schema-checks.ts';

export interface Draw {
  document: OpenApiDocument;
  origin: readonly Part[];
  nowMs: number;
  direction: Direction;
  attempt: number;
  /** Leave optional fields out. */
  sparse?: boolean;
  /** Do not repeat the examples of a schema: for values that must differ. */
  plain?: boolean;
}

/** Enough to try every branch of the widest unions met. */
const MOST_ATTEMPTS = 24;
const OPTIONAL_DEPTH = 2;
const MOST_DEPTH = 12;

/** The first attempt that fits the schema, else the first one. Given fields are kept where they fit. */
export function drawFitting(
  of: Omit<Draw, 'attempt'>,
  schema: Schema,
  given?: unknown,
): { value: unknown; fits: boolean } {
  const check = checkOf(of.document, schema, of.direction);
  let first: unknown;
  for (const start of given === undefined ? [undefined] : [given, undefined]) {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const value = draw({ ...of, attempt }, schema, start);
      if (attempt === 0 && first === undefined) first = value;
      if (check(value) === null) return { value, fits: true };
    }
  }
  return { value: first, fits: false };
}

export function draw(of: Draw, schema: Schema, given?: unknown): unknown {
  return node(of, schema, given, [], [])[0];
}

type Drawn = [unknown] | [];

/** Nothing is drawn where a circle of references closes and the value may be left out. */
function node(of: Draw, schema: Schema, given: unknown, path: string[], stack: readonly Schema[]): Drawn {
  const at = flat(of.document, schema);
  if (path.length > MOST_DEPTH || stack.filter((entry) => entry === at).length > 1) {
    return typesOf(at).includes('null') ? [null] : [];
  }
  const below =
    at.properties === undefined && at.items === undefined && at.oneOf === undefined && at.anyOf === undefined
      ? stack
      : [...stack, at];
  if (at.const !== undefined) return [at.const];
  const dice = new Dice(...of.origin, ...path);
  if (at.enum !== undefined && at.enum.length > 0) {
    const solid = at.enum.filter((entry) => entry !== null);
    return [solid.length === 0 ? null : solid[(dice.int(0, solid.length - 1) + of.attempt) % solid.length]];
  }
  const branches = at.oneOf ?? at.anyOf;
  if (branches !== undefined) return union(of, at, branches, given, path, below);
  const types = typesOf(at).filter((type) => type !== 'null');
  const type = types.length > 1 ? types[of.attempt % types.length] : types[0];
  if (type === undefined && typesOf(at).length > 0) return [null];
  if (
    type === 'object' ||
    (type === undefined && (at.properties !== undefined || at.additionalProperties !== undefined || isObject(given)))
  )
    return object(of, at, isObject(given) ? given : {}, path, below);
  if (type === 'array') return [array(of, at, path, below)];
  const told = of.plain === true ? undefined : exampleOf(of, at, schema);
  if (told !== undefined) return [told];
  if (
    at.default !== undefined &&
    at.default !== null &&
    of.plain !== true &&
    checkOf(of.document, schema, of.direction)(at.default) === null
  )
    return [at.default];
  switch (type) {
    case 'integer':
      return [drawNumber(at, dice, true)];
    case 'number':
      return [drawNumber(at, dice, false)];
    case 'boolean':
      return [dice.chance(0.5)];
    case 'string':
      return [drawText(at, dice, of.nowMs, path)];
    default:
      return [{}];
  }
}

/** A plain value that the author of the schema gave as its example. */
function exampleOf(of: Draw, at: Schema, schema: Schema): unknown {
  const told = at.examples?.[0] ?? at['example'];
  if (told === undefined || told === null || typeof told === 'object') return undefined;
  return checkOf(of.document, schema, of.direction)(told) === null ? told : undefined;
}

function union(
  of: Draw,
  at: Schema,
  branches: Schema[],
  given: unknown,
  path: string[],
  stack: readonly Schema[],
): Drawn {
  const { oneOf: _one, anyOf, ...own } = at;
  const rest: Schema = at.oneOf !== undefined && anyOf !== undefined ? { ...own, anyOf } : own;
  const solid = branches.filter(
    (branch) =>
      !typesOf(flat(of.document, branch)).every((type) => type === 'null') ||
      typesOf(flat(of.document, branch)).length === 0,
  );
  if (solid.length === 0) return [null];
  const fitting = isObject(given) ? solid.findIndex((branch) => takes(of, branch, given)) : -1;
  const branch = solid[(Math.max(fitting, 0) + of.attempt) % solid.length] as Schema;
  const chosen = chosenOf(of.document, at, rest, branch);
  const drawn = node(of, chosen, given, path, stack);
  return drawn.length === 1 && isObject(drawn[0]) ? [{ ...drawn[0], ...discriminated(at, branch) }] : drawn;
}

const choices = new WeakMap<Schema, Map<Schema, Schema>>();

/** A union with one branch taken, always the same object, so that what is compiled for it is compiled once. */
function chosenOf(document: OpenApiDocument, at: Schema, rest: Schema, branch: Schema): Schema {
  const known = choices.get(at) ?? new Map<Schema, Schema>();
  choices.set(at, known);
  const chosen = known.get(branch) ?? merged(rest, flat(document, branch));
  known.set(branch, chosen);
  return chosen;
}

function takes(of: Draw, branch: Schema, given: Record<string, unknown>): boolean {
  const properties = flat(of.document, branch).properties ?? {};
  return (
    (flat(of.document, branch).required ?? []).every((name) => name in given) &&
    Object.keys(given).some((name) => name in properties)
  );
}

function discriminated(at: Schema, branch: Schema): Record<string, unknown> {
  const discriminator = at['discriminator'];
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return {};
  const mapping = isObject(discriminator['mapping']) ? discriminator['mapping'] : {};
  const last = branch.$ref?.split('/').at(-1);
  const name = Object.keys(mapping).find((key) => mapping[key] === branch.$ref || mapping[key] === last) ?? last;
  return name === undefined ? {} : { [discriminator['propertyName']]: name };
}

function object(of: Draw, at: Schema, given: Record<string, unknown>, path: string[], stack: readonly Schema[]): Drawn {
  const required = new Set(at.required ?? []);
  const properties = at.properties ?? {};
  const names = [...new Set([...Object.keys(properties), ...required])];
  const built: Record<string, unknown> = {};
  const extra: string[] = [];
  for (const name of names) {
    const property = properties[name] ?? (isObject(at.additionalProperties) ? (at.additionalProperties as Schema) : {});
    const seen = flat(of.document, property);
    if (of.direction === 'response' ? seen.writeOnly === true : seen.readOnly === true) continue;
    if (name in given && checkOf(of.document, property, of.direction)(given[name]) === null) {
      built[name] = given[name];
      continue;
    }
    if (!required.has(name) && (of.sparse === true || of.attempt > 3 || path.length >= OPTIONAL_DEPTH)) {
      extra.push(name);
      continue;
    }
    const drawn = node(of, property, undefined, [...path, name], stack);
    if (drawn.length === 1) built[name] = drawn[0];
    // A circle that must not be left open: only the smallest object can close it.
    else if (required.has(name)) {
      if (path.length > MOST_DEPTH) return [];
      built[name] = typesOf(seen).includes('array') ? [] : {};
    }
  }
  for (const name of extra) {
    if (Object.keys(built).length >= (at.minProperties ?? 0)) break;
    const drawn = node(of, properties[name] as Schema, undefined, [...path, name], stack);
    if (drawn.length === 1) built[name] = drawn[0];
  }
  if (names.length === 0) addNamed(of, at, given, built, path, stack);
  return [built];
}

/** An object of any names: what was given, else one entry that shows the kind. */
function addNamed(
  of: Draw,
  at: Schema,
  given: Record<string, unknown>,
  built: Record<string, unknown>,
  path: string[],
  stack: readonly Schema[],
): void {
  const value = isObject(at.additionalProperties) ? (at.additionalProperties as Schema) : null;
  for (const [name, entry] of Object.entries(given)) {
    if (at.additionalProperties === false) return;
    if (value === null || checkOf(of.document, value, of.direction)(entry) === null) built[name] = entry;
  }
  const wanted = Math.max(at.minProperties ?? 0, value === null || path.length > OPTIONAL_DEPTH ? 0 : 1);
  for (let count = Object.keys(built).length; count < wanted; count += 1) {
    const name = count === 0 ? 'key' : `key-${count + 1}`;
    const drawn = value === null ? ['value'] : node(of, value, undefined, [...path, name], stack);
    if (drawn.length === 1) built[name] = drawn[0];
  }
}

function array(of: Draw, at: Schema, path: string[], stack: readonly Schema[]): unknown[] {
  const least = at.minItems ?? 0;
  const wanted = Math.min(
    at.maxItems ?? Number.POSITIVE_INFINITY,
    Math.max(least, path.length > OPTIONAL_DEPTH || of.attempt > 3 ? least : 1),
  );
  const built: unknown[] = [];
  const seen = new Set<string>();
  for (const [position, schema] of ((at['prefixItems'] as Schema[] | undefined) ?? []).entries()) {
    const drawn = node(of, schema, undefined, [...path, String(position)], stack);
    if (drawn.length === 1) built.push(drawn[0]);
  }
  const items = at.items ?? {};
  for (let position = built.length; built.length < wanted && position < wanted * 4; position += 1) {
    const drawn = node(
      position > 0 ? { ...of, plain: true, attempt: of.attempt + position } : of,
      items,
      undefined,
      [...path, String(position)],
      stack,
    );
    if (drawn.length === 0) break;
    const mark = JSON.stringify(drawn[0]);
    if (at.uniqueItems === true && seen.has(mark)) continue;
    seen.add(mark);
    built.push(drawn[0]);
  }
  return built;
}
