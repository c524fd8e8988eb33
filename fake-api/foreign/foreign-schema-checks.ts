/** Checks of values against the schemas of a foreign document: as they say, and no stricter. */
import { flat } from '../engine/openapi/flattened-schema.ts';
import type { OpenApiDocument, Schema } from '../engine/openapi/openapi-document.ts';
import { type Check, documentValidator, SchemaChecks } from '../engine/openapi/schema-checks.ts';
import { isObject } from '../engine/state/json-value.ts';
import { withOpenParts } from './closed-parts.ts';
import { FILES } from './foreign-references.ts';
import { withJoinedUnion } from './overlapping-unions.ts';

/**
 * What is sent may leave out what only the platform writes, and the other way round. What was sent and is shown again (`shown`) fits
 * as many branches of a union as it may when it is sent.
 */
export type Direction = 'request' | 'response' | 'shown';

const known = new WeakMap<OpenApiDocument, Map<Direction, SchemaChecks>>();

export function checkOf(document: OpenApiDocument, schema: Schema, direction: Direction): Check {
  const prepared = known.get(document) ?? new Map<Direction, SchemaChecks>();
  known.set(document, prepared);
  const checks = prepared.get(direction) ?? prepare(document, direction);
  prepared.set(direction, checks);
  return checks.of(schema);
}

function prepare(document: OpenApiDocument, direction: Direction): SchemaChecks {
  const $id = `https://documents.example/${direction}`;
  const to: Rebase = { document, base: $id, direction };
  const components = rebased({ schemas: document.components?.schemas ?? {} }, to);
  const root = { $id, components, [FILES]: rebased(document[FILES], to) };
  const ajv = documentValidator(root, { validateSchema: false, inlineRefs: false, logger: false });
  return new SchemaChecks(ajv, (schema) => rebased(schema, to) as object);
}

interface Rebase {
  document: OpenApiDocument;
  base: string;
  direction: Direction;
}

/** Below these keywords every key is a name, `description` and `example` included. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas', 'schemas']);
/** Said for readers: a validator need not carry it. */
const WORDS = new Set(['description', 'title', 'example', 'examples', 'externalDocs', 'xml']);

const NONE: ReadonlySet<string> = new Set();

/**
 * References point at the document they belong to; required names that only the other side sends are left out, also where the
 * property stands behind a reference or in another part of an `allOf` (`unsent`).
 */
function rebased(value: unknown, to: Rebase, isMap = false, unsent = NONE): unknown {
  if (Array.isArray(value)) return value.map((entry) => rebased(entry, to, false, unsent));
  if (!isObject(value)) return value;
  if (isMap) return mapped(value, (entry, name) => [name, rebased(entry, to)]);
  const hidden = unsentNames(value, to, unsent);
  const schema = asTaken(to, value as Schema);
  return mapped(schema as Record<string, unknown>, (entry, name) => rebasedKeyword(name, entry, to, hidden));
}

function asTaken({ document, direction }: Rebase, schema: Schema): Schema {
  if (direction === 'response') return schema;
  return withJoinedUnion(document, direction === 'request' ? withOpenParts(document, schema) : schema);
}

function rebasedKeyword(
  name: string,
  entry: unknown,
  to: Rebase,
  hidden: ReadonlySet<string>,
): [string, unknown] | null {
  if (WORDS.has(name)) return null;
  if (name === '$ref' && typeof entry === 'string' && entry.startsWith('#')) return [name, `${to.base}${entry}`];
  if (name === 'enum' || name === 'const' || name === 'default') return [name, entry];
  if (name === 'required' && Array.isArray(entry)) return [name, entry.filter((each) => !hidden.has(String(each)))];
  const below = PARTS.has(name) ? hidden : NONE;
  return [name, rebased(entry, to, MAPS.has(name), below)];
}

/** Keywords whose schemas are about the same value. */
const PARTS = new Set(['allOf', 'anyOf', 'oneOf']);

/** Names of a schema that only the other side sends. */
function unsentNames(
  schema: Record<string, unknown>,
  { document, direction }: Rebase,
  above: ReadonlySet<string>,
): ReadonlySet<string> {
  if (schema['required'] === undefined && schema['allOf'] === undefined) return above;
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly';
  const properties = flat(document, schema as Schema).properties;
  if (!isObject(properties)) return above;
  const names = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return isObject(property) && flat(document, property as Schema)[keyword] === true;
  });
  return names.length === 0 ? above : new Set([...above, ...names]);
}

/** An object with each entry changed, null leaving it out. */
function mapped(
  value: Record<string, unknown>,
  change: (entry: unknown, name: string) => [string, unknown] | null,
): unknown {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      const changed = change(entry, name);
      return changed === null || changed[1] === undefined ? [] : [changed];
    }),
  );
}
