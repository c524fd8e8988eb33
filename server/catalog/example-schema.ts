/** The shape of an answer that a document shows by an example alone, as 3 % of public documents do. */
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';

/** Keywords that say nothing of what is inside. */
const FREE: ReadonlySet<string> = new Set(['type', 'title', 'description', 'example', 'examples', 'nullable']);
/** An example may be a page of thousands; the first entries show what they have. */
const MOST_ENTRIES = 20;
const DEEPEST = 4;

/** What is stated, where it says anything of what is inside; else the shape of the example. */
export function statedOrShown(document: ApiDocument, media: JsonObject): JsonObject {
  const schema = resolveRef(document, media['schema']);
  if (Object.keys(schema).some((name) => !FREE.has(name))) return schema;
  const named = isObject(media['examples']) ? Object.values(media['examples']) : [];
  const shown = [media['example'], ...named.map((each) => resolveRef(document, each)['value']), schema['example']];
  const example = shown.find((each) => typeof each === 'object' && each !== null);
  return example === undefined ? schema : { ...schema, ...shapeOf(example, 0) };
}

function shapeOf(value: unknown, depth: number): JsonObject {
  if (Array.isArray(value)) return { type: 'array', items: entryShape(value.slice(0, MOST_ENTRIES), depth) };
  if (!isObject(value)) return {};
  if (depth === DEEPEST) return { type: 'object' };
  const properties = Object.entries(value).map(([name, inner]) => [name, shapeOf(inner, depth + 1)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The fields of all entries, since one may lack what another has. */
function entryShape(entries: readonly unknown[], depth: number): JsonObject {
  const objects = entries.filter(isObject);
  return objects.length === 0 || objects.length < entries.length ? {} : shapeOf(Object.assign({}, ...objects), depth);
}
