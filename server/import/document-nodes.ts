/**
 * Which keys of a document are keywords, which are names that an author chose, and which hold data. A property, a response or a
 * file's part may be called `default` or `value` as well as anything else. All that looks for references and schemas walks by this.
 */
import { isObject, type JsonObject, pointerPart, valueAt } from '../catalog/platform-document.ts';
import { ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS } from '../catalog/schema-keywords.ts';
import { RouterError } from '../errors.ts';
import { PARTS } from './path-item.ts';

/** Deeper than any schema a person wrote; a document that nests further is an attack on its reader. */
export const MAX_DEPTH = 300;

export const nestsTooDeep = (file: string, pointer: string) =>
  new RouterError(
    'DOCUMENT_INVALID',
    `${file}: should nest at most ${MAX_DEPTH} levels, got more at ${pointer.slice(0, 120)}…`,
  );

/** What a value is; the keys of `schemas` and `names` are names, each of a schema or of another object. */
export type Kind = 'object' | 'schema' | 'schemas' | 'names' | 'data';

const KINDS = new Map<string, Kind>([
  ...ofKind('data', ['example', 'examples', 'default', 'enum', 'const', 'value']),
  ...ofKind('schema', [...ONE_SCHEMA, ...SCHEMA_LISTS, 'schema', 'itemSchema']),
  ...ofKind('schemas', [...SCHEMA_MAPS, 'dependencies', 'definitions', 'schemas']),
  ...ofKind('names', ['paths', 'webhooks', 'pathItems', 'additionalOperations', 'callbacks', 'links', PARTS]),
  ...ofKind('names', ['parameters', 'requestBodies', 'responses', 'headers', 'content', 'mediaTypes', 'encoding']),
  ...ofKind('names', ['securitySchemes', 'securityDefinitions']),
]);

function ofKind(kind: Kind, keys: readonly string[]): [string, Kind][] {
  return keys.map((key) => [key, kind]);
}

/** What stands at a key of an object or list of this kind. */
export function kindAt(holder: object, kind: Kind, key: string): Kind {
  if (kind === 'data') return 'data';
  if (kind === 'names') return 'object';
  if (kind === 'schemas') return 'schema';
  if (Array.isArray(holder)) return kind;
  return KINDS.get(key) ?? (key.startsWith('x-') ? 'data' : 'object');
}

interface Place {
  node: unknown;
  kind: Kind;
  key: string;
  above?: Place;
  depth: number;
}

export interface DocumentNode extends Place {
  node: JsonObject;
}

/** JSON pointer to a node: made where it is asked for, because nearly none is. */
export const pointerOf = ({ above, key }: Place): string =>
  above === undefined ? key : `${pointerOf(above)}/${pointerPart(key)}`;

/**
 * Every object of a document once, without data, maps of names, and the objects in both; an object before what stands in it, which is
 * read after the caller has seen it. What a reference leads to is no data, wherever it stands.
 *
 * @param tooDeep is called with the place of what nests deeper than any schema that a person wrote
 * @param seen objects that are left out, to which those of the walk are added
 */
export function* documentNodes(
  root: unknown,
  tooDeep: (pointer: string) => void = () => {},
  seen = new Set<object>(),
): Generator<DocumentNode> {
  const references = new Map<string, Kind>();
  // Those that are found while the references are followed are followed as well.
  const referred = references.entries();
  const open: Place[] = [{ node: root, kind: 'object', key: '', depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop() ?? nextReferred(root, referred)) {
    const { node } = place;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (place.depth > MAX_DEPTH) tooDeep(pointerOf(place));
    if (isNode(place)) {
      yield place;
      const { $ref } = place.node;
      if (typeof $ref === 'string' && !references.has($ref)) references.set($ref, place.kind);
    }
    addParts(node, place, open);
  }
}

const isNode = (place: Place): place is DocumentNode =>
  isObject(place.node) && (place.kind === 'object' || place.kind === 'schema');

/** The first of them last, which is the next one that is taken. */
function addParts(node: object, above: Place, open: Place[]): void {
  const depth = above.depth + 1;
  for (const key of Object.keys(node).reverse()) {
    const part = (node as JsonObject)[key];
    if (typeof part !== 'object' || part === null) continue;
    const kind = kindAt(node, above.kind, key);
    if (kind !== 'data') open.push({ node: part, kind, key, above, depth });
  }
}

function nextReferred(root: unknown, referred: Iterator<[string, Kind]>): Place | undefined {
  const { value, done } = referred.next();
  if (done) return undefined;
  const [reference, kind] = value;
  return { node: valueAt(root, reference), kind, key: reference.slice(1), depth: 0 };
}
