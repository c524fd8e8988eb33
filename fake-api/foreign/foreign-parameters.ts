/** Parameters of a call read in the styles OpenAPI knows, typed, checked, refused by name. */

import {
  type OpenApiDocument,
  type ParameterObject,
  plain,
  type Schema,
  shapeOf,
  typesOf,
} from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { ForeignOperation } from './foreign-operations.ts';
import { checkOf } from './schema-checks.ts';

export interface Parameters {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** A text says what is wrong with which parameter; the place tells how an operation may refuse it. */
export interface Problem {
  place: 'path' | 'query' | 'header' | 'cookie' | 'body';
  message: string;
}

type Pairs = readonly (readonly [string, string])[];

export function readForeignParameters(
  operation: ForeignOperation,
  values: readonly string[],
  pairs: Pairs,
  headers: Record<string, string | string[] | undefined>,
): Parameters | Problem {
  const read: Parameters = { path: {}, query: {} };
  const taken = new Set<string>();
  for (const parameter of operation.parameters) {
    const texts = textsOf(operation, parameter, values, pairs, headers, taken);
    if (texts === null) {
      if (parameter.required === true && parameter.in !== 'cookie')
        return problemOf(parameter, 'expected a value, it is required, got nothing');
      continue;
    }
    const schema = schemaOf(parameter);
    const check = checkOf(operation.document, schema, 'request');
    const candidates = typed(operation.document, parameter, schema, texts);
    const value = candidates.find((candidate) => check(candidate) === null);
    if (value === undefined && candidates.length > 0) {
      const found = check(candidates[0]);
      return problemOf(parameter, `expected ${found?.expected}, got ${found?.got}`);
    }
    if (parameter.in === 'path' || parameter.in === 'query') read[parameter.in][parameter.name] = value;
  }
  return unknownParameter(operation, pairs, taken) ?? read;
}

function problemOf(parameter: ParameterObject, text: string): Problem {
  const place = parameter.in === 'header' ? 'header' : `${parameter.in} parameter`;
  return { place: parameter.in, message: `${place} "${parameter.name}": ${text}` };
}

function unknownParameter(operation: ForeignOperation, pairs: Pairs, taken: ReadonlySet<string>): Problem | null {
  const unknown = pairs.find(([name]) => !taken.has(name));
  if (unknown === undefined) return null;
  const names = operation.parameters.flatMap((entry) => (entry.in === 'query' ? [entry.name] : [])).slice(0, 40);
  return {
    place: 'query',
    message: `query parameter "${unknown[0]}": expected one of ${names.join(', ') || 'none'}, got an unknown name`,
  };
}

export function schemaOf(parameter: ParameterObject): Schema {
  if (parameter.schema !== undefined) return parameter.schema;
  const content = (parameter as { content?: Record<string, { schema?: Schema }> }).content;
  return (content === undefined ? undefined : Object.values(content)[0]?.schema) ?? {};
}

type Texts = string[] | Record<string, string[]>;

function textsOf(
  operation: ForeignOperation,
  parameter: ParameterObject,
  values: readonly string[],
  pairs: Pairs,
  headers: Record<string, string | string[] | undefined>,
  taken: Set<string>,
): Texts | null {
  switch (parameter.in) {
    case 'path': {
      const at = operation.pathNames.indexOf(parameter.name);
      return at < 0 ? null : [values[at] as string];
    }
    case 'header': {
      // Who asks and in which media is the transport's business, whatever a document declares.
      if (/^(accept|content-type|authorization)$/i.test(parameter.name)) return null;
      const sent = headers[parameter.name.toLowerCase()];
      return sent === undefined ? null : [sent].flat();
    }
    case 'query': {
      const own = pairs.filter(([name]) => name === parameter.name || name === `${parameter.name}[]`);
      for (const [name] of own) taken.add(name);
      return own.length > 0 ? own.map(([, value]) => value) : fieldTextsOf(operation, parameter, pairs, taken);
    }
    default:
      return null;
  }
}

/** An object in a query: as `name[field]=`, or each field as a parameter of its own. */
function fieldTextsOf(
  operation: ForeignOperation,
  parameter: ParameterObject,
  pairs: Pairs,
  taken: Set<string>,
): Texts | null {
  const schema = schemaOf(parameter);
  const isObjectShaped = typesOf(plain(operation.document, schema)).includes('object');
  const loose = isObjectShaped && parameter.style !== 'deepObject' && parameter.explode !== false;
  const shape = loose ? shapeOf(operation.document, schema) : null;
  const isField = (name: string): boolean =>
    shape !== null && !taken.has(name) && (shape.open || name in shape.properties);
  const parts = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of pairs) {
    const inner = name.startsWith(`${parameter.name}[`) ? name.slice(parameter.name.length + 1, -1) : null;
    const key = inner ?? (isField(name) ? name : null);
    if (key === null || operation.parameters.some((entry) => entry.in === 'query' && entry.name === name)) continue;
    taken.add(name);
    parts[key] = [...(parts[key] ?? []), value];
  }
  return Object.keys(parts).length > 0 ? parts : null;
}

/** What a text may mean by its schema, the most likely first. */
function typed(document: OpenApiDocument, parameter: ParameterObject, schema: Schema, texts: Texts): unknown[] {
  if (!Array.isArray(texts)) return [typedFields(document, parameter, schema, texts)];
  const at = plain(document, schema);
  const branches = [at, ...(at.oneOf ?? []), ...(at.anyOf ?? [])].map((branch) => plain(document, branch));
  const types = new Set(branches.flatMap((branch) => typesOf(branch)));
  const isJson = 'content' in parameter || (types.has('object') && texts.length === 1);
  const items = branches.find((branch) => branch.items !== undefined)?.items ?? {};
  return [
    ...(isJson ? parsedJson(texts[0] as string) : []),
    ...(types.has('array') ? typedLists(document, parameter, items, texts) : []),
    ...typedScalars(types, texts.length === 1 ? (texts[0] as string) : texts.join(',')),
  ];
}

function typedFields(
  document: OpenApiDocument,
  parameter: ParameterObject,
  schema: Schema,
  texts: Record<string, string[]>,
): Record<string, unknown> {
  const { properties } = shapeOf(document, schema);
  const form: ParameterObject = { ...parameter, style: 'form' };
  return Object.fromEntries(
    Object.entries(texts).map(([name, parts]) => [name, typed(document, form, properties[name] ?? {}, parts)[0]]),
  );
}

/** Nothing where the text is no JSON: then it stands for itself. */
function parsedJson(text: string): [unknown] | [] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

const JOINTS = new Map([
  ['pipeDelimited', '|'],
  ['spaceDelimited', ' '],
]);

function typedLists(
  document: OpenApiDocument,
  parameter: ParameterObject,
  items: Schema,
  texts: string[],
): unknown[][] {
  const joint = JOINTS.get(parameter.style ?? 'form') ?? ',';
  const exploded = parameter.explode ?? (parameter.style ?? 'form') === 'form';
  const parts = exploded && texts.length > 1 ? texts : texts.flatMap((text) => text.split(joint));
  const readings = texts.length === 1 ? [parts, texts] : [parts];
  return readings.map((reading) => reading.map((part) => scalar(document, items, part)));
}

function typedScalars(types: ReadonlySet<string>, text: string): unknown[] {
  const found: unknown[] = [];
  if (types.has('integer') || types.has('number')) found.push(number(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) found.push(text === 'true');
  if (types.has('null') && (text === 'null' || text === '')) found.push(null);
  found.push(text);
  if (types.size === 0) found.push(number(text));
  return found;
}

function scalar(document: OpenApiDocument, schema: Schema, text: string): unknown {
  const at = plain(document, schema);
  const types = typesOf(at);
  if (types.includes('integer') || types.includes('number')) return number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.includes('object') && !isObject(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

function number(text: string): unknown {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}
