/**
 * Compiled checks of a foreign document, as its schemas say and no stricter. Compiled when first needed: a document may
 * have thousands of schemas of which a run meets a few.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { type Finding, finding } from '../engine/http/expectation.ts';
import type { OpenApiDocument, Schema } from '../engine/openapi/openapi-document.ts';
import type { Check } from '../engine/openapi/validators.ts';
import { isObject, own } from '../engine/state/json-value.ts';
import { FILES } from './foreign-references.ts';

/** What is sent may leave out what only the platform writes, and the other way round. */
export type Direction = 'request' | 'response';

interface Checks {
  ajv: Ajv2020;
  base: string;
  checks: Map<Schema, Check>;
}

const known = new WeakMap<OpenApiDocument, Record<Direction, Checks>>();

export function checkOf(document: OpenApiDocument, schema: Schema, direction: Direction): Check {
  let both = known.get(document);
  if (both === undefined) {
    both = { request: prepare(document, 'request'), response: prepare(document, 'response') };
    known.set(document, both);
  }
  const { ajv, base, checks } = both[direction];
  const cached = checks.get(schema);
  if (cached !== undefined) return cached;
  let validate: ValidateFunction | null = null;
  const check: Check = (value): Finding | null => {
    validate ??= ajv.compile(rebased(schema, base, direction) as object);
    if (validate(value)) return null;
    const errors = validate.errors ?? [];
    const own = errors.filter((error) => !['oneOf', 'anyOf', 'if'].includes(error.keyword));
    const told = (own.length === 0 ? errors : own)[0];
    return told === undefined ? { pointer: '', expected: 'a fitting value', got: 'another' } : finding(told, value);
  };
  checks.set(schema, check);
  return check;
}

function prepare(document: OpenApiDocument, direction: Direction): Checks {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    verbose: true,
    ownProperties: true,
    validateSchema: false,
    inlineRefs: false,
    logger: false,
    discriminator: false,
    code: { optimize: false },
  });
  formatsPlugin.default(ajv);
  const base = `https://documents.example/${direction}`;
  const root: Record<string, unknown> = { $id: base };
  const components = rebased({ schemas: document.components?.schemas ?? {} }, base, direction);
  root['components'] = components;
  if (document[FILES] !== undefined) root[FILES] = rebased(document[FILES], base, direction);
  ajv.addSchema(root);
  return { ajv, base, checks: new Map() };
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
