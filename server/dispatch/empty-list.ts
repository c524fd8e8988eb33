/**
 * Why a filtered list is empty: what each filter looks at, how many rows there are without the filters, and in which fields of
 * those rows the text occurs. It costs one more call of the same list, only where a caller asked for the list itself: what an
 * answer says never depends on who asked before.
 */
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import { nearest } from '../nearest.ts';
import type { CallEnd } from './envelope.ts';
import { requiredArguments } from './sibling-tools.ts';

/** What an empty list says of itself: see `shape`. */
export interface NoRowMatches {
  asked: Readonly<Record<string, unknown>>;
  /** By filter, what the document says of it. */
  looks_at?: Record<string, string>;
  /** A number, or "100 or more" where the list goes on. */
  rows_without_filter?: number | string;
  /** Fields of those rows that hold the text, with the number of rows. */
  occurs_in?: Record<string, number>;
  /** Values that the filtered fields have in those rows: all of a few, else those that are close. */
  values?: Record<string, unknown[]>;
}

const DESCRIPTION = 200;
const FIELDS_SHOWN = 5;
const SHORTEST_TEXT = 2;
const VALUES_SHOWN = 10;
const LONGEST_VALUE = 40;
/** Ask for something beside the rows, and narrow nothing. */
const FLAGS = /^(?:calculate[-_]?count|count|with[-_]?total)$/i;

/** What an answer that is an empty list was narrowed by; undefined for every other answer. */
function narrowedBy(end: CallEnd): Readonly<Record<string, unknown>> | undefined {
  const said = end.kind === 'done' ? (end.result as { _no_row_matches?: NoRowMatches } | null) : null;
  return said?._no_row_matches?.asked;
}

/** The answer without what was asked of an empty list but narrowed nothing. */
export function withoutFlags(end: CallEnd): CallEnd {
  const asked = narrowedBy(end);
  if (end.kind !== 'done' || asked === undefined || !Object.keys(asked).some((name) => FLAGS.test(name))) return end;
  const { _no_row_matches: _, ...result } = end.result as Record<string, unknown>;
  const filters = Object.fromEntries(Object.entries(asked).filter(([name]) => !FLAGS.test(name)));
  const said = Object.keys(filters).length > 0 ? { _no_row_matches: { asked: filters } } : {};
  return { kind: 'done', outcome: end.outcome, result: { ...result, ...said } };
}

/** Filters of a list that is empty, by name. What the list requires, such as the site in its path, is none. */
export function emptyFilters(end: CallEnd, tool: Tool): string[] {
  const required = new Set(requiredArguments(tool));
  return Object.keys(narrowedBy(end) ?? {}).filter((name) => !required.has(name));
}

/** Arguments of the same list without its filters: what it requires, and nothing else. */
export function unfiltered(tool: Tool, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = new Set(requiredArguments(tool));
  return Object.fromEntries(Object.entries(values).filter(([name]) => kept.has(name)));
}

/** What the filters look at, from the schema of the call. */
export function looksAt(schema: JsonSchema, filters: readonly string[]): Record<string, string> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    filters
      .map((name): [string, unknown] => [name, properties[name]?.['description']])
      .filter((pair): pair is [string, string] => typeof pair[1] === 'string')
      .map(([name, text]) => [name, text.length > DESCRIPTION ? `${text.slice(0, DESCRIPTION - 1)}…` : text]),
  );
}

/** A list without its filters, as far as it is known. */
export interface WholeList {
  items?: unknown;
  _pagination?: { total?: unknown; truncated?: unknown; limit?: unknown };
}

/** The answer with what is known of its filters and of the list without them. */
export function explained(end: CallEnd, looks_at: Record<string, string>, whole: WholeList | undefined): CallEnd {
  const asked = narrowedBy(end);
  if (end.kind !== 'done' || asked === undefined) return end;
  const items = Array.isArray(whole?.items) ? whole.items : undefined;
  const occurs = items === undefined ? {} : occurrences(asked, items);
  const values = items === undefined ? {} : valuesOf(asked, items);
  const rows = items === undefined ? undefined : rowsOf(items, whole?._pagination);
  const said: NoRowMatches = {
    asked,
    ...(Object.keys(looks_at).length > 0 ? { looks_at } : {}),
    ...(rows === undefined ? {} : { rows_without_filter: rows }),
    ...(Object.keys(occurs).length > 0 ? { occurs_in: occurs } : {}),
    ...(Object.keys(values).length > 0 ? { values } : {}),
  };
  return { kind: 'done', outcome: end.outcome, result: { ...(end.result as object), _no_row_matches: said } };
}

/** A list that tells no total has as many rows as it shows, or more where its page is full. */
function rowsOf(items: readonly unknown[], page: NonNullable<WholeList['_pagination']> = {}): number | string {
  const total = typeof page.total === 'number' ? page.total : items.length;
  const mayGoOn = page.truncated === true || (items.length > 0 && items.length === page.limit);
  return mayGoOn && total <= items.length ? `${items.length} or more` : total;
}

const entriesOf = (item: unknown): [string, unknown][] =>
  typeof item === 'object' && item !== null ? Object.entries(item) : [];

/** Fields that hold the text of a filter; a field of a filter's own name would have matched. */
function occurrences(asked: Readonly<Record<string, unknown>>, items: readonly unknown[]): Record<string, number> {
  const texts = literalsIn(asked).map((text) => text.toLowerCase());
  const counts = new Map<string, number>();
  for (const [field, value] of items.flatMap(entriesOf))
    if (typeof value === 'string' && texts.some((text) => value.toLowerCase().includes(text)))
      counts.set(field, (counts.get(field) ?? 0) + 1);
  return Object.fromEntries([...counts].slice(0, FIELDS_SHOWN));
}

/** What was looked for: of a condition its quoted texts, else the whole of it. */
function literalsIn(asked: Readonly<Record<string, unknown>>): string[] {
  return Object.values(asked)
    .filter((value) => typeof value === 'string')
    .flatMap((text) => {
      const quoted = [...text.matchAll(QUOTED)].map(([, , single, double]) => single ?? double ?? '');
      return quoted.length > 0 ? quoted : [text];
    })
    .filter((text) => text.length >= SHORTEST_TEXT);
}

/** A text in quotes, or the name of a field in JSON. */
const QUOTED = /"([^"]*)"\s*:|'([^']*)'|"([^"]*)"/g;

/** Who filters by a value that no row has needs those that there are. */
function valuesOf(asked: Readonly<Record<string, unknown>>, items: readonly unknown[]): Record<string, unknown[]> {
  const named = new Set(
    Object.entries(asked).flatMap(([name, value]) => [name, ...(typeof value === 'string' ? namesIn(value) : [])]),
  );
  const values = new Map<string, Set<string | number>>();
  for (const [field, value] of items.flatMap(entriesOf))
    if (named.has(field) && (typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_VALUE)))
      values.set(field, (values.get(field) ?? new Set()).add(value));
  const literals = literalsIn(asked);
  const shown = [...values].slice(0, FIELDS_SHOWN).map(([field, found]): [string, unknown[]] => {
    if (found.size <= VALUES_SHOWN) return [field, [...found]];
    const close = literals.flatMap((text) => nearest(text, [...found].map(String)));
    return [field, [...new Set(close)].slice(0, VALUES_SHOWN)];
  });
  return Object.fromEntries(shown.filter(([, found]) => found.length > 0));
}

/** Names in a condition: `status eq 'UP'`, `{"status":"up"}`. */
const namesIn = (condition: string): string[] => condition.replaceAll(QUOTED, ' $1 ').match(/[a-z][\w.-]*/gi) ?? [];
