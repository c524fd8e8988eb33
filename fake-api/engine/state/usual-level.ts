/**
 * What a time series should end at: a series beside a row follows what the row shows now, and one of the whole tenant follows
 * the rows of its resource, so that a trend of clients never tells of thirty where the access point has three.
 */
import type { Call } from '../http/accepted-call.ts';
import { singularOf, wordsOf } from '../semantics/field-name-words.ts';
import { isObject } from './json-value.ts';
import type { Subject, Values } from './platform-behaviour.ts';
import { readRow } from './stored-rows.ts';

/** Words that two names of one figure may differ in. */
const NOISE =
  /^(count|total|num|number|current|now|today|percent|pct|utilization|utilisation|ratio|share|on|ap|port|wlan|radio|ms|db|dbm|seconds?|minutes?|hours?|associated|anchored|connected|active|mean|median|avg|average|worst|values?|speed|points?)$/;
/** Figures of several rows that are averaged, not added. */
const AVERAGED =
  /^(mean|median|avg|average|percent|pct|ratio|share|score|ms|db|dbm|celsius|percentile|lower|upper|limit)$/;
/** Days that the rows of a resource stand for, where the series says that it shows one day. */
const DAYS_OF_ROWS = 30;

/** Share of the rows that is in a state nobody wants, such as saturated radios. */
const USUAL_PART = 0.04;
/** Fields that hold states of the row, whatever their platform calls them. */
const STATE = /^(state|status|severity|level|risk|reaction|verdict|health|band|type|kind|impact|connection)$/;
/** Figures that are named by what they are compared with. */
const SAME_AS: Readonly<Record<string, string>> = { actual: 'expected', forecast: 'cost' };

/** Figures of the row that the series lies beside, by the words that name them. */
export type Figures = readonly (readonly [words: readonly string[], value: number])[];

/** The level of each field of a series; undefined where nothing that is stored says one. */
export function usualLevels(
  call: Call,
  subject: Subject | null,
  trend: readonly string[],
): (name: string) => number | undefined {
  if (subject !== null) {
    const figures = figuresOf(subject.values);
    return (name) =>
      name === 'observed'
        ? middleOf(subject.values)
        : isOff(subject.values, name)
          ? 0
          : figureOf(figures, stemsOf(name, trend));
  }
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  if (resource === undefined || resource.singleton) return () => undefined;
  const rows = Array.from(call.state.rows(call.platform.id, resource.name).all(), (row) =>
    readRow(call.platform, call.state, call.world, resource, row),
  );
  const isDaily = wordsOf(call.operation.id).includes('daily');
  const figures = rows.map(figuresOf);
  return (name) => {
    const level = levelOfRows(name, trend, rows, figures);
    return level !== undefined && isDaily && !isAveraged(name) ? level / DAYS_OF_ROWS : level;
  };
}

const isAveraged = (name: string): boolean => wordsOf(name).some((word) => AVERAGED.test(word));

function levelOfRows(
  name: string,
  trend: readonly string[],
  rows: readonly Values[],
  figures: readonly Figures[],
): number | undefined {
  const stems = stemsOf(name, trend);
  const told = figures.flatMap((each) => figureOf(each, stems) ?? []);
  const sum = told.reduce((total, value) => total + value, 0);
  if (told.length > 0) return isAveraged(name) ? sum / told.length : sum;
  const [first, ...more] = wordsOf(name);
  if (first === undefined || isAveraged(name)) return undefined;
  const marked = rows.filter((row) => isMarked(row, first)).length;
  if (marked > 0) return marked;
  if (more.length === 0 && (first === 'total' || /[^s]s$/.test(first)) && !/^(fail|err|drop|reject)/.test(first))
    return rows.length;
  const isPart = /[^s]s$/.test(more.at(-1) ?? first) || /^un|ed$|ical$|^off/.test(first);
  return isPart ? Math.floor(rows.length * USUAL_PART) : undefined;
}

/** What is observed lies in its band. */
function middleOf({ lower, upper }: Values): number | undefined {
  return typeof lower === 'number' && typeof upper === 'number' ? (lower + upper) / 2 : undefined;
}

/** Whether the row says that what the name begins with takes no part: `poe` of a port without power. */
function isOff(values: Values, name: string): boolean {
  const [first] = wordsOf(name);
  return Object.entries(values).some(
    ([field, value]) =>
      typeof value === 'string' && /^(NOT_.*|OFF|DISABLED|INACTIVE)$/i.test(value) && wordsOf(field)[0] === first,
  );
}

/** Whether a row says of itself, by a state or a switch, what the first word of the name says. */
function isMarked(row: Values, word: string): boolean {
  return Object.entries(row).some(
    ([name, value]) =>
      (value === true && wordsOf(name).includes(word)) ||
      (typeof value === 'string' && STATE.test(wordsOf(name).at(-1) ?? '') && wordsOf(value).includes(word)),
  );
}

function figuresOf(values: Values): Figures {
  return Object.entries(values).flatMap(([name, value]) => {
    if (typeof value === 'number') return [[stemsOf(name, []), value] as const];
    const nearest: unknown = Array.isArray(value) ? value[0] : value;
    if (!isObject(nearest)) return [];
    return Object.entries(nearest).flatMap(([inner, number]) =>
      typeof number === 'number' ? [[stemsOf(`${name} ${inner}`, []), number] as const] : [],
    );
  });
}

/** The figure of exactly these words, else one that is named a word closer: `poe draw watts` of `poe watts`. */
function figureOf(figures: Figures, stems: readonly string[]): number | undefined {
  if (stems.length === 0) return undefined;
  const holding = figures.filter(([words]) => stems.every((stem) => words.includes(stem)));
  const exact = holding.find(([words]) => words.length === stems.length);
  return (exact ?? (stems.length > 1 ? holding.find(([words]) => words.length === stems.length + 1) : undefined))?.[1];
}

function stemsOf(name: string, trend: readonly string[]): readonly string[] {
  const own = wordsOf(name).flatMap((word) => (NOISE.test(word) ? [] : (SAME_AS[word] ?? word)));
  const said = own.length === 0 ? trend.filter((word) => !NOISE.test(word)) : own;
  return [...new Set(said.map((word) => singularOf([word])[0] as string))];
}
