/** The part of an OpenAPI 3.1 document the engine reads, and the ways to walk its schemas. */
import { FakeApiError } from '../../fake-errors.ts';
import { byName, isObject, own } from '../state/json-value.ts';

export interface RefTarget {
  resource: string;
  field?: string;
  onDelete?: 'restrict' | 'set-null';
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  unevaluatedProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  readOnly?: boolean;
  writeOnly?: boolean;
  description?: string;
  examples?: unknown[];
  /** What a text means where no format of the standard says it: ip, host, cidr or mac. */
  'x-svc-type'?: string;
  'x-svc-ref'?: RefTarget;
  'x-svc-unique'?: boolean;
  'x-svc-immutable'?: boolean;
  'x-svc-rules'?: unknown[];
  [keyword: string]: unknown;
}

export interface ParameterObject {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
  style?: string;
  explode?: boolean;
  /** Instead of a schema: one media type with its schema. */
  content?: Record<string, MediaObject>;
}

export interface MediaObject {
  schema?: Schema;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<string, MediaObject>;
  headers?: Record<string, unknown>;
}

export interface OperationObject {
  operationId?: string;
  parameters?: ParameterObject[];
  requestBody?: { $ref?: string; required?: boolean; content?: Record<string, MediaObject> };
  responses?: Record<string, ResponseObject>;
  [extension: string]: unknown;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; [extension: string]: unknown };
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, Schema>; [kind: string]: Record<string, unknown> | undefined };
  [extension: string]: unknown;
}

/** The object a local `$ref` points at; anything else comes back as it is. */
export function resolve<T extends object>(document: OpenApiDocument, value: T): T {
  let at: unknown = value;
  for (let hops = 0; isObject(at) && typeof at['$ref'] === 'string'; hops += 1) {
    const pointer: string = at['$ref'];
    const target = lookUp(document as unknown as Record<string, unknown>, pointer);
    if (target === undefined || hops > 20) {
      throw new FakeApiError('DOCUMENT_INVALID', {
        document: document.info.title,
        at: pointer,
        expected: 'a reference to something inside the document',
        got: hops > 20 ? 'a circle' : 'nothing there',
      });
    }
    at = target;
  }
  return at as T;
}

/** What a local reference points at; undefined for nothing and for a reference to another document. */
export function lookUp(root: Record<string, unknown>, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = step.includes('%') ? decoded(step) : step;
    if (typeof at !== 'object' || at === null) return undefined;
    at = own(at as Record<string, unknown>, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return at;
}

/** A stray percent sign is part of the text. */
export function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** An object schema with its `$ref` and `allOf` merged: what may stand in it and what must. */
export interface Shape {
  /** Without a prototype: a property may be named `constructor`. */
  properties: Record<string, Schema>;
  required: Set<string>;
  /** True when names outside `properties` are allowed. */
  open: boolean;
  additional: Schema | null;
  rules: unknown[];
}

const shapes = new WeakMap<Schema, Shape>();

export function shapeOf(document: OpenApiDocument, schema: Schema): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape: Shape = { properties: byName(), required: new Set(), open: false, additional: null, rules: [] };
  shapes.set(schema, shape);
  collect(document, schema, shape, 0);
  if (Object.keys(shape.properties).length === 0 && shape.additional === null) shape.open = true;
  return shape;
}

function collect(document: OpenApiDocument, schema: Schema, shape: Shape, depth: number): void {
  if (depth > 12) return;
  if (schema.$ref !== undefined) collect(document, resolve(document, { $ref: schema.$ref }), shape, depth + 1);
  for (const part of schema.allOf ?? []) collect(document, part, shape, depth + 1);
  for (const [name, property] of Object.entries(schema.properties ?? {})) shape.properties[name] = property;
  for (const name of schema.required ?? []) shape.required.add(name);
  if (schema.additionalProperties === true) shape.open = true;
  else if (isObject(schema.additionalProperties)) {
    shape.open = true;
    shape.additional = schema.additionalProperties as Schema;
  }
  shape.rules.push(...(schema['x-svc-rules'] ?? []));
}

const plains = new WeakMap<Schema, Schema>();

/** Keywords of a schema after its `$ref`, the siblings of the reference winning. */
export function plain(document: OpenApiDocument, schema: Schema): Schema {
  const known = plains.get(schema);
  if (known !== undefined) return known;
  const read = readPlain(document, schema);
  plains.set(schema, read);
  return read;
}

function readPlain(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const target = plain(document, resolve(document, { $ref: schema.$ref } as Schema));
    return { ...target, ...omit(schema, '$ref') };
  }
  const branches = schema.anyOf ?? schema.oneOf;
  const solid = branches?.filter((branch) => branch.type !== 'null');
  if (branches !== undefined && solid?.length === 1 && branches.length === 2 && schema.properties === undefined) {
    // "This or null" is one schema that also takes null, for everyone who asks what stands here.
    const at = plain(document, solid[0] as Schema);
    const own = omit(omit(schema, 'anyOf'), 'oneOf');
    const types = typesOf(at);
    const nullable = { ...at, ...own, type: [...(types.length > 0 ? types : ['object']), 'null'] };
    return at.enum === undefined ? nullable : { ...nullable, enum: [...at.enum, null] };
  }
  const only = schema.allOf?.length === 1 && schema.properties === undefined ? schema.allOf[0] : undefined;
  return only === undefined ? schema : { ...plain(document, only), ...omit(schema, 'allOf') };
}

function omit(schema: Schema, keyword: string): Schema {
  const { [keyword]: _, ...rest } = schema;
  return rest;
}

export function typesOf(schema: Schema): string[] {
  if (Array.isArray(schema.type)) return schema.type;
  if (schema.type !== undefined) return [schema.type];
  if (schema.properties !== undefined) return ['object'];
  if (schema.items !== undefined) return ['array'];
  return [];
}

export function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null') || schema.enum?.includes(null) === true;
}

/** A name in a form in which `serial-number`, `serialNumber` and `serial_number` are one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
