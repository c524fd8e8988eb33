/** The order in which a caller wants a list, by the customary names of parameters: `sort=-name`, `sort_by=name&order=desc`, `$orderby=name desc`. */
import type { Call } from '../engine/http/accepted-call.ts';
import { flatWithoutNull, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import { type SortKey, sorted } from '../engine/state/sort.ts';
import { valueAtPath } from './key-path.ts';

const NAMES = /^(sort|order)(ing|by|field|key|column|order|direction|dir|type)?$|^(direction|dir)$/;
const DIRECTION = /^(asc|desc)(ending)?$|^-?1$/i;
/** Behind a word that names a time: `created` is the field `created_at`. */
const ENDINGS = ['', 'at', 'on', 'time', 'date'];
/** Between the names that lead to a field; no name has it. */
const STEP = '\u001f';

/** The rows in the order that is asked for, in their own where the query names no field of theirs. */
export function ordered<Of>(
  call: Call,
  items: Schema,
  rows: readonly Of[],
  thingOf: (row: Of) => JsonObject,
): readonly Of[] {
  const keys = sortKeysOf(call, items);
  return keys.length === 0 ? rows : sorted(rows, keys, (row, field) => valueAtPath(thingOf(row), field.split(STEP)));
}

function sortKeysOf({ operation, query }: Call, items: Schema): SortKey[] {
  const asked = operation.parameters.filter((entry) => entry.in === 'query' && NAMES.test(plainName(entry.name)));
  const sent = asked.filter(({ name }) => query[name] !== undefined);
  if (sent.length === 0) return [];
  // A direction alone turns round the order that the document states.
  const said = asked.flatMap(({ name, schema }) =>
    wordsIn(query[name] ?? (schema === undefined ? undefined : flatWithoutNull(operation.document, schema).default)),
  );
  const keys: SortKey[] = [];
  let isDescending = false;
  for (const { word, isBehind } of said) {
    const last = keys.at(-1);
    if (!DIRECTION.test(word)) keys.push(...keyOf(operation.document, items, word));
    else if (isBehind && last !== undefined) last.descending = isDown(word);
    else isDescending = isDown(word);
  }
  return isDescending ? keys.map((key) => ({ ...key, descending: true })) : keys;
}

const isDown = (word: string): boolean => /^(desc|-)/i.test(word);

interface Word {
  word: string;
  /** Other words of the same parameter stand before it. */
  isBehind: boolean;
}

/** `name:asc`, `name desc`, `name,desc`, `desc(name)`, a list of these, or an object of directions by field. */
function wordsIn(value: unknown): Word[] {
  const texts = [value].flat().flatMap((entry) => (isObject(entry) ? Object.entries(entry).flat() : (entry ?? [])));
  const words = texts.flatMap((text) =>
    String(text)
      .split(',')
      .flatMap((part) => {
        const [, direction, inner] = /^\s*(asc|desc)\((.*)\)\s*$/i.exec(part) ?? [];
        return direction === undefined || inner === undefined ? part.split(/[:\s|]/) : [inner, direction];
      }),
  );
  return words.filter((word) => word !== '').map((word, at) => ({ word, isBehind: at > 0 }));
}

/** Nothing for a word that is no field of the rows, such as `relevance`. */
function keyOf(document: OpenApiDocument, items: Schema, word: string): SortKey[] {
  const [, sign = '', name = ''] = /^([+-]?)(.*)$/.exec(word) ?? [];
  const path = pathOf(document, items, name);
  if (path !== null) return [{ field: path.join(STEP), descending: sign === '-' }];
  const [, stem, ending] = /^(.*)[._-](asc|desc)$/i.exec(name) ?? [];
  const inner = stem === undefined ? null : pathOf(document, items, stem);
  return inner === null ? [] : [{ field: inner.join(STEP), descending: isDown(ending as string) }];
}

/** The names that lead to the field: `owner.name` is one inside of another. */
function pathOf(document: OpenApiDocument, items: Schema, name: string): string[] | null {
  const own = fieldIn(document, items, name);
  if (own !== undefined) return [own];
  const [first = '', ...rest] = name.split(/[./]/);
  const holder = rest.length === 0 ? undefined : fieldIn(document, items, first);
  if (holder === undefined) return null;
  const below = pathOf(document, propertiesOf(document, items)[holder] as Schema, rest.join('.'));
  return below === null ? null : [holder, ...below];
}

function fieldIn(document: OpenApiDocument, schema: Schema, name: string): string | undefined {
  const names = Object.keys(propertiesOf(document, flatWithoutNull(document, schema)));
  const wanted = plainName(name);
  return (
    names.find((each) => each === name) ??
    ENDINGS.map((ending) => names.find((each) => plainName(each) === wanted + ending)).find(Boolean)
  );
}
