/**
 * Which rows of a list a text means. Each value of a row that the text names speaks for the row: an address or a name most,
 * a state in other words less, a plain word that may stand there by chance least.
 */

import type { Aliases } from './aliases.ts';
import { mentions, wordsOf } from './name-words.ts';
import type { Json } from './operation.ts';
import type { Mention } from './task-intent.ts';
import { alike, stems } from './word-likeness.ts';

export interface Meant {
  rows: readonly Json[];
  /** What speaks for these rows; 0 where the text names no value of any. */
  score: number;
  /** Values of the text that stand in every one of them. */
  explained: ReadonlySet<string>;
}

const [NAMED, ALIAS, FORMED, STATED, BY_CHANCE] = [3, 2.5, 2, 1.2, 0.3];
/** The least that speaks for a row and not for another by chance. */
const TELLING = 1;

export function rowsMeant(rows: readonly Json[], text: string, named: readonly Mention[], aliases: Aliases): Meant {
  const spoken = withoutExamples(text);
  const words = new Set(stems(spoken));
  const { left, stated } = inStatesSaid(rows, spoken);
  const scored = left.map((row) => ({ row, ...scoreOf(row, { spoken, words, named, aliases }) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best < TELLING) return { rows: byChance(scored) ?? rows, score: 0, explained: new Set() };
  // Where states alone are said, every row in them is meant, whatever else a word of it says by chance.
  const isByState = stated && scored.every(({ hit }) => hit.size === 0);
  const meant = scored.filter(({ score }) => isByState || score >= best - 0.01);
  const explained = new Set(
    named.map(({ value }) => value).filter((value) => meant.every((one) => one.hit.has(value))),
  );
  return { rows: meant.map(({ row }) => row), score: best, explained };
}

/** "which are ACTIVE and MAJOR": a state in the spelling of the platform is a condition, and all of them are to hold. */
function inStatesSaid(rows: readonly Json[], spoken: string): { left: readonly Json[]; stated: boolean } {
  const known = stateWords(spoken).filter((state) => rows.some((row) => hasState(row, state)));
  const left = rows.filter((row) => known.every((state) => hasState(row, state)));
  return known.length === 0 || left.length === 0 ? { left: rows, stated: false } : { left, stated: true };
}

/** Words in capitals, such as UPGRADE_AVAILABLE. */
export const stateWords = (text: string): string[] =>
  [...new Set(text.match(/(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?![\w-])/g) ?? [])].filter(
    (state) => state.length > 3 && !/\d/.test(state),
  );

export const hasState = (row: Json, state: string): boolean => scalarsOf(row).some(([, value]) => value === state);

/** Where nothing else speaks, what may stand there by chance. */
function byChance(scored: readonly { row: Json; chance: number }[]): Json[] | undefined {
  const best = Math.max(0, ...scored.map(({ chance }) => chance));
  return best === 0 ? undefined : scored.filter(({ chance }) => chance === best).map(({ row }) => row);
}

/** What a description gives as an example is not meant. */
export const withoutExamples = (text: string): string => text.replace(/\bsuch as [^.;?]*/gi, ' ');

interface Context {
  spoken: string;
  words: ReadonlySet<string>;
  named: readonly Mention[];
  aliases: Aliases;
}

function scoreOf(row: Json, context: Context): { score: number; chance: number; hit: Set<string> } {
  const hit = new Set<string>();
  let [score, chance] = [0, 0];
  let isOfKind = false;
  for (const [field, value] of scalarsOf(row)) {
    const one = valueScore(field, value, context, hit);
    // A thing is of its kind once, however many fields say so.
    if (one === STATED && KIND_FIELD.test(field)) {
      if (isOfKind) continue;
      isOfKind = true;
    }
    if (one >= TELLING) score += one;
    else chance += one;
  }
  return { score, chance, hit };
}

function scalarsOf(row: Json, prefix = '', depth = 0): [string, unknown][] {
  return Object.entries(row).flatMap(([field, value]): [string, unknown][] => {
    const at = `${prefix}${prefix === '' ? '' : ' '}${field}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return depth < 2 ? scalarsOf(value as Json, at, depth + 1) : [];
    return [[at, value]];
  });
}

function valueScore(field: string, value: unknown, context: Context, hit: Set<string>): number {
  if (typeof value === 'boolean') return switchScore(field, value, context);
  if (typeof value === 'number') return numberScore(field, value, context, hit);
  if (typeof value !== 'string' || value.length < 2 || value.length > 120) return 0;
  const mention = context.named.find((one) => one.value.toLowerCase() === value.toLowerCase());
  if (mention !== undefined && mention.kind !== 'number') {
    hit.add(mention.value);
    return NAMED;
  }
  const inside = context.named.find(
    (one) => one.value.length > 4 && one.kind !== 'number' && mentions(value, one.value),
  );
  if (inside !== undefined) {
    hit.add(inside.value);
    return FORMED;
  }
  const alias = context.aliases.mentionOf(value);
  if (alias !== undefined && context.named.some((one) => one.value === alias)) {
    hit.add(alias);
    return ALIAS;
  }
  if (!mentions(context.spoken, value)) return stateScore(value, context);
  if (/[\d_@./:-]|[a-z][A-Z]|\w \w/.test(value)) return FORMED;
  if (value === value.toUpperCase()) return STATED;
  if (namesIt(field, value, context.spoken)) return FORMED;
  return STATE_FIELD.test(field) ? STATED : BY_CHANCE;
}

/** Fields whose values are words of a short list. */
const STATE_FIELD =
  /(status|state|valid|result|outcome|condition|phase|health|band|rating|severity|level|type|kind|category|mode|standing|usage|service)/i;

const KIND_FIELD = /(type|kind|function|category|class)$/i;

/** "role employee", "the site depot": the word before a plain word says that it is a name. */
function namesIt(field: string, value: string, text: string): boolean {
  const at = text.toLowerCase().indexOf(value.toLowerCase());
  const before = wordsOf(text.slice(0, Math.max(0, at))).slice(-2);
  const own = wordsOf(field);
  return before.some((word) => own.includes(word) || THING.has(word)) || /^["'“]/.test(text.slice(at - 1));
}

const THING = new Set(
  'network wlan ssid vlan profile role group rule device switch server site template tag policy user location certificate account id called named'.split(
    ' ',
  ),
);

/** A word of state in another form: FAILED for "fails". */
function stateScore(value: string, { words }: Context): number {
  if (!/^[A-Z][A-Za-z]*([_ -][A-Za-z]+)*$/.test(value) || value.length > 30) return 0;
  const own = stems(value);
  return own.length > 0 && own.every((word) => [...words].some((other) => sameState(word, other))) ? STATED : 0;
}

const BAD = new Set(['fail', 'failure', 'timeout', 'error', 'reject', 'timedout']);
const DARK = new Set(['offline', 'down', 'dead', 'dark', 'unreachable', 'disconnected']);

const sameState = (a: string, b: string): boolean =>
  (a.length > 2 && b.length > 2 && alike(a, b) >= 0.8) || (BAD.has(a) && BAD.has(b)) || (DARK.has(a) && DARK.has(b));

const REACHABLE = /^(is)?_?(online|up|reachable|connected|alive|active)$/i;
const UNREACHABLE = /\b(offline|down|dead|dark|unreachable|disconnected|silent|not (online|reachable|connected))\b/i;

function switchScore(field: string, value: boolean, { spoken, words }: Context): number {
  const last = field.split(' ').at(-1) ?? '';
  if (REACHABLE.test(last) && UNREACHABLE.test(spoken)) return value ? 0 : STATED;
  const own = stems(last).filter((word) => word.length > 2 && !['enable', 'is', 'has'].includes(word));
  if (own.length === 0) return 0;
  if (own.every((word) => [...words].some((other) => other === `un${word}` || other === `not${word}`)))
    return value ? 0 : STATED;
  return own.every((word) => words.has(word)) && value ? BY_CHANCE * 2 : 0;
}

/** A bare number names a row only beside the word of its field, or of an id. */
function numberScore(field: string, value: number, { spoken, named }: Context, hit: Set<string>): number {
  const mention = named.find((one) => one.kind === 'number' && one.value === String(value));
  if (mention === undefined || !spoken.includes(mention.value)) return 0;
  const own = new Set(stems(field));
  const near = mention.before.slice(0, 3);
  const isKey = /(^|[ _a-z])(id|number|Id|vlan|sequence)/.test(field);
  if (!near.some((word) => own.has(word)) && !isKey) return 0;
  hit.add(mention.value);
  return near.some((word) => own.has(word)) ? FORMED : STATED;
}

const LEAST = /\b(lowest|least|smallest|worst|fewest|minimum|weakest|slowest)\s+(\w+)(?:\s+(\w+))?/i;
const MOST = /\b(highest|most|largest|biggest|maximum|longest|strongest|greatest|busiest)\s+(\w+)(?:\s+(\w+))?/i;
const NEWEST = /\b(latest|newest|most recent|last)\b/i;
const OLDEST = /\b(oldest|earliest|first)\b/i;
const MOMENT = /^\d{4}-\d\d-\d\d/;

/** The one row that "the lowest score" or "its latest move" means. */
export function extremeOf(rows: readonly Json[], text: string): Json | undefined {
  if (rows.length < 2) return rows[0];
  const [least, most] = [LEAST.exec(text), MOST.exec(text)];
  const by = least ?? most;
  const field = by === null ? undefined : fieldLike(rows, `${by[2]} ${by[3] ?? ''}`);
  if (field !== undefined) return sorted(rows, field)[least === null ? rows.length - 1 : 0];
  const moment = Object.keys(rows[0] ?? {}).find((name) => MOMENT.test(String(rows[0]?.[name])));
  if (moment === undefined) return undefined;
  if (NEWEST.test(text)) return sorted(rows, moment).at(-1);
  return OLDEST.test(text) ? sorted(rows, moment)[0] : undefined;
}

function fieldLike(rows: readonly Json[], words: string): string | undefined {
  const wanted = stems(words);
  return Object.keys(rows[0] ?? {}).find(
    (name) =>
      typeof rows[0]?.[name] === 'number' && stems(name).some((word) => wanted.some((one) => alike(word, one) >= 0.8)),
  );
}

const sorted = (rows: readonly Json[], field: string): Json[] =>
  [...rows].sort(
    (a, b) =>
      (String(a[field]) < String(b[field]) ? -1 : 1) * (typeof a[field] === 'number' ? 0 : 1) ||
      Number(a[field]) - Number(b[field]),
  );
