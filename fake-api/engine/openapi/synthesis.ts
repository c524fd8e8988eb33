/**
 * Values from schemas. Every value is drawn from a dice of its own (seed, platform, collection, key, field path), so
 * values neither depend on each other nor on the order in which they are asked for.
 */

import { siteNamedIn, VLANS } from '../semantics/address-plan.ts';
import { asInList, markOf } from '../semantics/entries.ts';
import { singularOf, wordsOf } from '../semantics/field-words.ts';
import { formattedFor, hostFor, networkFor } from '../semantics/hosts.ts';
import { kindOf } from '../semantics/kind-names.ts';
import { momentFor } from '../semantics/moments.ts';
import { listenerPort, numberFor } from '../semantics/semantic-number.ts';
import { addressFor, fixedForm, formFor, mailFor, rangeFor, textFor } from '../semantics/semantic-text.ts';
import { repaired } from '../semantics/sense.ts';
import type { TextField } from '../semantics/text-field.ts';
import { nullShare, usualTruth, usualWord } from '../semantics/usual-word.ts';
import { isoSeconds } from '../state/clock.ts';
import { Dice, type Part } from '../state/determinism.ts';
import { isObject, own } from '../state/json-value.ts';
import {
  isNullable,
  type OpenApiDocument,
  plain,
  type RefTarget,
  type Schema,
  shapeOf,
  typesOf,
} from './openapi-document.ts';
import { expressionOf, textMatching } from './pattern.ts';

export interface Synthesis {
  document: OpenApiDocument;
  /** Seed, platform, collection, key: the origin of every draw. */
  origin: readonly Part[];
  nowMs: number;
  /** Place of the row among its people, where the row is one. */
  turn?: number | undefined;
  /** Key of the site that the row's own name says, where it says one. */
  site?: string | undefined;
  /** Request bodies carry secrets, answers never do. */
  withSecrets?: boolean;
  /** Leave optional fields out, so that a body says only what it must. */
  onlyRequired?: boolean;
  /**
   * Names of writable fields that nobody stated: they take their default, else null, else they are left out, as on an
   * object that a person created. Inside such an object the same holds for every field that is not read-only.
   */
  unstated?: ReadonlySet<string>;
  /** What the entry of a list says of a thing that the network has; nothing where it is left out. */
  entryIdentity?: (
    properties: Record<string, Schema>,
    given: Readonly<Record<string, unknown>>,
    path: readonly string[],
  ) => Record<string, unknown>;
  /** An existing target for a reference, undefined when there is none; `shift` asks for another than before. */
  pickTarget: (target: RefTarget, dice: Dice, shift?: number) => unknown;
}

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
  if (isObject(given)) return object(of, at, given, path, depth);
  if (!Array.isArray(given) || at.items === undefined) return given;
  const { items } = at;
  return given.map((entry, index) =>
    isObject(entry) ? value(of, items, entry, [...path, String(index)], depth + 1) : entry,
  );
}

function drawn(of: Synthesis, at: Schema, dice: Dice, path: string[], depth: number): unknown {
  if (isNullable(at) && dice.chance(nullShare(wordsOf(nameOf(of, path))))) return null;
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

function isComposed(schema: Schema): boolean {
  return schema.allOf !== undefined || schema.properties !== undefined;
}

function object(of: Synthesis, schema: Schema, given: Record<string, unknown>, path: string[], depth: number): unknown {
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
  if (shape.additional !== null && Object.keys(built).length === 0 && depth < MAX_DEPTH) {
    const key = mapKey(path);
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

function mapKey(path: readonly string[]): string {
  const last = path.findLast((step) => isName(step))?.toLowerCase() ?? '';
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

/** What the resource of a row says of a number: the port of what listens, a channel of the band in its name. */
function knownNumber(of: Synthesis, schema: Schema, path: readonly string[]): number | undefined {
  const name = nameOf(of, path);
  if (/^(listen[-_]?|server[-_]?)?port$/i.test(name)) {
    const about = [kindOf(String(of.origin[2] ?? '')), holderOf(path), wordsOf(name)].map((words) => words.join(' '));
    return listenerPort(about.join(' '), schema);
  }
  if (name === 'channel' && path.length === 1) {
    const [, band] = /(?:^|[-_])(6|a|g)[-_]radio/.exec(String(of.origin[2] ?? '')) ?? [];
    const channels = band === undefined ? undefined : CHANNELS_OF_RADIO[band];
    return channels?.[String(of.origin[3] ?? '').length % channels.length];
  }
  return undefined;
}
const CHANNELS_OF_RADIO: Readonly<Record<string, readonly number[]>> = {
  6: [5, 21, 37, 53, 69, 85],
  a: [36, 44, 52, 100, 149],
  g: [1, 6, 11],
};

/** Whether a step of a path names a field; positions in lists are digits. */
function isName(step: string): boolean {
  const first = step.charCodeAt(0);
  return first < 48 || first > 57 || Number.isNaN(Number(step));
}

/** Whether a path ends at an entry of a list. */
const isEntry = (path: readonly string[]): boolean => path.length > 1 && !isName(path.at(-1) as string);

/** Position of the last named step before `end`, -1 where there is none. */
function lastName(path: readonly string[], end: number): number {
  let at = end - 1;
  while (at >= 0 && !isName(path[at] as string)) at -= 1;
  return at;
}

/** The name of the field; a value that is drawn by itself has it at the end of its origin. */
function nameOf(of: Synthesis, path: readonly string[]): string {
  const at = lastName(path, path.length);
  if (at >= 0) return path[at] as string;
  return String(of.origin.findLast((part) => typeof part === 'string' && isName(part)));
}

const NO_WORDS: readonly string[] = [];
const holders = new Map<string, readonly string[]>();

/** What the field is a part of: `server` for the last step of `servers`, `0`, `port`. */
function holderOf(path: readonly string[]): readonly string[] {
  const at = lastName(path, lastName(path, path.length));
  if (at < 0) return NO_WORDS;
  const holder = path[at] as string;
  const known = holders.get(holder) ?? singularOf(wordsOf(holder));
  holders.set(holder, known);
  return known;
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

/** Draws that may fail to fit length and pattern before the pattern alone decides. */
const TRIES_TO_FIT = 6;

/** A text that fits the field's name, if one of them also fits the schema; else one that fits the schema. */
function plainText(schema: Schema, dice: Dice, field: TextField): string {
  const isUnique = schema['x-svc-unique'] === true;
  let drawn = '';
  for (let at = 0; at < TRIES_TO_FIT; at += 1) {
    drawn = textFor(field);
    // A pool of names is soon used up by values that must differ.
    const texts = isUnique ? [`${drawn}-${dice.int(2, 9999)}`, renumbered(drawn, dice)] : [drawn];
    const fitting = texts.find((text) => fitsText(text, schema));
    if (fitting !== undefined) return fitting;
  }
  if (schema.pattern === undefined) return fitLength(drawn, schema);
  const formed = formedText(schema, schema.pattern, dice, field);
  if (formed !== undefined) return formed;
  // A pattern of letters and digits alone also takes names that mean something else.
  const form =
    isUnique || isLoose(schema.pattern) ? respelled(drawn, schema) : formFor(field, (text) => fitsText(text, schema));
  return form ?? fitLength(textMatching(schema.pattern, dice) ?? drawn, schema);
}

/** The text with another number at its end, for values that must differ. */
const renumbered = (text: string, dice: Dice): string =>
  text.replace(/\d+$/, () => (text.includes('/') ? String(dice.int(9, 48)) : String(dice.int(10, 990))));

/** A name as a pattern takes it that knows no hyphens, or one case only; undefined where none fits. */
function respelled(text: string, schema: Schema): string | undefined {
  if (schema['x-svc-unique'] === true || !/^[a-z]/i.test(text)) return undefined;
  const plain = text.replaceAll(/[^A-Za-z0-9]+/g, '');
  const forms = [
    text.toUpperCase(),
    text.replaceAll(/[^A-Za-z0-9]+/g, '_'),
    plain,
    plain.toUpperCase(),
    plain.toLowerCase(),
  ];
  return forms.find((form) => fitsText(form, schema));
}

/** A text of the form that the pattern itself gives away: a range, an event of a kind, a number. */
function formedText(schema: Schema, pattern: string, dice: Dice, field: TextField): string | undefined {
  const texts: (string | undefined)[] = [];
  if (isRange(pattern)) texts.push(rangeFor(field, expressionOf(pattern).test('10.1.1.1')));
  if (schema['x-svc-unique'] !== true && !isLoose(pattern)) texts.push(fixedForm(pattern, field));
  if (schema['x-svc-unique'] !== true) {
    const [, prefix] = /^\^([A-Z]{2,12}_)/.exec(pattern) ?? [];
    texts.push(prefix === undefined ? undefined : prefix + dice.pick(EVENTS), numeralFor(schema, dice, field));
  }
  return texts.find((text) => text !== undefined && fitsText(text, schema));
}

/** What happens to things whose events begin with their kind. */
const EVENTS = ['CONNECTED', 'DISCONNECTED', 'RESTARTED', 'CONFIG_CHANGED', 'UPGRADED'];

/** A number without leading zeros for a pattern that takes digits and no word. */
function numeralFor(schema: Schema, dice: Dice, { words }: TextField): string | undefined {
  const takes = expressionOf(schema.pattern as string);
  if (!takes.test('42') || ['a', 'ab', 'abcd', 'abcdef', '4-2'].some((text) => takes.test(text))) return undefined;
  const isVlan = /^vlans?$|^vid$/.test(words.at(-1) ?? '');
  const number = String(isVlan ? dice.pick(VLANS) : dice.int(1, 999));
  return fitsText(number, schema) ? number : undefined;
}

/** Whether a pattern takes numbers and ranges of them, and no word. */
const isRange = (pattern: string): boolean =>
  ['1', '1-2'].every((text) => expressionOf(pattern).test(text)) && !expressionOf(pattern).test('a');

/** Whether a pattern takes any short word, so that fitting it says nothing of what it is for. */
const isLoose = (pattern: string): boolean => ['example', 'Q', '7'].every((text) => expressionOf(pattern).test(text));

function fitsText(text: string, { minLength = 0, maxLength, pattern }: Schema): boolean {
  if (text.length < minLength || (maxLength !== undefined && text.length > maxLength)) return false;
  return pattern === undefined || expressionOf(pattern).test(text);
}

function fitLength(text: string, schema: Schema): string {
  const cut = schema.maxLength === undefined ? text : text.slice(0, schema.maxLength).trimEnd();
  return cut.padEnd(schema.minLength ?? 0, '0');
}
