/**
 * Values from schemas. Every value is drawn from a dice of its own (seed, platform, collection, key, field path), so
 * values neither depend on each other nor on the order in which they are asked for.
 */
import { siteNamedIn } from '../semantics/address-plan.ts';
import { asInList, markOf } from '../semantics/entries.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { formattedFor, hostFor, networkFor } from '../semantics/hosts.ts';
import { momentFor } from '../semantics/moments.ts';
import { numberFor } from '../semantics/semantic-number.ts';
import { repaired } from '../semantics/sense.ts';
import { addressFor, mailFor } from '../semantics/text-draws.ts';
import { nullShare, usualTruth, usualWord } from '../semantics/usual-word.ts';
import { isoSeconds } from '../state/clock.ts';
import { Dice } from '../state/determinism.ts';
import { isObject, own } from '../state/json-value.ts';
import { fitsText, plainText } from './fitting-text.ts';
import { knownNumber } from './known-number.ts';
import {
  isNullable,
  type OpenApiDocument,
  plain,
  type RefTarget,
  type Schema,
  shapeOf,
  typesOf,
} from './openapi-document.ts';
import type { Synthesis } from './synthesis-source.ts';
import { holderOf, isEntry, isName, lastName, nameOf } from './value-path.ts';

const MAX_DEPTH = 8;

/** A value that fits the schema; parts that are given stay as they are. */
export function synthesize(of: Synthesis, schema: Schema, given?: unknown): unknown {
  const site = of.site ?? (isObject(given) ? siteNamedIn(given) : undefined);
  return value(site === undefined ? of : { ...of, site }, schema, given, [], 0);
}

function value(of: Synthesis, schema: Schema, given: unknown, path: string[], depth: number): unknown {
  const at = plain(of.document, schema);
  if (given !== undefined) return completed(of, at, given, path, depth);
  const dice = new Dice(...of.origin, ...path);
  if (at.const !== undefined) return at.const;
  const target = targetFor(of, at, dice, path);
  if (target !== undefined) return target;
  // What a new object has is not what one that has been there for a while shows.
  if (at.default !== undefined && at.readOnly !== true && dice.chance(0.7)) return at.default;
  const branches = at.oneOf ?? at.anyOf;
  if (branches !== undefined && at.properties === undefined && at['x-svc-type'] === undefined) {
    const solid = branches.filter((branch) => plain(of.document, branch).type !== 'null');
    return value(of, (solid.length > 0 ? dice.pick(solid) : branches[0]) as Schema, undefined, path, depth + 1);
  }
  return drawn(of, at, dice, path, depth);
}

/** What a reference names; null where there is nothing to name and it may be null, undefined where it may not. */
function targetFor(of: Synthesis, at: Schema, dice: Dice, path: readonly string[]): unknown {
  if (at['x-svc-ref'] === undefined) return undefined;
  const target = of.pickTarget(at['x-svc-ref'], dice, OTHER_END.test(path.at(-1) ?? '') ? 1 : 0);
  return target ?? (isNullable(at) ? null : undefined);
}

/** Names of fields whose target is not that of the field beside them. */
const OTHER_END =
  /^(backup|secondary|standby|remote|to|destination|dst|second|fallback)(?![a-z])|^(backup|secondary|standby|remote|to|dst)[A-Z]/;

/** What was given, with what is missing inside it. */
function completed(of: Synthesis, at: Schema, given: unknown, path: string[], depth: number): unknown {
  if (isObject(given)) return object(of, at, given, path, depth, true);
  if (!Array.isArray(given) || at.items === undefined) return given;
  const { items } = at;
  return given.map((entry, index) =>
    isObject(entry) ? value(of, items, entry, [...path, String(index)], depth + 1) : entry,
  );
}

function drawn(of: Synthesis, at: Schema, dice: Dice, path: string[], depth: number): unknown {
  if (isNullable(at) && dice.chance(nullShare(wordsOf(nameOf(of, path))))) return null;
  const said = exampleOf(at, dice);
  if (said !== undefined) return said;
  if (at.enum !== undefined) return usualWord(at.enum, dice);
  switch (typesOf(at).find((type) => type !== 'null') ?? (isComposed(at) ? 'object' : 'string')) {
    case 'object':
      return object(of, at, {}, path, depth);
    case 'array':
      return array(of, at, dice, path, depth);
    case 'integer':
      return number(of, at, dice, path, true);
    case 'number':
      return number(of, at, dice, path, false);
    case 'boolean':
      return usualTruth(wordsOf(nameOf(of, path)), dice);
    case 'null':
      return null;
    default:
      return text(of, at, dice, path);
  }
}

/** One of the values that the model gives as examples; no row of its own has one that must be unique. */
function exampleOf({ examples, ...schema }: Schema, dice: Dice): unknown {
  if (examples === undefined || examples.length === 0 || schema['x-svc-unique'] === true) return undefined;
  return dice.pick(examples);
}

function isComposed(schema: Schema): boolean {
  return schema.allOf !== undefined || schema.properties !== undefined;
}

function object(
  of: Synthesis,
  schema: Schema,
  given: Record<string, unknown>,
  path: string[],
  depth: number,
  isStated = false,
): unknown {
  const branches = schema.oneOf ?? schema.anyOf;
  const shape = shapeOf(of.document, schema);
  if (branches !== undefined && Object.keys(shape.properties).length === 0) {
    const fitting = fittingBranch(of.document, branches, given);
    return fitting === undefined ? given : value(of, fitting, given, path, depth + 1);
  }
  const known =
    of.entryIdentity !== undefined && isEntry(path)
      ? { ...of.entryIdentity(shape.properties, given, path), ...given }
      : given;
  const built: Record<string, unknown> = { ...known };
  for (const [name, property] of Object.entries(shape.properties)) {
    const made = propertyValue(of, name, property, shape.required.has(name), own(built, name), path, depth);
    if (made !== undefined) built[name] = made;
  }
  if (Object.keys(built).length < (schema.minProperties ?? 0)) addSome(of, schema, built, path, depth);
  // A map that was stated without entries has none.
  if (shape.additional !== null && !isStated && Object.keys(built).length === 0 && depth < MAX_DEPTH) {
    const key = mapKey(of, path);
    built[key] = value(of, shape.additional, undefined, [...path, key], depth + 1);
  }
  return repaired(of.document, schema, built, drawnNames(of.document, shape.properties, known), of.nowMs);
}

/** Keys of maps, by what they map. */
const MAP_KEYS: readonly (readonly [test: RegExp, key: string])[] = [
  [/^(var|vars|variables?|parameters?|params|values|placeholders)$/, 'site_code'],
  [/^(tags?|labels?|metadata|attributes?|properties)$/, 'owner'],
  [/^(inputs?|outputs?|pins?)$/, 'pin1'],
  [/appliance/, '28424.NE'],
  [/ports?|interfaces?/, '1/1/1'],
  [/^(vlans?|networks?)$/, 'staff'],
  [/^(headers?)$/, 'X-Source'],
  [/ssid|wlan/, 'Harbour-Staff'],
  [/app/, 'meetings'],
  [/sites?/, 'harbour-house'],
  [/roles?/, 'employee'],
  [/origins?|settings/, 'ntp_servers'],
  [/days?/, 'monday'],
  [/tags?|by_/, 'voice'],
];

/** The objects of a map that are keyed by what the platform keeps. */
const KEYED_BY: readonly (readonly [test: RegExp, target: RefTarget])[] = [
  [/appliance/, { resource: 'appliances', field: 'applianceId' } as RefTarget],
];

function mapKey(of: Synthesis, path: readonly string[]): string {
  const last = path.findLast((step) => isName(step))?.toLowerCase() ?? '';
  const target = KEYED_BY.find(([test]) => test.test(last))?.[1];
  const kept = target === undefined ? undefined : of.pickTarget(target, new Dice(...of.origin));
  if (typeof kept === 'string') return kept;
  return MAP_KEYS.find(([test]) => test.test(last))?.[1] ?? 'default';
}

/** Fields that chance filled: those that nobody stated and that name no other object. */
function drawnNames(
  document: OpenApiDocument,
  properties: Record<string, Schema>,
  given: Record<string, unknown>,
): ReadonlySet<string> {
  return new Set(
    Object.keys(properties).filter(
      (name) => given[name] === undefined && plain(document, properties[name] as Schema)['x-svc-ref'] === undefined,
    ),
  );
}

/** The first branch that knows every given field, else the first that is not null. */
function fittingBranch(
  document: OpenApiDocument,
  branches: readonly Schema[],
  given: Record<string, unknown>,
): Schema | undefined {
  const solid = branches.filter((branch) => plain(document, branch).type !== 'null');
  return solid.find((branch) => fits(document, branch, given)) ?? solid[0];
}

/** Value of one property of an object; undefined leaves it as it was given, or out. */
function propertyValue(
  of: Synthesis,
  name: string,
  property: Schema,
  required: boolean,
  given: unknown,
  path: string[],
  depth: number,
): unknown {
  const at = plain(of.document, property);
  if (given === null || (at.writeOnly === true && of.withSecrets !== true)) return undefined;
  if (given === undefined) {
    if (!required && isLeftOut(of, at, depth)) return undefined;
    if (isQuiet(of, at, name, depth) && (at.default !== undefined || !required)) return quietValue(at);
  }
  const isStated = of.unstated !== undefined && depth === 0 && !of.unstated.has(name);
  return value(isStated ? { ...of, unstated: NOTHING_QUIET } : of, property, given, [...path, name], depth + 1);
}

function quietValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  return isNullable(schema) ? null : undefined;
}

function isLeftOut(of: Synthesis, optional: Schema, depth: number): boolean {
  if (depth >= MAX_DEPTH || of.onlyRequired === true) return true;
  return optional['x-svc-ref'] !== undefined && pointsNowhere(of, optional);
}

/** An object that must say something says what is easiest: a field that may change and points at nothing. */
function addSome(of: Synthesis, schema: Schema, built: Record<string, unknown>, path: string[], depth: number): void {
  for (const [name, property] of Object.entries(shapeOf(of.document, schema).properties)) {
    if (Object.keys(built).length >= (schema.minProperties ?? 0)) return;
    const at = plain(of.document, property);
    const fixed = at.readOnly === true || at.writeOnly === true || at['x-svc-immutable'] === true;
    if (own(built, name) !== undefined || fixed || at['x-svc-ref'] !== undefined || at['x-svc-unique'] === true)
      continue;
    built[name] = value(of, at, undefined, [...path, name], depth + 1);
  }
}

/** Marks that no field below is quiet. */
const NOTHING_QUIET: ReadonlySet<string> = new Set();

function isQuiet(of: Synthesis, schema: Schema, name: string, depth: number): boolean {
  if (of.unstated === undefined || of.unstated === NOTHING_QUIET) return false;
  return depth === 0 ? of.unstated.has(name) : schema.readOnly !== true;
}

function fits(document: OpenApiDocument, branch: Schema, given: Record<string, unknown>): boolean {
  const properties = shapeOf(document, branch).properties;
  return Object.keys(given).every((name) => {
    const property = properties[name];
    if (property === undefined) return false;
    const constant = plain(document, property).const;
    return constant === undefined || constant === given[name];
  });
}

function array(of: Synthesis, schema: Schema, dice: Dice, path: string[], depth: number): unknown[] {
  const least = schema.minItems ?? 0;
  if (least === 0 && pointsNowhere(of, schema.items ?? {}, depth)) return [];
  const most = depth >= MAX_DEPTH ? least : Math.min(schema.maxItems ?? 3, Math.max(least, 3));
  const length = dice.int(Math.max(least, Math.min(1, most)), most);
  const built: unknown[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < length || (built.length < least && at < length + TRIES_FOR_ANOTHER); at += 1) {
    // Beyond the length that was drawn, chance repeated itself: from there on other targets are asked for.
    const items = at < length ? of : { ...of, pickTarget: shifted(of.pickTarget, at) };
    const entry = value(items, schema.items ?? {}, undefined, [...path, String(at)], depth + 1);
    const mark = markOf(entry);
    if (seen.has(mark)) continue;
    seen.add(mark);
    built.push(entry);
  }
  return asInList(of.document, schema.items ?? {}, built, least);
}

/** Whether a value would have to name something of which there is none. */
export function pointsNowhere(of: Synthesis, schema: Schema, depth = 0): boolean {
  if (depth >= MAX_DEPTH) return false;
  const at = plain(of.document, schema);
  if (isNullable(at)) return false;
  if (at['x-svc-ref'] !== undefined) return of.pickTarget(at['x-svc-ref'], new Dice(...of.origin)) === undefined;
  if (at.items !== undefined) return (at.minItems ?? 0) > 0 && pointsNowhere(of, at.items, depth + 1);
  if (!typesOf(at).includes('object')) return false;
  const { properties, required } = shapeOf(of.document, at);
  return [...required].some((name) => {
    const property = properties[name];
    return property !== undefined && pointsNowhere(of, property, depth + 1);
  });
}

/** Draws for an entry that differs from those there are. */
const TRIES_FOR_ANOTHER = 40;

function shifted(pick: Synthesis['pickTarget'], by: number): Synthesis['pickTarget'] {
  return (target, dice, shift = 0) => pick(target, dice, shift + by);
}

function number(of: Synthesis, schema: Schema, dice: Dice, path: string[], whole: boolean): number {
  const drawn = knownNumber(of, schema, path) ?? numberFor(wordsOf(nameOf(of, path)), schema, dice, holderOf(path));
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  const most =
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : schema.exclusiveMaximum - 1);
  const step = schema.multipleOf ?? (whole ? 1 : 0.1);
  const clamped = Math.min(most, Math.max(least, Math.floor(drawn / step) * step));
  return whole ? Math.round(clamped) : Math.round(clamped * 100) / 100;
}

const OF_PERSON = /^(e?mails?|phones?|phone_?numbers)$/i;

function text(of: Synthesis, schema: Schema, dice: Dice, path: string[]): string {
  // Each entry of a list is about something of its own, unless the list holds ways to reach one person.
  const inList = path.length > 1 && path.some((step) => !isName(step)) && !OF_PERSON.test(path[0] as string);
  const field = {
    words: wordsOf(nameOf(of, path)),
    dice,
    row: inList ? [...of.origin, ...path.slice(0, lastName(path, path.length))] : of.origin,
    turn: inList ? undefined : of.turn,
    site: of.site,
    holder: holderOf(path),
    description: schema.description ?? '',
  };
  const isPatterned = schema.pattern !== undefined && schema['x-svc-type'] === undefined;
  const format = isPatterned ? undefined : (schema['x-svc-type'] ?? schema.format);
  const named = format === undefined || schema['x-svc-unique'] === true ? undefined : formattedFor(format, field);
  if (named !== undefined && fitsText(named, schema)) return named;
  switch (format) {
    case 'date-time':
      return isoSeconds(momentFor(field, of.nowMs));
    case 'date':
      return isoSeconds(momentFor(field, of.nowMs)).slice(0, 10);
    case 'duration':
      return `PT${dice.int(1, 59)}M`;
    case 'uuid':
      return dice.uuid();
    case 'mac':
      return dice.mac();
    case 'ipv4':
    case 'ip':
      return addressFor(field);
    case 'ipv6':
      return `2001:db8:${dice.pick([10, 20, 30])}:${dice.pick([10, 20, 30])}::${dice.hex(3)}`;
    case 'cidr':
      // The networks of the plan are taken, so one that must differ lies beside it.
      return schema['x-svc-unique'] === true ? `10.${dice.int(10, 60)}.${dice.int(100, 250)}.0/24` : networkFor(field);
    case 'email':
      return mailFor(field);
    case 'uri':
    case 'url':
      return `https://${dice.pick(['portal', 'files', 'status'])}.harbour.example/${dice.hex(6)}`;
    case 'hostname':
    case 'host':
    case 'fqdn':
      return hostFor(field);
    default:
      return plainText(schema, dice, field);
  }
}
