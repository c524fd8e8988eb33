/**
 * What a list answer says of its page, under the names that platforms give it: beside the list, and in objects there such as `meta`
 * and `pagination`. All of it is about one page, so that no field contradicts another.
 */
import { firstOf, type Page } from '../engine/http/list-page.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import type { ListStyle } from '../engine/openapi/served-operation.ts';
import { spellingsOf } from './address.ts';
import { nextQuery, previousQuery, queryAt } from './foreign-paging.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { singularOfNoun } from './item-path.ts';
import { type KeyPath, withValueAt } from './key-path.ts';

type Query = Record<string, string> | null;

export interface PageView {
  total: number;
  shown: number;
  limit: number;
  offset: number;
  /** Number of the page, and of the last one. */
  number: number;
  last: number;
  pages: number;
  next: Query;
  previous: Query;
  style: ListStyle;
  /** Number that the parameter gives the first row, and row at which the last page begins. */
  firstRow: number;
  lastRow: number;
  /** Query of the page that begins at this row. */
  at: (row: number) => Query;
  href: (query: Record<string, string>) => string;
}

export function pageView(page: Page<string>, style: ListStyle, href: PageView['href']): PageView {
  const { total, limit, offset, rows } = page;
  const first = style.paging === 'page' ? firstOf(style) : 1;
  const pages = Math.ceil(total / limit);
  return {
    total,
    shown: rows.length,
    limit,
    offset,
    number: Math.floor(offset / limit) + first,
    last: Math.max(0, pages - 1) + first,
    pages,
    next: nextQuery(page, style),
    previous: previousQuery(page, style),
    style,
    firstRow: style.paging === 'offset' ? firstOf(style) : 0,
    lastRow: Math.max(0, pages - 1) * limit,
    at: (row) => queryAt(row, page, style),
    href,
  };
}

interface Field {
  name: string;
  /** Plain name, without that of what is listed: `count` of `tasks_count`. */
  plain: string;
  schema: Schema;
  isRequired: boolean;
  /** Plain names of the fields beside it. */
  beside: ReadonlySet<string>;
  /** Fields of an object that it may be. */
  inner: Readonly<Record<string, Schema>>;
}

/** Values of a field, of which its schema takes the first that fits; null where there is nothing to tell, such as no next page. */
type Meaning = (view: PageView, field: Field) => unknown[] | null;

const TOTAL =
  /^total(count|results?|items|elements|records|rows|hits|size|entries|objects)?$|^(records|items|results)total$|^odatacount$/;
const isBesideTotal = ({ beside }: Field): boolean => [...beside].some((name) => TOTAL.test(name));
/** Platforms that call a page by its bare `number` say how many pages or entries there are. */
const isBesidePages = ({ beside }: Field): boolean =>
  ['totalpages', 'totalelements', 'numberofelements'].some((name) => beside.has(name));
const isLimit = ({ style }: PageView, { name }: Field): boolean => style.parameters?.limit === name;

const MEANINGS: readonly [RegExp, Meaning][] = [
  [TOTAL, ({ total }) => [total]],
  [/^count$/, ({ total, shown }, field) => [isBesideTotal(field) ? shown : total]],
  [/^(numberofelements|(num|number|items)?returned)$/, ({ shown }) => [shown]],
  [/^size$/, (view, field) => [isBesidePages(field) || isLimit(view, field) ? view.limit : view.shown]],
  [/^(limit|perpage|page(size|limit|len)|(items|results)perpage|maxresults)$/, ({ limit }) => [limit]],
  [/^(totalpages?|pages?total|pagecount|num(ber)?(of)?pages|pages)$/, ({ pages }) => [pages]],
  [/^(page|currentpage|pagen(umber|o|um)|pageindex)$/, ({ number }) => [number]],
  [/^number$/, ({ number }, field) => (isBesidePages(field) ? [number] : [])],
  [/^(offset|skip|start(index|at)?)$/, ({ offset, firstRow }) => [offset + firstRow]],
  [/^(from|to)$/, rowNumber],
  [/^has(more|next|nextpage)(results|items|pages)?$|^more(results|items|pages)?$/, ({ next }) => [next !== null]],
  [/^(is)?truncated$/, ({ next }) => [next !== null]],
  [/^has(prev|previous)(page)?$/, ({ previous }) => [previous !== null]],
  [/^(is)?empty$/, ({ shown }) => [shown === 0]],
  [/^incompleteresults$/, () => [false]],
  [/^(is)?first(page)?$/, ({ offset }) => [offset === 0]],
  [/^(is)?last(page)?$/, ({ next }) => [next === null]],
  [/^lastpage$/, ({ last }) => [last]],
  [/^first(page)?(url|uri|link|href)?$/, (view, field) => linksTo(view, view.at(0), field)],
  [/^last(page)?(url|uri|link|href)?$/, (view, field) => linksTo(view, view.at(view.lastRow), field)],
  [/^self(url|uri|link|href)?$/, (view, field) => linksTo(view, {}, field)],
  [
    /^(odata)?next(page)?(cursor|token|link|url|uri|href|offset|marker|key|start)?$|^continu(e|ation)(token)?$|^(end)?cursor$|^after$/,
    (view, field) => waysTo(view, view.next, view.number + 1, field),
  ],
  [
    /^prev(ious)?(page)?(cursor|token|link|url|uri|href|offset|marker|key|start)?$|^startcursor$|^before$/,
    (view, field) => waysTo(view, view.previous, view.number - 1, field),
  ],
];

/** Number of the first or the last row shown, which some platforms say beside the total. */
function rowNumber({ offset, shown }: PageView, field: Field): unknown[] | null {
  if (!isBesideTotal(field)) return [];
  if (shown === 0) return null;
  return [field.name === 'to' ? offset + shown : offset + 1];
}

/** Addresses of another page: as a text, or in the object that the field is. */
function linksTo({ href }: PageView, query: Query, { inner }: Field): unknown[] | null {
  if (query === null) return null;
  const texts = spellingsOf(href(query));
  const holder = Object.keys(inner).find((name) => /^(href|url|uri|link)$/i.test(name));
  return holder === undefined ? texts : texts.map((text) => ({ [holder]: text }));
}

/** How a field names another page: by its number, its address, or what a parameter takes. */
function waysTo(view: PageView, query: Query, number: number, field: Field): unknown[] | null {
  const links = linksTo(view, query, field);
  if (query === null || links === null) return null;
  const code = Object.values(query);
  if (/(cursor|token|marker|key|offset|start|continue|continuation|after|before)$/.test(field.plain)) return code;
  if (!/page$/.test(field.plain)) return [...links, ...code];
  return view.style.paging === 'page' ? [number, ...links] : [...code, ...links];
}

/** Objects beside a list that tell of its page. */
const HOLDER =
  /^((response|list|result|page)?(meta|metadata|info)|pag(e|es|ing|er|ination|inator|eable)(info|meta|metadata)?|links?|cursors?)$/;
const MOST_DEPTH = 3;

export interface ToldFields {
  fields: Record<string, unknown>;
  /** Where fields stand that this page goes without. */
  left: string[][];
}

/** What is given, with every field that tells of the page; `list` leads to the entries, which are called `noun` in the path. */
export function withPageFields(
  document: OpenApiDocument,
  schema: Schema,
  given: Record<string, unknown>,
  { list, noun }: { list: KeyPath; noun: string },
  view: PageView,
): ToldFields {
  const told: ToldFields = { fields: given, left: [] };
  const plain = plainNamesIn([list.at(-1) ?? '', noun]);
  for (const { path, field } of fieldsBeside(document, schema, { list, plain }, [])) {
    const value = valueIn(document, field, view);
    if (value === LEFT_OUT) told.left.push(path);
    else if (value !== undefined) told.fields = withValueAt(told.fields, path, value) as Record<string, unknown>;
  }
  return told;
}

const COUNTED = /^(?:(total|count|number|num|nb)(?:of)?)?(.+?)(total|count)?$/;

/** The plain name of a field; without the name of what is listed where it counts that: `count` of `num_tasks`, `total` of `totalTasks`. */
function plainNamesIn(nouns: readonly string[]): (name: string) => string {
  const listed = new Set(nouns.flatMap((noun) => [plainName(noun), plainName(singularOfNoun(noun))]));
  return (name) => {
    const plain = plainName(name);
    const [, before, noun = '', after] = COUNTED.exec(plain) ?? [];
    if (!listed.has(noun) || (before ?? after) === undefined) return plain;
    return [before, after].includes('total') ? 'total' : 'count';
  };
}

/** Every field that may tell of the page, with the names that lead to it. */
function* fieldsBeside(
  document: OpenApiDocument,
  schema: Schema,
  { list: [step, ...below], plain }: { list: KeyPath; plain: (name: string) => string },
  path: readonly string[],
): Iterable<{ path: string[]; field: Field }> {
  const properties = propertiesOf(document, schema);
  const required = flat(document, schema).required ?? [];
  const beside = new Set(Object.keys(properties).map(plain));
  for (const [name, property] of Object.entries(properties)) {
    const inner = propertiesOf(document, property);
    const field = { name, plain: plain(name), schema: property, isRequired: required.includes(name), beside, inner };
    const at = [...path, name];
    const list = name === step ? below : [];
    if (name !== step && !isHolder(field, path.length)) yield { path: at, field };
    else if (name !== step || below.length > 0) yield* fieldsBeside(document, property, { list, plain }, at);
  }
}

const isHolder = ({ plain, inner }: Field, depth: number): boolean =>
  depth < MOST_DEPTH && HOLDER.test(plain) && Object.keys(inner).length > 0;

const LEFT_OUT = Symbol('left out');

/** Undefined where the field says nothing of a page, or nothing that its schema takes. */
function valueIn(document: OpenApiDocument, field: Field, view: PageView): unknown {
  const check = checkOf(document, field.schema, 'response');
  const fits = (value: unknown): boolean => check(value) === null;
  for (const [names, meaning] of MEANINGS) {
    if (!names.test(field.plain)) continue;
    const wanted = meaning(view, field);
    const found = (wanted ?? [null]).flatMap(inBothTypes).find(fits);
    if (found !== undefined) return found;
    if (wanted === null) return field.isRequired ? ['', 0].find(fits) : LEFT_OUT;
  }
  return undefined;
}

/** What a header says of the page; undefined for one that says nothing of it. */
export function headerValue(
  document: OpenApiDocument,
  name: string,
  schema: Schema,
  view: PageView,
): string | undefined {
  const plain = plainName(name.replace(/^x-/i, ''));
  const value = valueIn(
    document,
    { name, plain, schema, isRequired: false, beside: new Set(['total']), inner: {} },
    view,
  );
  return value === undefined || value === LEFT_OUT || typeof value === 'object' ? undefined : String(value);
}

/** Some documents have numbers as texts, and cursors that are numbers. */
function inBothTypes(value: unknown): unknown[] {
  if (typeof value === 'number') return [value, String(value)];
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? [value, Number(value)] : [value];
}
