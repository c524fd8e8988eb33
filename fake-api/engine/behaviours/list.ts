/** GET of a collection: scope, parameters, filter, free text, order, page. */
import { type Answer, done, refuse } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Row } from '../collection.ts';
import { type Condition, holds, parseFilter } from '../filter.ts';
import { canonicalJson } from '../json.ts';
import { tagHeader } from '../location.ts';
import { plain, plainName, type Schema, shapeOf } from '../openapi.ts';
import { type ListStyle, listProperty, successOf } from '../operation.ts';
import { isPagingName, pageOf } from '../paging.ts';
import { itemSchemaOf, type Resource } from '../resource.ts';
import { idFromPath, isHidden, present, readRow } from '../rows.ts';
import { inScope, SCOPE_PARAMETERS } from '../scopes.ts';
import { parseSort, type SortKey, sorted } from '../sort.ts';
import { notFound } from '../storing.ts';
import { missingParent } from '../subject.ts';
import type { Values } from '../world.ts';
import { rowsThatFollow } from './following.ts';

interface Entry {
  row: Row;
  values: Values;
}

const PLAIN_STYLE: ListStyle = { property: null, paging: 'offset', default: 100, max: 1000, extras: [] };

export function list(call: Call): Answer {
  const { operation, platform } = call;
  const resource = platform.resources.get(operation.resource ?? '');
  const missing = missingParent(call);
  if (missing !== null) return missing;
  const schema = successOf(operation).schema;
  const item = itemSchemaOf(operation);
  if (resource === undefined || schema === null || item === null) return done(200, {});
  const chosen = chosenEntries(call, resource);
  if (!Array.isArray(chosen)) return chosen;
  const style = operation.list ?? { ...PLAIN_STYLE, property: listProperty(operation.document, schema) ?? null };
  const question = canonicalJson([
    operation.id,
    call.values,
    Object.entries(call.query).filter(([name]) => !isPagingName(name)),
  ]);
  const page = pageOf(chosen, (entry) => entry.row.id, style, call.query, question);
  if (page.kind !== 'page') return page;
  const rows = page.rows.map((entry) => present(call, item, entry.values, entry.row.id));
  if (style.property === null) return done(200, rows);
  const around: Values = {
    count: rows.length,
    total: page.total,
    offset: page.offset,
    limit: page.limit,
    next: page.next,
    [style.property]: rows,
  };
  return done(200, present(call, schema, around, 'page'));
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

  const conditions = conditionsOf(call, resource);
  if (!Array.isArray(conditions)) return conditions;
  if (conditions.length > 0) {
    entries = entries.filter((entry) => conditions.every((condition) => holds(entry.values, condition)));
  }
  const text = query['search'] ?? query['q'];
  if (typeof text === 'string') entries = entries.filter((entry) => containsText(entry.values, text, freeTextOf(call)));
  entries = withinWindow(call, resource, entries);

  if (typeof query['sort'] === 'string') {
    const keys = sortKeys(query['sort'], operation.sort);
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

function sortKeys(text: string, fields: readonly string[]): SortKey[] | Answer {
  const parsed = parseSort(text, fields);
  return parsed.ok ? parsed.keys : refuse(400, 'INVALID_SORT', `query parameter "sort": ${parsed.problem}`);
}

/** Conditions from the `filter` text, and from parameters that are named like a field. */
function conditionsOf(call: Call, resource: Resource): Condition[] | Answer {
  const { operation, query } = call;
  const conditions: Condition[] = [];
  if (operation.filter?.grammar === 'odata-and' && typeof query['filter'] === 'string') {
    const parsed = parseFilter(query['filter'], operation.filter.fields);
    if (!parsed.ok) return refuse(400, 'INVALID_FILTER', `query parameter "filter": ${parsed.problem}`);
    conditions.push(...parsed.conditions);
  }
  const properties = resource.readSchema === null ? {} : shapeOf(resource.document, resource.readSchema).properties;
  for (const [name, value] of Object.entries(query)) {
    if (isPagingName(name) || name === 'filter' || name === 'sort') continue;
    if (SCOPE_PARAMETERS.has(name) && resource.scope !== 'none') continue;
    const field =
      name in properties ? name : Object.keys(properties).find((entry) => plainName(entry) === plainName(name));
    if (field !== undefined) conditions.push({ field, operator: 'in', values: [value].flat().map(String) });
  }
  return conditions;
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

/** A time window keeps the rows whose own time lies in it; resources without a time ignore it. */
function withinWindow(call: Call, resource: Resource, entries: Entry[]): Entry[] {
  const bound = (names: Set<string>) => {
    const found = Object.entries(call.query).find(([name]) => names.has(plainName(name)));
    return typeof found?.[1] === 'string' ? Date.parse(found[1]) : undefined;
  };
  const start = bound(START);
  const end = bound(END);
  const field = start === undefined && end === undefined ? null : timeField(resource);
  if (field === null) return entries;
  return entries.filter((entry) => {
    const at = Date.parse(String(entry.values[field] ?? ''));
    if (Number.isNaN(at)) return false;
    return (start === undefined || at >= start) && (end === undefined || at <= end);
  });
}

const timeFields = new WeakMap<Resource, string | null>();

function timeField(resource: Resource): string | null {
  const known = timeFields.get(resource);
  if (known !== undefined) return known;
  const properties: Record<string, Schema> =
    resource.readSchema === null ? {} : shapeOf(resource.document, resource.readSchema).properties;
  const field = Object.keys(properties).find(
    (name) => plain(resource.document, properties[name] as Schema).format === 'date-time',
  );
  timeFields.set(resource, field ?? null);
  return field ?? null;
}

/** GET of one item. */
export function get(call: Call): Answer {
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const schema = successOf(call.operation).schema;
  if (resource === undefined || schema === null) return done(200, {});
  const row = call.state.rows(call.platform.id, resource.name).get(idFromPath(resource, call.values));
  const scoped = inScope(call, resource);
  if (row === undefined || isHidden(call, resource, row) || (scoped !== null && !scoped(row))) {
    return missingParent(call) ?? notFound(resource, call.values);
  }
  const values = readRow(call.platform, call.state, call.world, resource, row);
  return done(200, present(call, schema, values, row.id), tagHeader(call.operation, row));
}
