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
    const label = `${parameter.in === 'header' ? 'header' : `${parameter.in} parameter`} "${parameter.name}"`;
    if (texts === null) {
      if (parameter.required === true && parameter.in !== 'cookie')
        return { place: parameter.in, message: `${label}: expected a value, it is required, got nothing` };
      continue;
    }
    const schema = schemaOf(parameter);
    const check = checkOf(operation.document, schema, 'request');
    const candidates = typed(operation.document, parameter, schema, texts);
    const value = candidates.find((candidate) => check(candidate) === null);
    if (value === undefined && candidates.length > 0) {
      const found = check(candidates[0]);
      return { place: parameter.in, message: `${label}: expected ${found?.expected}, got ${found?.got}` };
    }
    if (parameter.in === 'path') read.path[parameter.name] = value;
    if (parameter.in === 'query') read.query[parameter.name] = value;
  }
  const unknown = pairs.find(([name]) => !taken.has(name));
  if (unknown !== undefined) {
    const names = operation.parameters.flatMap((entry) => (entry.in === 'query' ? [entry.name] : [])).slice(0, 40);
    return {
      place: 'query',
      message: `query parameter "${unknown[0]}": expected one of ${names.join(', ') || 'none'}, got an unknown name`,
    };
  }
  return read;
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
  if (parameter.in === 'path') {
    const at = operation.pathNames.indexOf(parameter.name);
    return at < 0 ? null : [values[at] as string];
  }
  if (parameter.in === 'header') {
    // Who asks and in which media is the transport's business, whatever a document declares.
    if (/^(accept|content-type|authorization)$/i.test(parameter.name)) return null;
    const sent = headers[parameter.name.toLowerCase()];
    return sent === undefined ? null : [sent].flat();
  }
  if (parameter.in !== 'query') return null;
  const own = pairs.filter(([name]) => name === parameter.name || name === `${parameter.name}[]`);
  for (const [name] of own) taken.add(name);
  if (own.length > 0) return own.map(([, value]) => value);
  const parts: Record<string, string[]> = {};
  const isObjectShaped = typesOf(plain(operation.document, schemaOf(parameter))).includes('object');
  const loose = isObjectShaped && parameter.style !== 'deepObject' && parameter.explode !== false;
  const shape = loose ? shapeOf(operation.document, schemaOf(parameter)) : null;
  for (const [name, value] of pairs) {
    const inner = name.startsWith(`${parameter.name}[`) ? name.slice(parameter.name.length + 1, -1) : null;
    const key = inner ?? (shape !== null && !taken.has(name) && (shape.open || name in shape.properties) ? name : null);
    if (key === null || operation.parameters.some((entry) => entry.in === 'query' && entry.name === name)) continue;
    taken.add(name);
    parts[key] = [...(parts[key] ?? []), value];
  }
  return Object.keys(parts).length > 0 ? parts : null;
}

/** What a text may mean by its schema, the most likely first. */
function typed(document: OpenApiDocument, parameter: ParameterObject, schema: Schema, texts: Texts): unknown[] {
  if (!Array.isArray(texts)) {
    const shape = shapeOf(document, schema);
    return [
      Object.fromEntries(
        Object.entries(texts).map(([name, parts]) => [
          name,
          typed(document, { ...parameter, style: 'form' }, shape.properties[name] ?? {}, parts)[0],
        ]),
      ),
    ];
  }
  const at = plain(document, schema);
  const branches = [at, ...(at.oneOf ?? []), ...(at.anyOf ?? [])].map((branch) => plain(document, branch));
  const types = new Set(branches.flatMap((branch) => typesOf(branch)));
  const found: unknown[] = [];
  if ('content' in parameter || (types.has('object') && texts.length === 1)) {
    try {
      found.push(JSON.parse(texts[0] as string));
    } catch {
      // Not JSON: the text stands for itself.
    }
  }
  if (types.has('array')) {
    const items = branches.find((branch) => branch.items !== undefined)?.items ?? {};
    const joint = parameter.style === 'pipeDelimited' ? '|' : parameter.style === 'spaceDelimited' ? ' ' : ',';
    const exploded = parameter.explode ?? (parameter.style ?? 'form') === 'form';
    const parts = exploded && texts.length > 1 ? texts : texts.flatMap((text) => text.split(joint));
    found.push(parts.map((part) => scalar(document, items, part)));
    if (texts.length === 1) found.push(texts.map((part) => scalar(document, items, part)));
  }
  const text = texts.length === 1 ? (texts[0] as string) : texts.join(',');
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
