/** Schemas of a document made fit for a validator: what no validator would take is dropped, with a warning. */
import { lookUp, type Schema } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { Warnings } from './document-warning.ts';
import { FILES } from './foreign-references.ts';
import { respellListedValues } from './listed-values.ts';
import { isPattern, withoutOlderGrammar } from './older-pattern.ts';
import { meantPattern } from './pattern-literal.ts';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SINGLE = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
];
/** Formats of whole numbers, whichever type of number stands beside them. */
const WHOLE = /^u?int(?:8|16|32|64)$/;
const REMEDY = 'correct the schema in the document';

interface Work {
  warnings: Warnings;
  /** The document was written for OpenAPI 3.0 or Swagger 2.0. */
  isBefore31: boolean;
  visited: Set<unknown>;
  /** Content of another file, which has no place of its own where schemas are looked for. */
  target: (reference: string) => unknown;
  /** Gives a schema that lies anywhere in the document a place among the components, where validators look. */
  hoist: (reference: string) => string;
}

/** Places in a document below which `schema` stands for a schema. */
export function repairSchemas(root: Record<string, unknown>, warnings: Warnings, isBefore31 = false): void {
  const target = (reference: string): unknown =>
    reference.startsWith(`#/${FILES}/`) ? lookUp(root, reference) : undefined;
  const hoisted = new Map<string, string>();
  const hoist = (reference: string): string => {
    const known = hoisted.get(reference);
    if (known !== undefined) return known;
    const schemas = objectAt(objectAt(root, 'components'), 'schemas');
    const name = `hoisted-${hoisted.size + 1}`;
    hoisted.set(reference, `#/components/schemas/${name}`);
    const found = lookUp(root, reference);
    schemas[name] = found;
    schemas[name] = repair(found, reference.split('/').slice(1), work);
    return `#/components/schemas/${name}`;
  };
  const work: Work = { warnings, visited: new Set(), target, hoist, isBefore31 };
  repairBelow(root, [], work);
}

/** The object under a name, made where there is none. */
function objectAt(holder: Record<string, unknown>, name: string): Record<string, unknown> {
  if (!isObject(holder[name])) holder[name] = {};
  return holder[name] as Record<string, unknown>;
}

/** Looks for schemas in a part of the document that is none itself. */
function repairBelow(value: unknown, path: string[], work: Work): void {
  if (typeof value !== 'object' || value === null || work.visited.has(value)) return;
  work.visited.add(value);
  for (const [name, entry] of Object.entries(value)) {
    const below = [...path, name];
    if (name === 'schema' && !Array.isArray(value)) {
      (value as Record<string, unknown>)[name] = repair(entry, below, work);
    } else if (name === 'schemas' && path.at(-1) === 'components' && isObject(entry)) {
      repairMap(entry, below, work);
    } else if (name !== 'example' && name !== 'examples' && (!name.startsWith('x-') || name === FILES)) {
      repairBelow(entry, below, work);
    }
  }
}

function repairMap(schemas: Record<string, unknown>, path: string[], work: Work): void {
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = repair(schema, [...path, name], work);
}

function repair(value: unknown, path: string[], work: Work): Schema {
  const { warnings, visited } = work;
  if (value === true) return {};
  if (value === false) return { not: {} };
  if (!isObject(value)) {
    warnings.add(path, 'a schema should be an object, any value is accepted here', REMEDY);
    return {};
  }
  if (visited.has(value)) return value as Schema;
  visited.add(value);
  const schema = value as Record<string, unknown>;
  const drop: Drop = (keyword, why) => {
    delete schema[keyword];
    warnings.add([...path, keyword], `${why}, the keyword is ignored`, REMEDY);
  };
  if (work.isBefore31) dropBesideReference(schema);
  repairReference(schema, work);
  if (schema['nullable'] === true && schema['type'] === undefined)
    drop('nullable', 'has no effect beside no type, so null is not accepted here');
  delete schema['nullable'];
  repairType(schema, path, warnings);
  if (schema['type'] === 'number' && WHOLE.test(String(schema['format']))) schema['type'] = 'integer';
  repairLimits(schema, drop);
  respellListedValues(schema);
  repairClosedParts(schema);
  repairValues(schema, drop);
  delete schema['$schema'];
  delete schema['$id'];
  delete schema['id'];
  delete schema['$anchor'];
  if (Array.isArray(schema['items'])) {
    schema['prefixItems'] = schema['items'];
    delete schema['items'];
  }
  repairParts(schema, path, work, drop);
  return schema as Schema;
}

/** Takes a keyword away and warns of it. */
type Drop = (keyword: string, why: string) => void;

/** OpenAPI 3.0 and Swagger 2.0 ignore what stands beside a reference; what limits the value must go, for 3.1 has it count. */
function dropBesideReference(schema: Record<string, unknown>): void {
  if (typeof schema['$ref'] !== 'string') return;
  for (const keyword of [
    'type',
    'format',
    'enum',
    'pattern',
    'required',
    'properties',
    'items',
    'allOf',
    'oneOf',
    'anyOf',
    'additionalProperties',
    ...NUMBERS,
    ...COUNTS,
  ])
    delete schema[keyword];
}

function repairReference(schema: Record<string, unknown>, work: Work): void {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return;
  const elsewhere = work.target(reference);
  if (elsewhere !== undefined) repair(elsewhere, [reference], work);
  else if (!/^#\/components\/schemas\/[^/]+$/.test(reference)) schema['$ref'] = work.hoist(reference);
}

function repairLimits(schema: Record<string, unknown>, drop: Drop): void {
  for (const keyword of NUMBERS) {
    const limit = schema[keyword];
    if (limit !== undefined && !Number.isFinite(limit)) drop(keyword, 'should be a number');
    else if (typeof limit === 'number' && Math.abs(limit) > Number.MAX_SAFE_INTEGER) delete schema[keyword];
  }
  if (typeof schema['multipleOf'] === 'number' && schema['multipleOf'] <= 0) drop('multipleOf', 'should be above 0');
  for (const keyword of COUNTS) {
    const count = schema[keyword];
    if (count !== undefined && (!Number.isInteger(count) || (count as number) < 0))
      drop(keyword, 'should be a whole number');
  }
}

/** Beside `allOf` it refuses every field of the parts, so that no value fits; no field beside those of the parts is meant. */
function repairClosedParts(schema: Record<string, unknown>): void {
  if (schema['additionalProperties'] !== false || !Array.isArray(schema['allOf']) || schema['allOf'].length === 0)
    return;
  delete schema['additionalProperties'];
  schema['unevaluatedProperties'] = false;
}

function repairValues(schema: Record<string, unknown>, drop: Drop): void {
  const { enum: values, required, pattern, format } = schema;
  if (values !== undefined && (!Array.isArray(values) || values.length === 0))
    drop('enum', 'should be a list of values');
  else if (Array.isArray(values))
    schema['enum'] = [...new Map(values.map((entry) => [JSON.stringify(entry), entry])).values()];
  if (Array.isArray(required)) schema['required'] = [...new Set(required.filter((name) => typeof name === 'string'))];
  else if (required !== undefined) drop('required', 'should be a list of names');
  const meant = typeof pattern === 'string' ? withoutOlderGrammar(meantPattern(pattern)) : undefined;
  if (meant !== undefined) schema['pattern'] = meant;
  if (pattern !== undefined && (meant === undefined || !isPattern(meant)))
    drop('pattern', 'should be a regular expression');
  // Formats that are no formats but other keywords in the wrong place.
  if (format !== undefined && typeof format !== 'string') drop('format', 'should be a text');
}

function repairParts(schema: Record<string, unknown>, path: string[], work: Work, drop: Drop): void {
  for (const keyword of ['properties', 'patternProperties', '$defs'] as const) {
    const map = schema[keyword];
    if (isObject(map)) repairMap(map, [...path, keyword], work);
    else if (map !== undefined) drop(keyword, 'should be a map of schemas');
  }
  repairLists(schema, path, work, drop);
  if (schema['items'] === true) delete schema['items'];
  for (const keyword of SINGLE) {
    const part = schema[keyword];
    if (part !== undefined && typeof part !== 'boolean') schema[keyword] = repair(part, [...path, keyword], work);
  }
}

function repairLists(schema: Record<string, unknown>, path: string[], work: Work, drop: Drop): void {
  for (const keyword of LISTS) {
    const parts = schema[keyword];
    if (parts === undefined) continue;
    if (!Array.isArray(parts) || parts.length === 0) drop(keyword, 'should be a list of schemas');
    else schema[keyword] = parts.map((part, at) => repair(part, [...path, keyword, String(at)], work));
  }
}

function repairType(schema: Record<string, unknown>, path: string[], warnings: Warnings): void {
  if (schema['type'] === undefined) return;
  const types = [schema['type']].flat();
  const known = [...new Set(types.filter((type) => TYPES.has(String(type))))];
  if (known.length === types.length) {
    if (Array.isArray(schema['type']) && known.length === 0) delete schema['type'];
    return;
  }
  if (types.includes('file')) {
    schema['type'] = 'string';
    schema['format'] = 'binary';
    return;
  }
  warnings.add(
    [...path, 'type'],
    `type should be one of ${[...TYPES].join(', ')}, got ${JSON.stringify(schema['type'])?.slice(0, 60)}, any type is accepted here`,
    REMEDY,
  );
  if (known.length === 0) delete schema['type'];
  else schema['type'] = known;
}
