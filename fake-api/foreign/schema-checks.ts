/** Checks of values against the schemas of a foreign document: as they say, and no stricter. */
import type { OpenApiDocument, Schema } from '../engine/openapi/openapi-document.ts';
import { type Check, documentValidator, SchemaChecks } from '../engine/openapi/schema-checks.ts';
import { isObject, own } from '../engine/state/json-value.ts';
import { FILES } from './foreign-references.ts';

/** What is sent may leave out what only the platform writes, and the other way round. */
export type Direction = 'request' | 'response';

const known = new WeakMap<OpenApiDocument, Record<Direction, SchemaChecks>>();

export function checkOf(document: OpenApiDocument, schema: Schema, direction: Direction): Check {
  const both = known.get(document) ?? {
    request: prepare(document, 'request'),
    response: prepare(document, 'response'),
  };
  known.set(document, both);
  return both[direction].of(schema);
}

function prepare(document: OpenApiDocument, direction: Direction): SchemaChecks {
  const $id = `https://documents.example/${direction}`;
  const components = rebased({ schemas: document.components?.schemas ?? {} }, $id, direction);
  const root = { $id, components, [FILES]: rebased(document[FILES], $id, direction) };
  const ajv = documentValidator(root, { validateSchema: false, inlineRefs: false, logger: false });
  return new SchemaChecks(ajv, (schema) => rebased(schema, $id, direction) as object);
}

/** Below these keywords every key is a name, `description` and `example` included. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas', 'schemas']);
/** Said for readers: a validator need not carry it. */
const WORDS = new Set(['description', 'title', 'example', 'examples', 'externalDocs', 'xml']);

/** References point at the document they belong to; required names that only the other side sends are left out. */
function rebased(value: unknown, base: string, direction: Direction, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => rebased(entry, base, direction));
  if (!isObject(value)) return value;
  if (isMap) return mapped(value, (entry) => rebased(entry, base, direction));
  const { required, properties } = value;
  return mapped(value, (entry, name) => {
    if (WORDS.has(name)) return undefined;
    if (name === '$ref' && typeof entry === 'string' && entry.startsWith('#')) return `${base}${entry}`;
    if (name === 'enum' || name === 'const' || name === 'default') return entry;
    if (name === 'required' && Array.isArray(required) && isObject(properties))
      return required.filter((each) => isSent(own(properties, String(each)), direction));
    return rebased(entry, base, direction, MAPS.has(name));
  });
}

/** An object with each value changed, undefined leaving it out. */
function mapped(value: Record<string, unknown>, change: (entry: unknown, name: string) => unknown): unknown {
  const entries = Object.entries(value).map(([name, entry]) => [name, change(entry, name)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

function isSent(property: unknown, direction: Direction): boolean {
  return !isObject(property) || property[direction === 'request' ? 'readOnly' : 'writeOnly'] !== true;
}
