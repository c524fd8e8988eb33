/** Schemas of a document made fit for a validator: what no validator would take is dropped, with a warning. */

import type { Schema } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { Warnings } from './document-warning.ts';
import { FILES, lookUp } from './foreign-references.ts';

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
const REMEDY = 'correct the schema in the document';

interface Work {
  warnings: Warnings;
  visited: Set<unknown>;
  /** Content of another file, which has no place of its own where schemas are looked for. */
  target: (reference: string) => unknown;
  /** Gives a schema that lies anywhere in the document a place among the components, where validators look. */
  hoist: (reference: string) => string;
}

/** Places in a document below which `schema` stands for a schema. */
export function repairSchemas(root: Record<string, unknown>, warnings: Warnings): void {
  const visited = new Set<unknown>();
  const target = (reference: string): unknown =>
    reference.startsWith(`#/${FILES}/`) ? lookUp(root, reference) : undefined;
  const hoisted = new Map<string, string>();
  const hoist = (reference: string): string => {
    const known = hoisted.get(reference);
    if (known !== undefined) return known;
    if (!isObject(root['components'])) root['components'] = {};
    const components = root['components'] as Record<string, unknown>;
    if (!isObject(components['schemas'])) components['schemas'] = {};
    const schemas = components['schemas'] as Record<string, unknown>;
    const name = `hoisted-${hoisted.size + 1}`;
    hoisted.set(reference, `#/components/schemas/${name}`);
    const found = lookUp(root, reference);
    schemas[name] = found;
    schemas[name] = repair(found, reference.split('/').slice(1), work);
    return `#/components/schemas/${name}`;
  };
  const work: Work = { warnings, visited, target, hoist };
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null || visited.has(value)) return;
    visited.add(value);
    for (const [name, entry] of Object.entries(value)) {
      const below = [...path, name];
      if (name === 'schema' && !Array.isArray(value)) {
        (value as Record<string, unknown>)[name] = repair(entry, below, work);
      } else if (name === 'schemas' && path.at(-1) === 'components' && isObject(entry)) {
        for (const [own, schema] of Object.entries(entry)) entry[own] = repair(schema, [...below, own], work);
      } else if (name !== 'example' && name !== 'examples' && (!name.startsWith('x-') || name === FILES)) {
        visit(entry, below);
      }
    }
  };
  visit(root, []);
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
  const elsewhere = typeof schema['$ref'] === 'string' ? work.target(schema['$ref']) : undefined;
  if (elsewhere !== undefined) repair(elsewhere, [String(schema['$ref'])], work);
  const reference = schema['$ref'];
  if (typeof reference === 'string' && elsewhere === undefined && !/^#\/components\/schemas\/[^/]+$/.test(reference)) {
    schema['$ref'] = work.hoist(reference);
  }
  const drop = (keyword: string, why: string): void => {
    delete schema[keyword];
    warnings.add([...path, keyword], `${why}, the keyword is ignored`, REMEDY);
  };
  if (schema['nullable'] === true && schema['type'] === undefined)
    drop('nullable', 'has no effect beside no type, so null is not accepted here');
  delete schema['nullable'];
  repairType(schema, path, warnings);
  for (const keyword of NUMBERS) {
    if (schema[keyword] !== undefined && !Number.isFinite(schema[keyword])) drop(keyword, 'should be a number');
    else if (typeof schema[keyword] === 'number' && Math.abs(schema[keyword]) > Number.MAX_SAFE_INTEGER)
      delete schema[keyword];
  }
  if (typeof schema['multipleOf'] === 'number' && schema['multipleOf'] <= 0) drop('multipleOf', 'should be above 0');
  for (const keyword of COUNTS) {
    if (schema[keyword] !== undefined && (!Number.isInteger(schema[keyword]) || (schema[keyword] as number) < 0))
      drop(keyword, 'should be a whole number');
  }
  if (schema['enum'] !== undefined && (!Array.isArray(schema['enum']) || schema['enum'].length === 0))
    drop('enum', 'should be a list of values');
  if (Array.isArray(schema['enum']))
    schema['enum'] = [...new Map(schema['enum'].map((entry) => [JSON.stringify(entry), entry])).values()];
  if (schema['required'] !== undefined) {
    if (!Array.isArray(schema['required'])) drop('required', 'should be a list of names');
    else schema['required'] = [...new Set(schema['required'].filter((name) => typeof name === 'string'))];
  }
  if (schema['pattern'] !== undefined && !isPattern(schema['pattern']))
    drop('pattern', 'should be a regular expression');
  // Formats that are no formats but other keywords in the wrong place.
  if (schema['format'] !== undefined && typeof schema['format'] !== 'string') drop('format', 'should be a text');
  delete schema['$schema'];
  delete schema['$id'];
  delete schema['id'];
  delete schema['$anchor'];
  if (Array.isArray(schema['items'])) {
    schema['prefixItems'] = schema['items'];
    delete schema['items'];
  }
  for (const keyword of ['properties', 'patternProperties', '$defs'] as const) {
    const map = schema[keyword];
    if (map === undefined) continue;
    if (!isObject(map)) drop(keyword, 'should be a map of schemas');
    else for (const [name, part] of Object.entries(map)) map[name] = repair(part, [...path, keyword, name], work);
  }
  for (const keyword of LISTS) {
    const parts = schema[keyword];
    if (parts === undefined) continue;
    if (!Array.isArray(parts) || parts.length === 0) drop(keyword, 'should be a list of schemas');
    else schema[keyword] = parts.map((part, at) => repair(part, [...path, keyword, String(at)], work));
  }
  for (const keyword of SINGLE) {
    const part = schema[keyword];
    if (part === undefined || typeof part === 'boolean') {
      if (keyword === 'items' && part === true) delete schema[keyword];
      continue;
    }
    schema[keyword] = repair(part, [...path, keyword], work);
  }
  return schema as Schema;
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

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
