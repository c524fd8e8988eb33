/**
 * `allOf` of parts that list values, none of which stands in each of the lists: no value fits (JSON Schema 2020-12, 10.2.1.1). The author
 * means the values of all parts, as in other languages a type that extends an enumeration has them.
 */
import { lookUp } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';

type Fields = Record<string, unknown>;

const DEPTH = 100;

/** Changes the compositions of a document; one that some value fits stays as it is. */
export function joinDisjointValues(content: Fields): void {
  const parts: Parts = { content, values: new Map() };
  const wholes = [...compositionsIn(content)].filter(
    (node) => node['$ref'] === undefined && isDisjoint(listsOf(parts, node, 0)),
  );
  // Every part is read before a whole is changed: a whole may be the part of another one.
  const joined = wholes.map((node) => ({
    values: valuesOf(parts, node),
    others: partsOf(node).filter((part) => valuesOf(parts, part) === undefined),
  }));
  for (const [at, whole] of wholes.entries()) {
    whole['enum'] = joined[at]?.values;
    whole['allOf'] = joined[at]?.others;
    if (joined[at]?.others.length === 0) delete whole['allOf'];
  }
}

/** Below these names stands data. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Every object with parts, once. */
function* compositionsIn(content: Fields): Generator<Fields> {
  const seen = new Set<object>();
  const open: unknown[] = [content];
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (Array.isArray((node as Fields)['allOf'])) yield node as Fields;
    for (const [name, part] of Object.entries(node)) if (!DATA.has(name)) open.push(part);
  }
}

/** Each part is read once, however many wholes share it. */
interface Parts {
  content: Fields;
  values: Map<Fields, unknown[] | undefined>;
}

const partsOf = (schema: Fields): unknown[] => (Array.isArray(schema['allOf']) ? schema['allOf'] : []);

/** The values that a schema means; undefined where it lists none. */
function valuesOf(parts: Parts, schema: unknown, depth = 0): unknown[] | undefined {
  if (!isObject(schema) || depth > DEPTH) return undefined;
  if (parts.values.has(schema)) return parts.values.get(schema);
  // A part that refers to itself adds no values.
  parts.values.set(schema, undefined);
  const lists = listsOf(parts, schema, depth);
  const values = lists.length === 0 ? undefined : isDisjoint(lists) ? distinct(lists.flat()) : common(lists);
  parts.values.set(schema, values);
  return values;
}

function listsOf(parts: Parts, schema: Fields, depth: number): unknown[][] {
  const { $ref, enum: own } = schema;
  const inner = typeof $ref === 'string' ? [lookUp(parts.content, $ref), ...partsOf(schema)] : partsOf(schema);
  const lists = [own, ...inner.map((part) => valuesOf(parts, part, depth + 1))];
  return lists.filter((list) => Array.isArray(list));
}

const isDisjoint = (lists: unknown[][]): boolean => lists.length > 1 && common(lists).length === 0;

function common([first = [], ...others]: unknown[][]): unknown[] {
  const texts = others.map((list) => new Set(list.map((value) => JSON.stringify(value))));
  return first.filter((value) => texts.every((list) => list.has(JSON.stringify(value))));
}

const distinct = (values: unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
