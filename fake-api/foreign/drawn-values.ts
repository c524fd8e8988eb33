/**
 * Values for schemas of foreign documents. Each is drawn from a dice of its own, named by what the value is for, so
 * equal calls have equal answers. A later attempt tries another branch of a union and leaves more out.
 */
import { flat, merged } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { Dice, type Part } from '../engine/state/determinism.ts';
import { byName, isObject, own } from '../engine/state/json-value.ts';
import { checkOf, type Direction } from './foreign-schema-checks.ts';
import { isIdAt, isOwnHolder } from './identity-fields.ts';
import { drawEnum, drawNumber, drawText } from './scalars.ts';
import { isUniqueByName, semanticNumber, semanticText } from './semantic-scalar.ts';

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
  /** Plain names of the fields that identify the drawn thing: no two things share an example of them. */
  identity?: ReadonlySet<string>;
  /** What is given was sent, so a union takes it as it did then. */
  isSent?: boolean;
}

/** Enough to try every branch of the widest unions met. */
const MOST_ATTEMPTS = 24;
const OPTIONAL_DEPTH = 2;
const MOST_DEPTH = 12;

/** The first attempt that fits the schema, else the first one. Given fields are kept where they fit, those that were sent where they fitted then. */
export function drawFitting(
  of: Omit<Draw, 'attempt'>,
  schema: Schema,
  given?: unknown,
): { value: unknown; fits: boolean } {
  let first: unknown;
  for (const { start, direction } of startsOf(of, given)) {
    const check = checkOf(of.document, schema, direction);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const value = draw({ ...of, direction, attempt }, schema, start);
      if (attempt === 0 && first === undefined) first = value;
      if (check(value) === null) return { value, fits: true };
    }
  }
  return { value: first, fits: false };
}

/** What a value may begin with, and what it is then checked as. */
function startsOf(
  { direction, isSent }: Pick<Draw, 'direction' | 'isSent'>,
  given: unknown,
): { start: unknown; direction: Direction }[] {
  const bare = { start: undefined, direction };
  if (given === undefined) return [bare];
  const asSent = isSent === true && direction === 'response' ? [{ start: given, direction: 'shown' as const }] : [];
  return [{ start: given, direction }, ...asSent, bare];
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
  if (at.const !== undefined) return [at.const];
  const dice = new Dice(...of.origin, ...path);
  if (at.enum !== undefined && at.enum.length > 0) return [drawEnum(at.enum, dice, of.attempt)];
  const below = isBranching(at) ? [...stack, at] : stack;
  const branches = at.oneOf ?? at.anyOf;
  if (branches !== undefined) return union(of, at, branches, given, path, below);
  switch (typeOf(at, given, of.attempt)) {
    case 'null':
      return [null];
    case 'object':
      return object(of, at, isObject(given) ? given : {}, path, below);
    case 'array':
      return [list(of, at, given, path, below)];
    default:
      return [statedScalar(of, at, schema, path) ?? scalar(of, at, dice, path)];
  }
}

function isBranching({ properties, items, oneOf, anyOf }: Schema): boolean {
  return properties !== undefined || items !== undefined || oneOf !== undefined || anyOf !== undefined;
}

/** One of the declared types in turn; without any, what the schema or the given value looks like. */
function typeOf(at: Schema, given: unknown, attempt: number): string | undefined {
  const declared = typesOf(at);
  const types = declared.filter((type) => type !== 'null');
  if (types.length > 0) return types[attempt % types.length];
  if (declared.length > 0) return 'null';
  const isObjectShaped = at.properties !== undefined || at.additionalProperties !== undefined || isObject(given);
  return isObjectShaped ? 'object' : undefined;
}

/** The example or the default of a plain value, where it fits. */
function statedScalar(of: Draw, at: Schema, schema: Schema, path: readonly string[]): unknown {
  if (of.plain === true || (of.identity !== undefined && isIdAt(path, of.identity))) return undefined;
  const told = exampleOf(of, at, schema);
  if (told !== undefined || at.default === undefined || at.default === null) return told;
  return checkOf(of.document, schema, of.direction)(at.default) === null ? at.default : undefined;
}

function scalar(of: Draw, at: Schema, dice: Dice, path: string[]): unknown {
  switch (typeOf(at, undefined, of.attempt)) {
    case 'integer':
      return semanticNumber({ schema: at, dice, row: of.origin, path }, true) ?? drawNumber(at, dice, true);
    case 'number':
      return semanticNumber({ schema: at, dice, row: of.origin, path }, false) ?? drawNumber(at, dice, false);
    case 'boolean':
      return dice.chance(0.5);
    case 'string':
      return namedText(of, at, dice, path) ?? drawText(at, dice, of.nowMs, path);
    default:
      return {};
  }
}

/** A text that fits the name of its field; what identifies a thing is drawn so that no two share it. */
function namedText(of: Draw, at: Schema, dice: Dice, path: string[]): string | null {
  const isId = of.identity !== undefined && isIdAt(path, of.identity) && !isUniqueByName(path.at(-1) ?? '');
  return isId || at.pattern !== undefined ? null : semanticText({ schema: at, dice, row: of.origin, path });
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
  if (drawn.length !== 1 || !isObject(drawn[0])) return drawn;
  const told = { ...drawn[0], ...discriminated(at, branch) };
  // A branch that lists its own values for the field knows them better than the name of its schema.
  return [checkOf(of.document, chosen, of.direction)(told) === null || !isFit(of, chosen, drawn[0]) ? told : drawn[0]];
}

const isFit = (of: Draw, schema: Schema, value: unknown): boolean =>
  checkOf(of.document, schema, of.direction)(value) === null;

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
  const { properties = {}, required = [] } = flat(of.document, branch);
  return (
    required.every((name) => Object.hasOwn(given, name)) &&
    Object.keys(given).some((name) => Object.hasOwn(properties, name))
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
  const names = [...new Set([...Object.keys(at.properties ?? {}), ...required])];
  const built = byName<unknown>();
  const extra: string[] = [];
  for (const name of names) {
    const property = propertyOf(at, name);
    if (isOfOtherSide(of, property)) continue;
    if (isGiven(of, given, name, property, path)) built[name] = given[name];
    else if (isHolder(own(given, name))) addDrawn(of, built, name, property, path, stack, given[name]);
    else if (required.has(name)) addRequired(of, built, name, property, path, stack);
    else if (isLeftOut(of, path)) extra.push(name);
    else addDrawn(of, built, name, property, path, stack);
  }
  addExtra(of, at, extra, built, path, stack);
  if (names.length === 0) addNamed(of, at, given, built, path, stack);
  return [built];
}

/** What is given for a field is taken as it is where it fits and is more than what identifies the thing. */
function isGiven(
  of: Draw,
  given: Record<string, unknown>,
  name: string,
  property: Schema,
  path: readonly string[],
): boolean {
  if (!Object.hasOwn(given, name) || isPartOfIdentity(of, given, name, path)) return false;
  return checkOf(of.document, property, of.direction)(given[name]) === null;
}

/** A value of which a part may fit where the whole does not. */
const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Whether what is given for a field is no more than what identifies the thing: the rest of the object is drawn. */
function isPartOfIdentity(of: Draw, given: Record<string, unknown>, name: string, path: readonly string[]): boolean {
  return of.identity !== undefined && path.length === 0 && isOwnHolder(name) && isObject(own(given, name));
}

/** As many of the optional fields as an object needs to have enough of them. */
function addExtra(
  of: Draw,
  at: Schema,
  extra: readonly string[],
  built: Record<string, unknown>,
  path: string[],
  stack: readonly Schema[],
): void {
  for (const name of extra) {
    if (Object.keys(built).length >= (at.minProperties ?? 0)) return;
    addDrawn(of, built, name, propertyOf(at, name), path, stack);
  }
}

function propertyOf(at: Schema, name: string): Schema {
  return own(at.properties, name) ?? additionalSchema(at) ?? {};
}

/** What only the client or only the platform sends. */
function isOfOtherSide(of: Draw, property: Schema): boolean {
  const { writeOnly, readOnly } = flat(of.document, property);
  return (of.direction === 'request' ? readOnly : writeOnly) === true;
}

function addRequired(
  of: Draw,
  built: Record<string, unknown>,
  name: string,
  schema: Schema,
  path: string[],
  stack: readonly Schema[],
): void {
  addDrawn(of, built, name, schema, path, stack);
  // A circle that must not be left open: only the smallest object can close it.
  if (!Object.hasOwn(built, name)) built[name] = typesOf(flat(of.document, schema)).includes('array') ? [] : {};
}

function addDrawn(
  of: Draw,
  built: Record<string, unknown>,
  name: string,
  schema: Schema,
  path: string[],
  stack: readonly Schema[],
  given?: unknown,
): void {
  const drawn = node(of, schema, given, [...path, name], stack);
  if (drawn.length === 1) built[name] = drawn[0];
}

function additionalSchema(at: Schema): Schema | null {
  return isObject(at.additionalProperties) ? (at.additionalProperties as Schema) : null;
}

/** Whether optional fields are left out here. */
function isLeftOut(of: Draw, path: readonly string[]): boolean {
  return of.sparse === true || of.attempt > 3 || path.length >= OPTIONAL_DEPTH;
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
  const entries = Object.entries(given);
  if (at.additionalProperties === false && entries.length > 0) return;
  const value = additionalSchema(at);
  for (const [name, entry] of entries)
    if (value === null || checkOf(of.document, value, of.direction)(entry) === null) built[name] = entry;
  const wanted = Math.max(at.minProperties ?? 0, value === null || path.length > OPTIONAL_DEPTH ? 0 : 1);
  for (let count = Object.keys(built).length; count < wanted; count += 1) {
    const name = count === 0 ? 'key' : `key-${count + 1}`;
    if (value === null) built[name] = 'value';
    else addDrawn(of, built, name, value, path, stack);
  }
}

function array(of: Draw, at: Schema, path: string[], stack: readonly Schema[]): unknown[] {
  const wanted = lengthOf(of, at, path);
  const built = prefixItems(of, at, path, stack);
  const seen = new Set<string>();
  const items = at.items ?? {};
  for (let position = built.length; built.length < wanted && position < wanted * 4; position += 1) {
    const each = position > 0 ? { ...of, plain: true, attempt: of.attempt + position } : of;
    const drawn = node(each, items, undefined, [...path, String(position)], stack);
    if (drawn.length === 0) break;
    const mark = JSON.stringify(drawn[0]);
    if (at.uniqueItems === true && seen.has(mark)) continue;
    seen.add(mark);
    built.push(drawn[0]);
  }
  return built;
}

/** The given entries, each as it is where it fits, as long as there are enough of them and not too many; else drawn ones. */
function list(of: Draw, at: Schema, given: unknown, path: string[], stack: readonly Schema[]): unknown[] {
  if (!Array.isArray(given)) return array(of, at, path, stack);
  const items = at.items ?? {};
  const check = checkOf(of.document, items, of.direction);
  const built = given.flatMap((entry, position) =>
    check(entry) === null ? [entry] : node(of, items, entry, [...path, String(position)], stack),
  );
  const fits = built.length >= (at.minItems ?? 0) && built.length <= (at.maxItems ?? Number.POSITIVE_INFINITY);
  return fits ? built : array(of, at, path, stack);
}

/** One entry shows the kind, where the value is not meant to be small. */
function lengthOf(of: Draw, at: Schema, path: readonly string[]): number {
  const least = at.minItems ?? 0;
  const shown = path.length > OPTIONAL_DEPTH || of.attempt > 3 ? least : 1;
  return Math.min(at.maxItems ?? Number.POSITIVE_INFINITY, Math.max(least, shown));
}

function prefixItems(of: Draw, at: Schema, path: string[], stack: readonly Schema[]): unknown[] {
  const schemas = (at['prefixItems'] as Schema[] | undefined) ?? [];
  return schemas.flatMap((schema, position) => node(of, schema, undefined, [...path, String(position)], stack));
}
