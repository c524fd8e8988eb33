/** Declared query parameters that are named like a field of the listed things: they select rows. */
import { oneSpelling } from '../engine/filters/condition.ts';
import type { Call } from '../engine/http/accepted-call.ts';
import { isPagingName } from '../engine/http/list-page.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import type { ListStyle } from '../engine/openapi/served-operation.ts';
import { isObject, type JsonObject, own } from '../engine/state/json-value.ts';
import { checkOf } from './foreign-schema-checks.ts';

/** Names that shape an answer or search all of it, also where a thing has a field of that name. */
const NO_FILTERS = new Set(
  'sort,sortby,order,orderby,direction,fields,include,expand,embed,format,view,search,q,query,filter,locale,lang,language,timezone,type_hierarchy'.split(
    ',',
  ),
);

type Selects = (row: JsonObject) => boolean;

/** Whether a row fits every filter of the call. */
export function filterOf(call: Call, items: Schema, style: ListStyle): Selects {
  const { document } = call.operation;
  const properties = propertiesOf(document, items);
  const byPlain = new Map(Object.keys(properties).map((name) => [plainName(name), name]));
  const tests: Selects[] = [];
  for (const [name, value] of Object.entries(call.query)) {
    const field = byPlain.get(plainName(name)) ?? (Array.isArray(value) ? byPlain.get(singular(name)) : undefined);
    if (field === undefined || isPagingName(name, style) || NO_FILTERS.has(plainName(name))) continue;
    const test = testOf(call, properties[field] as Schema, value);
    if (test !== null) tests.push((row) => test(own(row, field)));
  }
  return (row) => tests.every((test) => test(row));
}

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
