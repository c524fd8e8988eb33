/**
 * Which keys of a document are keywords, which are names that an author chose, and which hold data. A property, a response or a
 * file's part may be called `default` or `value` as well as anything else. All that looks for references and schemas walks by this.
 */
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS } from '../catalog/schema-keywords.ts';
import { pointerPart } from './import-finding.ts';
import { PARTS } from './path-item.ts';

/** Deeper than any schema a person wrote; a document that nests further is an attack on its reader. */
export const MAX_DEPTH = 300;
/** Keywords whose value is data, in which `$ref` is only a name. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);
const SCHEMA = new Set([...ONE_SCHEMA, ...SCHEMA_LISTS, 'schema', 'itemSchema']);
const SCHEMAS = new Set([...SCHEMA_MAPS, 'dependencies', 'definitions', 'schemas']);
const NAMES = new Set(
  'paths webhooks pathItems additionalOperations parameters requestBodies responses headers callbacks links content mediaTypes encoding securitySchemes securityDefinitions'
    .split(' ')
    .concat(PARTS),
);

/** What a value is; the keys of `schemas` and `names` are names, each of a schema or of another object. */
export type Kind = 'object' | 'schema' | 'schemas' | 'names' | 'data';

export function kindBelow(kind: Kind, key: string): Kind {
  if (kind === 'data') return 'data';
  if (kind === 'names') return 'object';
  if (kind === 'schemas') return 'schema';
  if (DATA.has(key) || (key.startsWith('x-') && key !== PARTS)) return 'data';
  if (SCHEMA.has(key)) return 'schema';
  if (SCHEMAS.has(key)) return 'schemas';
  return NAMES.has(key) ? 'names' : 'object';
}

/** What stands directly in an object or a list. */
export function* partsOf(value: object, kind: Kind): Generator<{ key: string; value: unknown; kind: Kind }> {
  const entry: Kind = kind === 'schemas' ? 'schema' : kind === 'names' ? 'object' : kind;
  for (const [key, part] of Object.entries(value))
    yield { key, value: part, kind: Array.isArray(value) ? entry : kindBelow(kind, key) };
}

export interface DocumentNode {
  node: JsonObject;
  isSchema: boolean;
  /** JSON pointer to the node. */
  pointer: string;
}

interface Place {
  value: unknown;
  kind: Kind;
  pointer: string;
  depth: number;
}

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
  const open: Place[] = [{ value: root, kind: 'object', pointer: '', depth: 0 }];
  const referred: Place[] = [];
  for (let place = open.pop(); place !== undefined; place = open.pop() ?? referred.pop()) {
    const { value, kind, pointer, depth } = place;
    if (typeof value !== 'object' || value === null || kind === 'data' || seen.has(value)) continue;
    seen.add(value);
    if (depth > MAX_DEPTH) tooDeep(pointer);
    if (isObject(value) && (kind === 'object' || kind === 'schema')) {
      yield { node: value, isSchema: kind === 'schema', pointer };
      const { $ref } = value;
      if (typeof $ref === 'string')
        referred.push({ value: valueAt(root, $ref), kind, pointer: $ref.slice(1), depth: 0 });
    }
    open.push(...placesIn(value, place).toReversed());
  }
}

const placesIn = (value: object, { kind, pointer, depth }: Place): Place[] =>
  [...partsOf(value, kind)]
    .filter((part) => typeof part.value === 'object')
    .map(({ key, ...part }) => ({ ...part, pointer: `${pointer}/${pointerPart(key)}`, depth: depth + 1 }));
