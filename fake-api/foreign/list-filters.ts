/** Declared query parameters that are named like a field of the listed things, or search all of it: they select rows. */
import { oneSpelling } from '../engine/filters/condition.ts';
import type { Call } from '../engine/http/accepted-call.ts';
import { isPagingName } from '../engine/http/list-page.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import type { ListStyle } from '../engine/openapi/served-operation.ts';
import { isObject, type JsonObject, own } from '../engine/state/json-value.ts';
import { checkOf } from './foreign-schema-checks.ts';

/** Names that shape an answer, also where a thing has a field of that name. */
const NO_FILTERS = new Set(
  'sort,sortby,order,orderby,direction,fields,include,expand,embed,format,view,query,filter,locale,lang,language,timezone,type_hierarchy'.split(
    ',',
  ),
);
/** Names of a text that is looked for in all fields. */
const SEARCHES = new Set('q,search,searchtext,searchterm,keyword,keywords'.split(','));
/** No expression of a language of the platform's own, such as `state:open`. */
const PLAIN_TEXT = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]*$/u;

type Selects = (row: JsonObject) => boolean;

/** Whether a row fits every filter of the call. */
export function filterOf(call: Call, items: Schema, style: ListStyle): Selects {
  const properties = propertiesOf(call.operation.document, items);
  const byPlain = new Map(Object.keys(properties).map((name) => [plainName(name), name]));
  const tests = Object.entries(call.query)
    .filter(([name]) => !isPagingName(name, style) && !NO_FILTERS.has(plainName(name)))
    .flatMap(([name, value]): Selects[] => {
      if (SEARCHES.has(plainName(name))) return searching(call, name, String(value));
      const { base, compare } = partsOf(name);
      const field = byPlain.get(plainName(base)) ?? (Array.isArray(value) ? byPlain.get(singular(base)) : undefined);
      if (field === undefined) return [];
      const test =
        compare === undefined ? testOf(call, properties[field] as Schema, value) : comparison(compare, value);
      return test === null ? [] : [(row) => test(own(row, field))];
    });
  return (row) => tests.every((test) => test(row));
}

/** What has to be asked for is a search of its own, of which a drawn answer is as good as none. */
function searching({ operation }: Call, name: string, text: string): Selects[] {
  const isRequired = operation.parameters.some((each) => each.name === name && each.required === true);
  if (isRequired || !PLAIN_TEXT.test(text)) return [];
  const wanted = text.toLowerCase();
  return [(row) => textsIn(row).some((each) => each.includes(wanted))];
}

/** `name__ic`, `created__gte`, `filter[name]` and `filter[name][contains]`: a field, and how it is compared. */
function partsOf(name: string): { base: string; compare?: string } {
  const [, base, compare] =
    /^filters?\[(\w+)\](?:\[(\w+)\])?$/i.exec(name) ?? /^([^_]+(?:_[^_]+)*)__([a-z]+)$/i.exec(name) ?? [];
  if (base === undefined) return { base: name };
  return compare === undefined ? { base } : { base, compare: compare.toLowerCase() };
}

const TEXT_COMPARISONS: Readonly<Record<string, (text: string, wanted: string) => boolean>> = {
  c: (text, wanted) => text.includes(wanted),
  sw: (text, wanted) => text.startsWith(wanted),
  ew: (text, wanted) => text.endsWith(wanted),
  e: (text, wanted) => text === wanted,
};

/** Null where the comparison is not known. `n` is none of them, `i` any case, which every comparison of texts here is. */
function comparison(compare: string, value: unknown): ((value: unknown) => boolean) | null {
  if (own(BOUNDS, compare) !== undefined) return rangeOf({ [compare]: value });
  const short = compare
    .replace('contains', 'c')
    .replace('startswith', 'sw')
    .replace('endswith', 'ew')
    .replace('exact', 'e');
  const [, not, how = 'e'] = /^(n?)(?:i?(c|sw|ew|e)|in)?$/.exec(short) ?? [];
  if (not === undefined) return null;
  const wanted = [value].flat().flatMap((each) =>
    String(each)
      .toLowerCase()
      .split(short.endsWith('in') ? ',' : '\0'),
  );
  const fits = (text: string) => wanted.some((each) => own(TEXT_COMPARISONS, how)?.(text, each));
  return (each) => textsIn(each).some(fits) === (not === '');
}

/** Every value as a text in small letters, however deep. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [String(value ?? '').toLowerCase()];

/** A parameter `ids` with a list of values is about the field `id`. */
const singular = (name: string): string => plainName(name).replace(/s$/, '');

/** Null where the value cannot be one of the field, such as `all` for a state. */
function testOf(call: Call, property: Schema, asked: unknown): ((value: unknown) => boolean) | null {
  const { document } = call.operation;
  if (isObject(asked)) return rangeOf(asked);
  const items = flat(document, property).items;
  const wanted = [asked].flat();
  const check = checkOf(document, items ?? property, 'response');
  if (!wanted.every((each) => readingsOf(each).some((value) => check(value) === null))) return null;
  const marks = new Set(wanted.map((each) => String(each).toLowerCase()));
  return (value) => [value].flat().some((each) => marks.has(String(each).toLowerCase()));
}

/** Some documents have a text as the parameter of a number or a flag, and the other way round. */
function readingsOf(value: unknown): unknown[] {
  const text = String(value);
  if (text === 'true' || text === 'false') return [value, text, text === 'true'];
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(text) ? [value, text, Number(text)] : [value, text];
}

const BOUNDS: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  after: (order) => order > 0,
  before: (order) => order < 0,
  eq: (order) => order === 0,
};

/** `created[gt]=7`: every bound has to hold. Null where a field of the object is no bound. */
function rangeOf(asked: Record<string, unknown>): ((value: unknown) => boolean) | null {
  const bounds = Object.entries(asked).map(([name, bound]) => ({ holds: own(BOUNDS, name.toLowerCase()), bound }));
  if (bounds.length === 0 || bounds.some(({ holds }) => holds === undefined)) return null;
  return (value) =>
    value !== undefined &&
    value !== null &&
    bounds.every(({ holds, bound }) => holds?.(orderOf(value, bound)) === true);
}

function orderOf(value: unknown, bound: unknown): number {
  const [left, right] = [value, bound].map((each) =>
    typeof each === 'string' && /^-?\d+(\.\d+)?$/.test(each) ? Number(each) : each,
  );
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [one, other] = [oneSpelling(String(left)), oneSpelling(String(right))];
  return one < other ? -1 : one > other ? 1 : 0;
}
