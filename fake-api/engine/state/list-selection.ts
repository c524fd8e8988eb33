/** Which rows a list, a search or an export is about: scope, filter, free text, time window, order. */
import { holds } from '../filters/condition.ts';
import { fits } from '../filters/expression.ts';
import { parseJsonExpression } from '../filters/json-expression.ts';
import { parseOdata } from '../filters/odata.ts';
import { parseFilter } from '../filters/odata-and.ts';
import { conditionsIn, impossibleValue } from '../filters/possible-value.ts';
import { matchesWildcard } from '../filters/wildcard.ts';
import type { Call } from '../http/accepted-call.ts';
import { isPagingName } from '../http/list-page.ts';
import { type Answer, refuseAt } from '../http/platform-answer.ts';
import { plain, plainName, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import type { FilterStyle, Operation } from '../openapi/served-operation.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import type { Row } from './collection.ts';
import { rowsThatFollow } from './derived-rows.ts';
import { own } from './json-value.ts';
import { periodOf } from './period-sums.ts';
import type { Values } from './platform-behaviour.ts';
import { inScope, SCOPE_PARAMETERS } from './scopes.ts';
import { lengthOf } from './series.ts';
import { parseSignedSort, parseSort, type SortKey, sorted } from './sort.ts';
import { isHidden, readRow } from './stored-rows.ts';
import { statedLength } from './usual-window.ts';

export interface Entry {
  row: Row;
  values: Values;
}

/** Rows that fit every condition of the query, in the order asked for; also what searches and exports start from. */
export function chosenEntries(call: Call, resource: Resource): Entry[] | Answer {
  const { operation, state, query } = call;
  const parent = call.values.slice(0, resource.parentNames.length);
  let entries: Entry[] = [];
  const away = awayFrom(call, resource);
  for (const row of call.world.rows(call, resource) ??
    rowsThatFollow(call, resource) ??
    state.rows(call.platform.id, resource.name).under(parent)) {
    if (away.has(row.id)) continue;
    if (isHidden(call, resource, row)) continue;
    entries.push({ row, values: readRow(call.platform, state, call.world, resource, row) });
  }
  const scoped = inScope(call, resource);
  if (scoped !== null) entries = entries.filter((entry) => scoped(entry.row));

  const tests = testsOf(call, resource);
  if (!Array.isArray(tests)) return tests;
  if (tests.length > 0) entries = entries.filter((entry) => tests.every((test) => test(entry.values)));
  const text = query['search'] ?? query['q'];
  if (typeof text === 'string') entries = entries.filter((entry) => containsText(entry.values, text, freeTextOf(call)));
  entries = withinWindow(call, resource, entries);
  const ofPeriod = periodOf(operation, resource, query, state.clock.ms);
  if (ofPeriod !== null) entries = entries.map(({ row, values }) => ({ row, values: ofPeriod(values) }));

  if (typeof query['sort'] === 'string') {
    const keys = sortKeys(query['sort'], operation);
    if (!Array.isArray(keys)) return keys;
    entries = sorted(entries, keys, (entry, field) => entry.values[field]);
  }
  return entries;
}

/** Rows sent away for some reads of their list; each such read counts one down. */
function awayFrom(call: Call, resource: Resource): ReadonlySet<string> {
  if (call.state.absences.length === 0) return NOBODY;
  const away = new Set<string>();
  for (const absence of call.state.absences) {
    if (absence.resource !== resource.name) continue;
    away.add(absence.id);
    absence.readsLeft -= 1;
  }
  call.state.absences = call.state.absences.filter((absence) => absence.readsLeft > 0);
  return away;
}

const NOBODY: ReadonlySet<string> = new Set();

function sortKeys(text: string, { sort, list }: Operation): SortKey[] | Answer {
  const parsed = list?.sort === 'signed' ? parseSignedSort(text, sort) : parseSort(text, sort);
  return parsed.ok ? parsed.keys : refuseAt('sort', 400, 'INVALID_SORT', `query parameter "sort": ${parsed.problem}`);
}

type Test = (values: Values) => boolean;

/** Tests from the `filter` text, and from parameters that are named like a field. */
function testsOf(call: Call, resource: Resource): Test[] | Answer {
  const { operation, query } = call;
  const tests: Test[] = [];
  const text = query['filter'];
  if (typeof text === 'string' && operation.filter !== null && isText(operation.filter.grammar)) {
    const test = filterTest(text, operation.filter, resource);
    if (typeof test !== 'function') return test;
    tests.push(test);
  }
  const byWildcard = wildcardFields(operation);
  const properties = propertiesOf(resource);
  for (const [name, value] of Object.entries(query)) {
    if (isControl(call, resource, name)) continue;
    const test = boundOf(operation, name, String(value)) ?? valueTest(name, value, properties, byWildcard.has(name));
    if (test !== null) tests.push(test);
  }
  return tests;
}

/** A parameter that is named like a field; null for one that is not, unless it takes wildcards. */
function valueTest(name: string, value: unknown, properties: object, takesWildcards: boolean): Test | null {
  const field = Object.hasOwn(properties, name)
    ? name
    : Object.keys(properties).find((entry) => plainName(entry) === plainName(name));
  const wanted = [value].flat().map(String);
  if (takesWildcards) return (values) => fitsWildcards(values, field, wanted);
  return field === undefined ? null : (values) => holds(values, { field, operator: 'in', values: wanted });
}

/** A parameter that bounds a field, such as `startAfter`; null for any other. */
function boundOf({ filter }: Operation, name: string, value: string): Test | null {
  const [field, operator] = own(filter?.ranges ?? {}, name) ?? [];
  if (field === undefined || operator === undefined) return null;
  return (values) => holds(values, { field, operator, values: [value] });
}

/** Whether a parameter pages, filters by its own grammar, sorts, bounds the time or names the scope: then it is no test of a field. */
function isControl({ operation, query }: Call, resource: Resource, name: string): boolean {
  if (isPagingName(name, operation.list) || name === 'filter' || name === 'sort') return true;
  if (name === 'duration' && lengthOf(query[name]) !== undefined) return true;
  return SCOPE_PARAMETERS.has(name) && resource.scope !== 'none';
}

/** Fields whose parameters take wildcards: those of a wildcard filter, and those of a search by parameters. */
function wildcardFields(operation: Operation): ReadonlySet<string> {
  const searched = operation.derive['fields'];
  return new Set([
    ...(operation.filter?.grammar === 'wildcard' ? Object.keys(operation.filter.fields) : []),
    ...(operation.kind === 'search' && Array.isArray(searched) ? searched.map(String) : []),
  ]);
}

/** A parameter that is named after no field looks at every text of the row. */
function fitsWildcards(values: Values, field: string | undefined, wanted: readonly string[]): boolean {
  if (field !== undefined) return wanted.some((each) => matchesWildcard(values[field], each));
  return wanted.some((each) =>
    Object.values(values).some((value) => typeof value === 'string' && matchesWildcard(value, each)),
  );
}

const isText = (grammar: FilterStyle['grammar']): boolean => grammar !== 'parameters' && grammar !== 'wildcard';

const propertiesOf = ({ document, readSchema }: Resource): Record<string, Schema> =>
  readSchema === null ? {} : shapeOf(document, readSchema).properties;

function filterTest(text: string, { grammar, fields }: FilterStyle, resource: Resource): Test | Answer {
  const refused = (problem: string) =>
    refuseAt('filter', 400, 'INVALID_FILTER', `query parameter "filter": ${problem}`);
  if (grammar === 'odata-and') {
    const read = parseFilter(text, fields);
    if (!read.ok) return refused(read.problem);
    const impossible = impossibleValue(resource.document, propertiesOf(resource), read.conditions);
    if (impossible !== null) return refused(impossible);
    return (values) => read.conditions.every((condition) => holds(values, condition));
  }
  const read = grammar === 'json' ? parseJsonExpression(text, fields) : parseOdata(text, fields);
  if (!read.ok) return refused(read.problem);
  const impossible = impossibleValue(resource.document, propertiesOf(resource), conditionsIn(read.expression));
  return impossible === null ? (values) => fits(values, read.expression) : refused(impossible);
}

function freeTextOf(call: Call): string[] | null {
  const fields = call.operation.freeText;
  return fields.length === 0 ? null : fields;
}

export function containsText(values: Values, text: string, fields: readonly string[] | null): boolean {
  const wanted = text.toLowerCase();
  return Object.entries(values).some(
    ([name, value]) =>
      typeof value === 'string' && (fields === null || fields.includes(name)) && value.toLowerCase().includes(wanted),
  );
}

const START = new Set(['startat', 'start', 'from', 'starttime']);
const END = new Set(['endat', 'end', 'to', 'endtime']);

interface AskedWindow {
  /** In milliseconds, as is the end; the usual one where the query says nothing and the operation has one. */
  start: number | undefined;
  end: number | undefined;
  /** Whether the query says anything of it. */
  isSent: boolean;
}

/** The time window that a query names; `start` of a range of addresses is none. */
export function windowAsked({ operation, query, state }: Call): AskedWindow {
  const bound = (names: Set<string>) => {
    const found = Object.entries(query).find(([name]) => names.has(plainName(name)) && isMoment(operation, name));
    return typeof found?.[1] === 'string' ? Date.parse(found[1]) : undefined;
  };
  const [start, end] = [bound(START), bound(END)];
  const length = lengthOf(query['duration']) ?? usualLength(operation);
  const usual = length === undefined ? undefined : (end ?? state.clock.ms) - length;
  const isSent = start !== undefined || end !== undefined || query['duration'] !== undefined;
  return { start: start ?? usual, end, isSent };
}

/** A ranking is of all that is kept, whatever window its figures are of. */
const usualLength = ({ kind, parameters }: Operation): number | undefined =>
  kind === 'top' ? undefined : statedLength(parameters);

const isMoment = ({ document, parameters }: Operation, name: string): boolean =>
  parameters.some(
    (parameter) =>
      parameter.in === 'query' &&
      parameter.name === name &&
      plain(document, parameter.schema ?? {}).format === 'date-time',
  );

/** A time window keeps the rows whose own time lies in it; resources without a time ignore it. */
function withinWindow(call: Call, resource: Resource, entries: Entry[]): Entry[] {
  const { start, end, isSent } = windowAsked(call);
  const field = start === undefined && end === undefined ? null : timeField(resource, isSent);
  if (field === null) return entries;
  return entries.filter((entry) => {
    const at = Date.parse(String(entry.values[field] ?? ''));
    if (Number.isNaN(at)) return false;
    return (start === undefined || at >= start) && (end === undefined || at <= end);
  });
}

interface TimeFields {
  /** When that happened, or was seen last, of which the row tells. */
  own: string | null;
  first: string | null;
}

const timeFields = new WeakMap<Resource, TimeFields>();
const HAPPENED = ['timestamp', 'lastseen'];

/** Settings have only times such as that of their creation: a window that nobody sent leaves them all. */
function timeField(resource: Resource, isSent: boolean): string | null {
  const known = timeFields.get(resource) ?? readTimeFields(resource);
  timeFields.set(resource, known);
  return known.own ?? (isSent ? known.first : null);
}

function readTimeFields(resource: Resource): TimeFields {
  const properties = propertiesOf(resource);
  const times = Object.keys(properties).filter(
    (name) => plain(resource.document, properties[name] as Schema).format === 'date-time',
  );
  const own = HAPPENED.flatMap((wanted) => times.find((name) => plainName(name) === wanted) ?? []);
  return { own: own[0] ?? null, first: times[0] ?? null };
}
