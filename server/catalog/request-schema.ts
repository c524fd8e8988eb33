/**
 * The JSON Schema of a request, self-contained: references of the document become local definitions, fields that only
 * a platform may write are left out, and OpenAPI 3.0 spellings become JSON Schema ones.
 */
import { type ApiDocument, isObject, type JsonObject, lookUp, resolveRef, scalarText } from './platform-document.ts';
import { KEYWORDS, ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS } from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';

/** Set at import on a schema with a value that is no longer the one to send. */
export const UNSENDABLE = 'x-svc-unsendable';

/** Whether a document says of a field that nobody reads it. */
export const declaresSecret = (schema: unknown): boolean =>
  isObject(schema) && (schema['format'] === 'password' || schema['writeOnly'] === true);

export interface Property {
  name: string;
  required: boolean;
}

export class RequestSchemas {
  readonly #document: ApiDocument;
  readonly #before31: boolean;
  readonly #names = new Map<string, string>();
  /** Without a prototype: a document may call a schema `__proto__`. */
  readonly definitions: Record<string, JsonSchema> = Object.create(null);
  /** Names of fields that hold a secret. */
  readonly secrets = new Set<string>();

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#before31 = /^3\.0\b/.test(scalarText(document.content['openapi']));
  }

  /** A copy of the schema fit for checking a request. `whole` is the schema this one is an `allOf` part of. */
  convert(schema: unknown, whole?: JsonObject): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) return {};
    if (schema[UNSENDABLE] === true) throw new Error('a value that it sends holds invisible characters');
    const out: JsonSchema = {};
    // Since OpenAPI 3.1, keywords beside `$ref` count. Before 3.1, only `nullable` beside a reference was meant.
    const alone = this.#before31 && typeof schema['$ref'] === 'string';
    for (const [keyword, value] of Object.entries(schema)) {
      if (alone && keyword !== '$ref') continue;
      // Any other may be one that a validator refuses, such as `id`.
      if (!KEYWORDS.has(keyword)) continue;
      const converted = this.#convertKeyword(keyword, value, schema, whole);
      if (converted !== undefined) out[keyword] = converted;
    }
    return fromOpenApi30(schema, out);
  }

  /** Undefined where nothing is left of it. */
  #convertKeyword(keyword: string, value: unknown, schema: JsonObject, whole: JsonObject | undefined): unknown {
    if (keyword === '$ref' && typeof value === 'string') return `#/$defs/${this.#definitionOf(value)}`;
    if (ONE_SCHEMA.includes(keyword)) return this.convert(value);
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value))
      return value.map((part) => this.convert(part, keyword === 'allOf' ? (whole ?? schema) : undefined));
    if (SCHEMA_MAPS.includes(keyword) && isObject(value)) return this.#convertNamed(keyword, value);
    if (keyword === 'required' && Array.isArray(value)) return this.#requiredOf(value, schema, whole);
    return value;
  }

  /** The required fields that a caller may write; undefined where there is none. */
  #requiredOf(names: unknown[], schema: JsonObject, whole: JsonObject | undefined): unknown[] | undefined {
    const stated = (name: string) => this.#propertyOf(schema, name) ?? (whole && this.#propertyOf(whole, name));
    const needed = names.filter((name) => !this.#isReadOnly(stated(scalarText(name))));
    return needed.length > 0 ? needed : undefined;
  }

  #convertNamed(keyword: string, value: JsonObject): JsonSchema {
    const out: [string, JsonSchema | boolean][] = [];
    for (const [name, part] of Object.entries(value)) {
      if (keyword === 'properties') {
        const resolved = resolveRef(this.#document, part);
        if (this.#isReadOnly(part)) continue;
        if (declaresSecret(resolved)) this.secrets.add(name);
      }
      out.push([name, this.convert(part)]);
    }
    return Object.fromEntries(out);
  }

  #definitionOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const last = (reference.split('/').at(-1) ?? '').split('~1').at(-1) ?? '';
    const base = last.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 50) || 'part';
    let name = base;
    for (let n = 2; name in this.definitions; n++) name = `${base}_${n}`;
    this.#names.set(reference, name);
    this.definitions[name] = {};
    const converted = this.convert(lookUp(this.#document, reference));
    this.definitions[name] = typeof converted === 'boolean' ? (converted ? {} : { not: {} }) : converted;
    return name;
  }

  #isReadOnly(part: unknown): boolean {
    return isObject(part) && (part['readOnly'] === true || resolveRef(this.#document, part)['readOnly'] === true);
  }

  #propertyOf(schema: JsonObject, name: string, depth = 0): unknown {
    const resolved = resolveRef(this.#document, schema);
    const properties = resolved['properties'];
    if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
    if (depth > 8 || !Array.isArray(resolved['allOf'])) return undefined;
    for (const part of resolved['allOf']) {
      const found = isObject(part) ? this.#propertyOf(part, name, depth + 1) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Takes fields out of the top level of a schema made by `convert`, through `$ref` and combined schemas; answers their names.
   * A definition that a deeper place refers to loses them as well: a field of that name is refused there no more than here.
   */
  withoutTopLevel(schema: JsonSchema | boolean, out: (name: string) => boolean, depth = 0): string[] {
    if (typeof schema === 'boolean' || depth > 8) return [];
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const names = Object.keys(properties).filter(out);
    for (const name of names) delete properties[name];
    if (Array.isArray(schema['required']) && names.length > 0)
      schema['required'] = schema['required'].filter((name) => !names.includes(scalarText(name)));
    const reference = schema['$ref'];
    const referred = typeof reference === 'string' ? this.definitions[reference.slice('#/$defs/'.length)] : undefined;
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
      Array.isArray(schema[keyword]) ? (schema[keyword] as (JsonSchema | boolean)[]) : [],
    );
    const inner = [...(referred ? [referred] : []), ...parts];
    return [...new Set([...names, ...inner.flatMap((part) => this.withoutTopLevel(part, out, depth + 1))])];
  }

  /** Top-level fields of an object schema, through `$ref` and `allOf`. */
  properties(schema: JsonSchema | boolean): Property[] {
    return topLevelProperties(schema, this.definitions);
  }
}

/** Top-level fields of an object schema, through `$ref` and `allOf`. */
function topLevelProperties(
  schema: JsonSchema | boolean,
  definitions: Readonly<Record<string, JsonSchema>>,
  depth = 0,
): Property[] {
  if (typeof schema === 'boolean' || depth > 8) return [];
  const reference = schema['$ref'];
  const referred = typeof reference === 'string' ? definitions[reference.slice('#/$defs/'.length)] : undefined;
  const found = new Map<string, Property>();
  addProperties(found, schema, definitions, [], depth);
  if (referred) addProperties(found, referred, definitions, [referred], depth);
  return [...found.values()];
}

/** The fields of one schema and its `allOf` parts, added to those that are known; `inner` is looked through before the parts. */
function addProperties(
  found: Map<string, Property>,
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  inner: readonly JsonSchema[],
  depth: number,
): void {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  for (const name of Object.keys((schema['properties'] as object | undefined) ?? {}))
    found.set(name, { name, required: required.has(name) });
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as JsonSchema[]) : [];
  for (const property of [...inner, ...parts, ...formBesideNull(schema)].flatMap((part) =>
    topLevelProperties(part, definitions, depth + 1),
  ))
    addProperty(found, property);
  for (const name of required) if (found.has(name)) found.set(name, { name, required: true });
}

/** The one form that a value has beside null; none where there are several. */
function formBesideNull({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  const forms = ((anyOf ?? oneOf ?? []) as (JsonSchema | boolean)[]).filter(isObject);
  const given = forms.filter(({ type }) => type !== 'null');
  return given.length === 1 && forms.length > 1 ? given : [];
}

/** A field is required where one of its statements says so. */
function addProperty(found: Map<string, Property>, { name, required }: Property): void {
  found.set(name, { name, required: required || found.get(name)?.required === true });
}

/** Names of the top-level fields that the body of a call can hold, from the schema of its arguments. */
export function bodyFields({ properties, $defs }: JsonSchema): string[] {
  const body = (properties as Record<string, JsonSchema | boolean> | undefined)?.['body'] ?? true;
  return topLevelProperties(body, ($defs ?? {}) as Record<string, JsonSchema>).map(({ name }) => name);
}

/** The top-level fields of every kind of body (`oneOf`, `anyOf`), or of its entries where it is a list, with all that is said of each. */
export function fieldsOfAlternatives({ properties, $defs }: JsonSchema): Map<string, JsonSchema[]> {
  const definitions = ($defs ?? {}) as Record<string, JsonSchema>;
  const stated = new Map<string, JsonSchema[]>();
  for (const part of alternatives((properties as JsonObject | undefined)?.['body'], definitions))
    for (const [name, field] of Object.entries(part['properties'] ?? {}))
      stated.set(name, [...(stated.get(name) ?? []), ...alternatives(field, definitions)]);
  return stated;
}

/** A schema with what it refers to, what it is composed of, and the entries of a list of it. */
function alternatives(schema: unknown, definitions: Readonly<Record<string, JsonSchema>>): Set<JsonSchema> {
  const open = [schema];
  const parts = new Set<JsonSchema>();
  while (open.length > 0) {
    const part = open.pop();
    if (!isObject(part) || parts.has(part)) continue;
    parts.add(part);
    open.push(definitions[String(part['$ref']).slice('#/$defs/'.length)], part['items']);
    open.push(...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => part[keyword]));
  }
  return parts;
}

/** `nullable` (`x-nullable` before 3.0) and boolean `exclusiveMinimum`/`exclusiveMaximum` of OpenAPI 3.0. */
function fromOpenApi30(source: JsonObject, out: JsonSchema): JsonSchema {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (out[exclusive] === true) {
      out[exclusive] = out[bound];
      delete out[bound];
    } else if (out[exclusive] === false) delete out[exclusive];
  }
  if (source['nullable'] !== true && source['x-nullable'] !== true) return out;
  // Its parts would refuse null.
  if (['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in out)) return { anyOf: [out, { type: 'null' }] };
  if (typeof out['type'] === 'string') out['type'] = [out['type'], 'null'];
  if (Array.isArray(out['enum']) && !out['enum'].includes(null)) out['enum'] = [...out['enum'], null];
  return out['type'] === undefined && Object.keys(out).length > 0 ? { anyOf: [out, { type: 'null' }] } : out;
}
