/**
 * Values that a schema lists, none of which has the type that it states: no value fits. Authors list the entries of a list on the list,
 * quote numbers (`"32"`, `"101 (east)"`), and forget to quote texts (`true`, `20160128`).
 */
import type { YAMLMap } from 'yaml';
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import { yaml } from '../lazy-import.ts';

/**
 * Changes a map of YAML that is a schema of texts: each value that it lists is the text as written. Without quotes `1.0` and `001` are
 * read as the number 1, of which nothing tells how it was written.
 */
export function keepListedTexts(map: YAMLMap): void {
  const { isScalar, isSeq } = yaml();
  const entriesOf = (keyword: string) => {
    const node = map.get(keyword, true);
    return (isSeq(node) ? node.items : [node]).filter(isScalar);
  };
  const types = entriesOf('type').map(({ value }) => value);
  if (!types.includes('string') || !types.every((type) => type === 'string' || type === 'null' || type === null))
    return;
  for (const scalar of [...entriesOf('enum'), ...entriesOf('const')])
    if (typeof scalar.value !== 'string' && scalar.value !== null && scalar.source !== undefined)
      scalar.value = scalar.source;
}

/** Changes a schema to what its author means; one that some value fits stays as it is. */
export function respellListedValues(schema: JsonObject): void {
  const values = schema['enum'];
  const types = [schema['type'] ?? []].flat().filter((type) => type !== 'null');
  if (!Array.isArray(values) || values.length === 0 || types.length === 0) return;
  const solid = values.filter((value) => value !== null);
  if (solid.some((value) => types.some((type) => hasType(value, type)))) return;
  if (solid.length === 0) delete schema['enum'];
  else if (types.includes('array')) moveToEntries(schema, solid);
  else restate(schema, types, values);
}

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: isObject,
};

/** Of a type that is none, nothing is known here. */
const hasType = (value: unknown, type: unknown): boolean =>
  Object.hasOwn(KINDS, String(type)) ? (KINDS[String(type)] as (typeof KINDS)[string])(value) : true;

function moveToEntries(schema: JsonObject, values: unknown[]): void {
  const { items } = schema;
  delete schema['enum'];
  schema['items'] = { ...(isObject(items) ? items : {}), enum: values };
}

/** The values in the stated type, and null; where one cannot be, the values count and the type does not. */
function restate(schema: JsonObject, types: readonly unknown[], values: readonly unknown[]): void {
  const restated = values.map((value) => (value === null ? null : inType(value, types)));
  if (restated.includes(undefined)) delete schema['type'];
  else schema['enum'] = [...new Set(restated)];
}

function inType(value: unknown, types: readonly unknown[]): unknown {
  if (types.includes('string')) return typeof value === 'object' ? undefined : String(value);
  if (types.includes('boolean')) return value === 'true' ? true : value === 'false' ? false : undefined;
  const number = /^-?\d+(\.\d+)?(?=$| )/.exec(typeof value === 'string' ? value : '')?.[0];
  return number === undefined ? undefined : Number(number);
}
