/** A chosen list in the form its platform gives lists: cut to a page, wrapped, with totals, headers and links. */
import { successOf } from '../openapi/declared-outcome.ts';
import type { Schema } from '../openapi/openapi-document.ts';
import { type ListMeaning, type ListStyle, listProperty, type Operation } from '../openapi/served-operation.ts';
import { itemNames } from '../openapi/stored-resource.ts';
import { isoSeconds } from '../state/clock.ts';
import { canonicalJson } from '../state/json-value.ts';
import { windowAsked } from '../state/list-selection.ts';
import type { Values } from '../state/platform-behaviour.ts';
import { present } from '../state/stored-rows.ts';
import type { Call } from './accepted-call.ts';
import { firstOf, isPagingName, type Page, pageOf, parameterNamed } from './list-page.ts';
import type { Answer } from './platform-answer.ts';
import { done } from './platform-answer.ts';
import { canonicalQuery } from './request-parameters.ts';

/** One row on its way into an answer, under the id it is stored by. */
export interface Listed {
  id: string;
  values: Values;
}

const PLAIN_STYLE: ListStyle = { property: null, paging: 'offset', default: 100, max: 1000, extras: [] };

export function listStyleOf(operation: Operation): ListStyle {
  const { schema } = successOf(operation);
  const found = schema === null ? undefined : listProperty(operation.document, schema);
  return operation.list ?? { ...PLAIN_STYLE, property: found ?? null };
}

/** `asked` is what tells this list from another one: a cursor of one question is refused at the next. */
export function listAnswer(
  call: Call,
  listed: readonly Listed[],
  item: Schema,
  style: ListStyle,
  asked: unknown,
): Answer {
  const { operation } = call;
  const success = successOf(operation);
  const page = pageOf(listed, (entry) => entry.id, style, call.query, questionOf(call, style, asked));
  if (page.kind !== 'page') return page;
  const rows = page.rows.map((entry) => present(call, item, entry.values, entry.id));
  const entries =
    style.shape === 'map' ? Object.fromEntries(rows.map((row, at) => [keyOf(call, page, at), row])) : rows;
  const told = tellings(call, page, style);
  const headers = {
    ...Object.fromEntries(
      Object.entries(style.headers ?? {}).map(([name, meaning]) => [name.toLowerCase(), String(told[meaning] ?? '')]),
    ),
    ...searchedHeader(call, page, style),
  };
  if (style.property === null || success.schema === null) return done(success.status, entries, headers);
  const [first = '', ...inner] = style.property.split('.');
  const around: Values = {
    ...told,
    ...Object.fromEntries(Object.entries(style.meanings ?? {}).map(([name, meaning]) => [name, told[meaning]])),
    ...(style.links === undefined ? {} : { [style.links]: linksOf(call, page, style) }),
    [first]: inner.reduceRight<unknown>((value, name) => ({ [name]: value }), entries),
  };
  if (style.onRequest !== undefined && call.query[style.onRequest] !== true)
    for (const name of style.extras) delete around[name];
  return done(success.status, present(call, success.schema, around, 'page'), headers);
}

/** An empty answer to a question with conditions says which conditions nothing fits, and how many rows there are without them. */
function searchedHeader(call: Call, page: Page<Listed>, style: ListStyle): Record<string, string> {
  const conditions = Object.entries(call.query).filter(([name]) => !isPagingName(name, style));
  if (page.total > 0 || conditions.length === 0) return {};
  const asked = canonicalQuery(conditions.map(([name, value]) => [name, [value].flat().join(',')] as const));
  const rows = call.state.rows(call.platform.id, call.operation.resource ?? '').size;
  return { 'x-searched': `${asked}; rows=${rows}` };
}

function questionOf(call: Call, style: ListStyle, asked: unknown): string {
  const query = Object.entries(call.query).filter(([name]) => !isPagingName(name, style));
  return canonicalJson([call.operation.id, call.values, query, asked]);
}

/** Entries of a map stand under the key a caller reads them by. */
function keyOf(call: Call, page: Page<Listed>, at: number): string {
  const { id, values } = page.rows[at] as Listed;
  const names = itemNames(call.platform.resources.get(call.operation.resource ?? ''));
  return names.length === 0 ? id : names.map((name) => String(values[name] ?? '')).join('/');
}

const DAY_MS = 86_400_000;

function tellings(call: Call, page: Page<Listed>, style: ListStyle): Record<ListMeaning, unknown> {
  const first = firstOf(style);
  const window = windowAsked(call);
  const end = window.end ?? call.state.clock.ms;
  return {
    count: page.rows.length,
    total: page.total,
    offset: page.offset + (style.paging === 'offset' ? first : 0),
    limit: page.limit,
    page: (page.limit === 0 ? 0 : Math.floor(page.offset / page.limit)) + first,
    next: page.next,
    start: isoSeconds(window.start ?? end - DAY_MS),
    end: isoSeconds(end),
  };
}

/** Links carry the query as it came, only the place differs. */
function linksOf(call: Call, page: Page<Listed>, style: ListStyle): Values {
  const role = style.paging === 'page' ? 'page' : 'offset';
  const name = parameterNamed(style, role);
  const first = firstOf(style);
  const to = (offset: number) => {
    const number = role === 'page' ? Math.floor(offset / Math.max(1, page.limit)) : offset;
    const pairs = Object.entries({ ...call.query, [name]: number + first }).map(
      ([key, value]) => [key, [value].flat().join(',')] as const,
    );
    return { href: `${call.concretePath}?${canonicalQuery(pairs)}` };
  };
  const following = page.offset + page.rows.length;
  return {
    self: to(page.offset),
    first: to(0),
    ...(page.offset > 0 ? { prev: to(Math.max(0, page.offset - page.limit)) } : {}),
    ...(following < page.total && page.rows.length > 0 ? { next: to(following) } : {}),
  };
}
