/**
 * What time alone makes of a row: uptimes and counters grow, remaining times shrink, what has an end is expired after it, what was put off comes back.
 * Fields are known by the words of their names. A field that callers write stays as it was written.
 */
import { plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { claimsOf, repaired } from '../semantics/sense.ts';
import type { VirtualClock } from './clock.ts';
import type { JsonObject } from './json-value.ts';
import { datedFieldsOf, valueAtClock } from './sensible-row.ts';

type Moved = JsonObject[string];
/** The value of a field after so many milliseconds; undefined where it stays. */
type Move = (value: JsonObject, elapsedMs: number, nowMs: number) => Moved | undefined;

/** Platforms read their counters once a minute, so that a few seconds change nothing. */
const READING_MS = 60_000;
const DAY = 86_400_000;
/** A counter of the fixture holds what a week of traffic made of it. */
const COUNTED_MS = 7 * DAY;
const SOON_MS = 30 * DAY;

const COUNTERS = /^(bytes|octets|packets|pkts|frames|requests|accepts|rejects|queries|errors|drops|discards)$/;
const AGES = /^(age|idle) seconds$/;
const REMAINING = /^(remaining seconds|seconds (left|remaining)|expires in( seconds)?)$/;
const ENDS =
  /^((lease |cert |certificate |subscription |session |token )?(expir(y|es|ation)|ends|expire)( (at|on|time|date))?|expiry date|valid (to|until)|not after|lease expires|end at)$/;
const PUT_OFF = /^(deferred|suppressed|muted|snoozed|silenced|paused|quiet) until$/;
/** States that end with their time; what was revoked, declined or disabled stays so. */
const LIVING =
  /^(valid|active|expiring|bound|offered|enrolled|linked|granted|approved|ready|joined|open|pending|waiting)$/i;
const ENDING = /(^| )(session|sessions|lease|leases|binding|bindings)$/;

/** What was written once does not grow: a file, a capture, a record of something past. */
const WRITTEN_ONCE =
  /(^| )(attachments?|bundles?|captures?|deliver(y|ies)|downloads?|events?|exports?|files?|firmware|images?|logs?|p ?caps?|pcaps?|recordings?|records?|reports?|runs?|snapshots?|versions?)( |$)/;
const OVER = /^(ended|end|stopped|stop|closed|completed|finished)( (at|on|time))?$/;

interface Plan {
  moves: ReadonlyMap<string, Move>;
  /** Fields that may follow what has moved; none where no sense rule is about a moved field. */
  free: ReadonlySet<string>;
}

const plans = new WeakMap<Resource, Plan>();

/** The row as it stands now. `isOriginal` says that the fixture has it: what was created later has counted nothing yet. */
export function valueInTime(
  resource: Resource,
  value: JsonObject,
  clock: VirtualClock,
  isOriginal: () => boolean,
): JsonObject {
  const elapsedMs = Math.floor((clock.ms - clock.startMs) / READING_MS) * READING_MS;
  const { readSchema } = resource;
  if (elapsedMs <= 0 || readSchema === null) return valueAtClock(resource, value, clock);
  const counted = isOriginal() ? elapsedMs : 0;
  const { moves, free } = planOf(resource, readSchema);
  let moved = value;
  for (const [name, move] of moves) {
    const after = move(moved, counted, clock.ms);
    if (after !== undefined) moved = { ...moved, [name]: after };
  }
  return free.size === 0 ? moved : (repaired(resource.document, readSchema, moved, free, clock.ms) as JsonObject);
}

function planOf(resource: Resource, readSchema: Schema): Plan {
  const known = plans.get(resource);
  if (known !== undefined) return known;
  const moves = timeMoves(resource, readSchema);
  const moving = new Set([...moves.keys(), ...datedFieldsOf(resource, readSchema)]);
  const isClaimed = claimsOf(resource.document, readSchema).some(({ names }) => names.some((name) => moving.has(name)));
  const plan = { moves, free: isClaimed ? moving : new Set<string>() };
  plans.set(resource, plan);
  return plan;
}

/** Whether a session or lease has ended, of which the platform keeps no record after its end. */
export function hasEnded(resource: Resource, value: JsonObject, clock: VirtualClock): boolean {
  const { document, readSchema } = resource;
  if (clock.ms === clock.startMs || readSchema === null || !ENDING.test(wordsOf(resource.name).join(' '))) return false;
  const { properties } = shapeOf(document, readSchema);
  if (expiryState(resource, properties) !== undefined) return false;
  return endsOf(resource, properties).some((name) => {
    const at = Date.parse(String(value[name]));
    return at > clock.startMs && at <= clock.ms;
  });
}

function timeMoves(resource: Resource, readSchema: Schema): ReadonlyMap<string, Move> {
  const { properties } = shapeOf(resource.document, readSchema);
  const moves = new Map<string, Move>();
  const overNames = Object.keys(properties).filter((name) => OVER.test(wordsOf(name).join(' ')));
  const isOver = (value: JsonObject) => overNames.some((name) => typeof value[name] === 'string');
  for (const [name, property] of Object.entries(properties)) {
    if (resource.writable.has(name) || resource.keyNames.includes(name)) continue;
    const schema = plain(resource.document, property);
    const move = numberMove(resource, name, schema);
    if (move !== undefined) moves.set(name, (value, ...times) => (isOver(value) ? undefined : move(value, ...times)));
  }
  addExpiry(resource, properties, moves);
  addReturns(resource, properties, moves);
  return moves;
}

function numberMove(resource: Resource, name: string, schema: Schema): Move | undefined {
  const types = typesOf(schema);
  if (!types.includes('integer') && !types.includes('number')) return undefined;
  const words = wordsOf(name);
  const whole = words.join(' ');
  const within = (number: number) =>
    Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? Number.MAX_SAFE_INTEGER, Math.floor(number)));
  const grown = (grow: (before: number, elapsedMs: number) => number): Move => {
    return (value, elapsedMs) => {
      const before = value[name];
      return typeof before === 'number' && before > 0 && elapsedMs > 0 ? within(grow(before, elapsedMs)) : undefined;
    };
  };
  if (words.includes('uptime') && !/percent|ratio|score|target/.test(whole)) {
    const unit = /milli|ms$/.test(whole) ? 1 : 1000;
    return grown((before, elapsedMs) => before + elapsedMs / unit);
  }
  if (AGES.test(whole)) return grown((before, elapsedMs) => before + elapsedMs / 1000);
  if (REMAINING.test(whole)) return grown((before, elapsedMs) => before - elapsedMs / 1000);
  if (isCounter(words, schema) && !WRITTEN_ONCE.test(wordsOf(resource.name).join(' ')))
    return grown((before, elapsedMs) => before * (1 + elapsedMs / COUNTED_MS));
  return undefined;
}

function isCounter(words: readonly string[], schema: Schema): boolean {
  const last = words.at(-1) ?? '';
  const counts = COUNTERS.test(last) || COUNTERS.test(words.at(-2) ?? '') || COUNTERS.test(words[0] ?? '');
  if (!counts || words.some((word) => /^(per|rate|max|mean|limit|size|second|percent|daily|average)$/.test(word)))
    return false;
  return typesOf(schema).includes('integer') && (schema.maximum ?? Number.MAX_SAFE_INTEGER) > 1_000_000;
}

/** Moments at which the object ends. */
function endsOf(resource: Resource, properties: Readonly<Record<string, Schema>>): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const { format } = plain(resource.document, property);
    return (format === 'date-time' || format === 'date') && ENDS.test(wordsOf(name).join(' ')) ? [name] : [];
  });
}

/** The state that says that the object has expired. */
function expiryState(resource: Resource, properties: Readonly<Record<string, Schema>>) {
  return Object.keys(properties).find((name) => {
    const { enum: words } = plain(resource.document, properties[name] as Schema);
    const isState = /^(state|status|validity)$/.test(wordsOf(name).at(-1) ?? '');
    return isState && !resource.writable.has(name) && wordFor(words, /^expired$/i) !== undefined;
  });
}

function addExpiry(resource: Resource, properties: Readonly<Record<string, Schema>>, moves: Map<string, Move>): void {
  const state = expiryState(resource, properties);
  const ends = endsOf(resource, properties);
  if (state === undefined || ends.length === 0) return;
  const { enum: words } = plain(resource.document, properties[state] as Schema);
  const [expired, expiring] = [/^expired$/i, /^expiring$/i].map((word) => wordFor(words, word));
  moves.set(state, (value, _elapsedMs, nowMs) => {
    const [at] = ends.map((name) => Date.parse(String(value[name]))).filter((ms) => !Number.isNaN(ms));
    if (at === undefined || !LIVING.test(String(value[state]))) return undefined;
    if (at < nowMs) return expired;
    return expiring !== undefined && at < nowMs + SOON_MS ? expiring : undefined;
  });
}

const wordFor = (words: readonly unknown[] | undefined, wanted: RegExp): string | undefined =>
  words?.map(String).find((word) => wanted.test(word));

/** What was put off until a time comes back then: its state is open again, its flag is down, its time is null. */
function addReturns(resource: Resource, properties: Readonly<Record<string, Schema>>, moves: Map<string, Move>): void {
  for (const name of Object.keys(properties)) {
    const words = wordsOf(name).join(' ');
    if (!PUT_OFF.test(words) || !typesOf(plain(resource.document, properties[name] as Schema)).includes('null'))
      continue;
    const stem = words.split(' ')[0] as string;
    const isOver = (value: JsonObject, nowMs: number) => Date.parse(String(value[name])) <= nowMs;
    const flag = Object.keys(properties).find((each) => each.toLowerCase() === stem);
    const state = Object.keys(properties).find((each) => /^(state|status)$/.test(wordsOf(each).join(' ')));
    const open = state && wordFor(plain(resource.document, properties[state] as Schema).enum, /^(active|open)$/i);
    if (flag !== undefined) moves.set(flag, (value, _elapsed, nowMs) => (isOver(value, nowMs) ? false : undefined));
    if (state !== undefined && open !== undefined)
      moves.set(state, (value, _elapsed, nowMs) =>
        isOver(value, nowMs) && String(value[state]).toLowerCase() === stem ? open : undefined,
      );
    // Last, for the others look at it.
    moves.delete(name);
    moves.set(name, (value, _elapsed, nowMs) => (isOver(value, nowMs) ? null : undefined));
  }
}
