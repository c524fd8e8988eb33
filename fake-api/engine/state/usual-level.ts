/**
 * What a time series should end at: a series beside a row follows what the row shows now, and one of the whole tenant follows
 * the rows of its resource, so that a trend of clients never tells of thirty where the access point has three. Filters of the query leave the part of
 * the rows that they choose.
 */
import type { Call } from '../http/accepted-call.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { singularOf, wordsOf } from '../semantics/field-name-words.ts';
import { rowParts } from './collection.ts';
import { isObject } from './json-value.ts';
import type { Subject, Values } from './platform-behaviour.ts';
import type { SeriesPart } from './series.ts';
import { rowsOfSeries, type SeriesRows } from './series-rows.ts';
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
const SAME_AS: Readonly<Record<string, string>> = { actual: 'expected', forecast: 'cost', arrivals: 'people' };

/** Figures of the row that the series lies beside, by the words that name them. */
export type Figures = readonly (readonly [words: readonly string[], value: number])[];

/** What a field of a series leads to, and whose parts make it up. */
export interface UsualLevel {
  /** The level of the whole; undefined where nothing that is stored says one. */
  usual: number | undefined;
  /** The level as rows hold it, which is that of the present. */
  now?: { value: number; ms: number };
  /** Parts of the whole that the query asks about: a series of all is the sum of those of each site. */
  parts: readonly SeriesPart[];
}

const WHOLE: readonly SeriesPart[] = [{ mark: '', weight: 1 }];

/** Rows fall into so many groups, each of which has ups and downs of its own. */
const GROUPS = 8;

/** The level of each field of a series; null where the query names something that the platform does not know. */
export function usualLevels(
  call: Call,
  subject: Subject | null,
  trend: readonly string[],
  named: readonly (readonly [name: string, value: unknown])[] = [],
): ((name: string) => UsualLevel) | null {
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  if (subject !== null) {
    const figures = figuresOf(subject.values);
    const below = rowsBelow(call, subject, resource);
    const ofRows =
      resource === undefined || below === null || below.length === 0
        ? null
        : levelsOfRows(call, resource, below, trend, []);
    const levelOf = (name: string) =>
      name === 'observed'
        ? middleOf(subject.values)
        : isOff(subject.values, name)
          ? 0
          : figureOf(figures, stemsOf(name, trend));
    return (name) => {
      const usual = levelOf(name);
      if (usual === undefined && ofRows !== null) return ofRows(name);
      // Where an item has none of what is counted, the count is zero.
      return { usual: usual ?? (below?.length === 0 && !isAveraged(name) ? 0 : undefined), parts: WHOLE };
    };
  }
  if (resource === undefined || resource.singleton) return () => ({ usual: undefined, parts: whole(named) });
  const rows = Array.from(call.state.rows(call.platform.id, resource.name).all(), (row) =>
    readRow(call.platform, call.state, call.world, resource, row),
  );
  if (rows.length === 0) return () => ({ usual: undefined, parts: whole(named) });
  return levelsOfRows(call, resource, rows, trend, named);
}

/** Rows of the resource that belong to the item the series lies below, such as the anomalies of one fabric; null where the resource lies below none. */
function rowsBelow(call: Call, subject: Subject, resource: Resource | undefined): readonly Values[] | null {
  if (resource === undefined || resource.singleton || resource.name === subject.resource.name) return null;
  if (resource.parentNames.length === 0) return null;
  return Array.from(call.state.rows(call.platform.id, resource.name).under(rowParts(subject.id)), (row) =>
    readRow(call.platform, call.state, call.world, resource, row),
  );
}

function levelsOfRows(
  call: Call,
  resource: Resource,
  rows: readonly Values[],
  trend: readonly string[],
  named: readonly (readonly [name: string, value: unknown])[],
): ((name: string) => UsualLevel) | null {
  const isDaily = wordsOf(call.operation.id).includes('daily');
  const figures = rows.map(figuresOf);
  const about = rowsOfSeries(call, resource, rows, named);
  if (about.isUnknown) return null;
  return (name) => {
    const amounts = amountsOf(name, trend, rows, figures);
    const level = amounts === undefined ? undefined : levelOf(name, amounts);
    const parts = partsOf(name, rows, amounts === undefined || level === 0 ? rows.map(() => 1) : amounts, about);
    if (level === undefined) return { usual: undefined, parts };
    if (isDaily) return { usual: isAveraged(name) ? level : level / DAYS_OF_ROWS, parts };
    return { usual: level, now: { value: level, ms: call.state.clock.ms }, parts };
  };
}

/** Whether a field would be the mean of no row: then there is nothing to show, while a sum of none is zero. */
export const isMeanOfNone = (name: string, { parts }: UsualLevel): boolean => parts.length === 0 && isAveraged(name);

/** One part, with ups and downs of what the query names. */
function whole(named: readonly (readonly [name: string, value: unknown])[]): readonly SeriesPart[] {
  const mark = named.map((pair) => pair.join('=')).sort();
  return mark.length === 0 ? WHOLE : [{ mark: mark.join(' '), weight: 1 }];
}

const isAveraged = (name: string): boolean => wordsOf(name).some((word) => AVERAGED.test(word));

function levelOf(name: string, amounts: Amounts): number {
  const told = amounts.filter((amount) => amount !== undefined);
  const sum = told.reduce((total, amount) => total + amount, 0);
  return isAveraged(name) ? sum / told.length : sum;
}

/** Weights of the chosen rows by their group: shares of a sum, or of a mean what they say beside the mean of all. */
function partsOf(
  name: string,
  rows: readonly Values[],
  amounts: Amounts,
  { chosen, share, unsaid }: SeriesRows,
): readonly SeriesPart[] {
  const level = levelOf(name, amounts) || 1;
  const count = amounts.filter((amount, at) => amount !== undefined && chosen[at]).length;
  const isCount = !isAveraged(name) && amounts.every((amount) => amount === 0 || amount === 1);
  const parts = new Map<string, SeriesPart>();
  for (const [at, amount] of amounts.entries()) {
    if (amount === undefined || !chosen[at]) continue;
    const mark = `${at % GROUPS} ${unsaid}`;
    const span = isCount ? spanOf(rows[at] as Values) : {};
    const weight = isAveraged(name) ? amount / count / level : (amount / level) * share;
    const group = `${mark} ${span.fromMs ?? ''} ${span.untilMs ?? ''}`;
    parts.set(group, { mark, ...span, weight: (parts.get(group)?.weight ?? 0) + weight });
  }
  return [...parts.values()];
}

const BEGINS = /^(since|raised at|detected at|opened at)$/;
/** The beginning of what has an end as well; a record of a moment has none. */
const STARTS = /^(start|started at|start at|start time)$/;
const ENDS = /^(end|ended at|end at|end time|cleared at|resolved at|closed at)$/;

/** A row counts as long as what it tells of lasts. */
function spanOf(row: Values): Pick<SeriesPart, 'fromMs' | 'untilMs'> {
  const momentOf = (test: RegExp): number | undefined => {
    const [, text] = Object.entries(row).find(([name]) => test.test(wordsOf(name).join(' '))) ?? [];
    const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    return Number.isNaN(ms) ? undefined : ms;
  };
  const hasEnd = Object.keys(row).some((name) => ENDS.test(wordsOf(name).join(' ')));
  const [fromMs, untilMs] = [momentOf(BEGINS) ?? (hasEnd ? momentOf(STARTS) : undefined), momentOf(ENDS)];
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(untilMs === undefined ? {} : { untilMs }) };
}

/** What each row adds to a field; undefined for a row that says nothing of it. */
type Amounts = readonly (number | undefined)[];

function amountsOf(
  name: string,
  trend: readonly string[],
  rows: readonly Values[],
  figures: readonly Figures[],
): Amounts | undefined {
  const stems = stemsOf(name, trend);
  const told = figures.map((each) => figureOf(each, stems));
  if (told.some((amount) => amount !== undefined)) return told;
  const [first, ...more] = wordsOf(name);
  if (first === undefined || isAveraged(name)) return undefined;
  const marked = rows.map((row) => Number(isMarked(row, first)));
  if (marked.includes(1)) return marked;
  if (
    more.length === 0 &&
    (/^(total|open)$/.test(first) || /[^s]s$/.test(first)) &&
    !/^(fail|err|drop|reject)/.test(first)
  )
    return rows.map(() => 1);
  const isPart = /[^s]s$/.test(more.at(-1) ?? first) || /^un|ed$|ical$|^off/.test(first);
  return isPart ? rows.map(() => Math.floor(rows.length * USUAL_PART) / rows.length) : undefined;
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
