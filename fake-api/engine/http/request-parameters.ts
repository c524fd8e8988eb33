/** Path, query and header parameters: read as text, turned into their type, checked, refused by name. */

import {
  type OpenApiDocument,
  type ParameterObject,
  plain,
  type Schema,
  typesOf,
} from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { type Check, valueCheck } from '../openapi/validators.ts';
import { type Answer, refuseAt } from './platform-answer.ts';

export interface ReadParameters {
  path: Record<string, string | number>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
}

interface Reader {
  parameter: ParameterObject;
  type: string;
  itemType: string;
  check: Check;
}

interface Readers {
  path: Reader[];
  query: Map<string, Reader>;
  requiredQuery: Reader[];
  headers: Reader[];
}

const readers = new WeakMap<Operation, Readers>();

export function readParameters(
  operation: Operation,
  values: readonly string[],
  pairs: readonly (readonly [string, string])[],
  headers: Record<string, string | string[] | undefined>,
): ReadParameters | Answer {
  const known = readers.get(operation) ?? prepare(operation);
  const read: ReadParameters = { path: {}, query: {}, headers: {} };
  return (
    readPath(known.path, values, read.path) ??
    readQuery(known, pairs, read.query) ??
    readHeaders(known.headers, headers, read.headers) ??
    read
  );
}

function readPath(
  known: readonly Reader[],
  values: readonly string[],
  read: Record<string, string | number>,
): Answer | null {
  for (const [at, reader] of known.entries()) {
    const { value, problem } = take(reader, [values[at] as string], 'path');
    if (problem !== null) return problem;
    read[reader.parameter.name] = value as string | number;
  }
  return null;
}

function readQuery(
  known: Readers,
  pairs: readonly (readonly [string, string])[],
  read: Record<string, unknown>,
): Answer | null {
  const given = new Map<string, string[]>();
  for (const [name, value] of pairs) given.set(name, [...(given.get(name) ?? []), value]);
  for (const [name, texts] of given) {
    const reader = known.query.get(name);
    if (reader === undefined) {
      const names = [...known.query.keys()].join(', ');
      return refuseAt(
        name,
        400,
        'UNKNOWN_PARAMETER',
        `query parameter "${name}": expected one of ${names || 'none'}, got an unknown name`,
      );
    }
    const { value, problem } = take(reader, texts, 'query');
    if (problem !== null) return problem;
    read[name] = value;
  }
  for (const { parameter } of known.requiredQuery)
    if (!given.has(parameter.name)) return missing('query parameter', parameter.name);
  return null;
}

function readHeaders(
  known: readonly Reader[],
  headers: Record<string, string | string[] | undefined>,
  read: Record<string, unknown>,
): Answer | null {
  for (const reader of known) {
    const { name, required } = reader.parameter;
    const sent = headers[name.toLowerCase()];
    if (sent === undefined) {
      if (required === true) return missing('header', name);
      continue;
    }
    const { value, problem } = take(reader, [String(sent)], 'header');
    if (problem !== null) return problem;
    read[name] = value;
  }
  return null;
}

function missing(where: string, name: string): Answer {
  const message = `${where} "${name}": expected a value, it is required, got nothing`;
  return refuseAt(name, 400, 'MISSING_PARAMETER', message);
}

function prepare(operation: Operation): Readers {
  const reader = (parameter: ParameterObject): Reader => {
    const schema = plain(operation.document, parameter.schema ?? {});
    const items = plain(operation.document, schema.items ?? {});
    return {
      parameter,
      type: mainType(schema),
      itemType: mainType(items),
      check: valueCheck(operation.document, parameter.schema ?? {}),
    };
  };
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const query = of('query').map(reader);
  const prepared: Readers = {
    path: operation.pathNames.map((name) => reader(of('path').find((entry) => entry.name === name) as ParameterObject)),
    query: new Map(query.map((entry) => [entry.parameter.name, entry])),
    requiredQuery: query.filter((entry) => entry.parameter.required === true),
    headers: of('header').map(reader),
  };
  readers.set(operation, prepared);
  return prepared;
}

function mainType(schema: Schema): string {
  return typesOf(schema).find((type) => type !== 'null') ?? 'string';
}

function take(reader: Reader, texts: string[], place: string): { value: unknown; problem: Answer | null } {
  const value = typed(reader, texts);
  const found = reader.check(value);
  if (found === null) return { value, problem: null };
  const where = place === 'header' ? 'header' : `${place} parameter`;
  const message = `${where} "${reader.parameter.name}": expected ${found.expected}, got ${found.got}`;
  return { value, problem: refuseAt(reader.parameter.name, 400, 'INVALID_PARAMETER', message) };
}

function typed(reader: Reader, texts: string[]): unknown {
  if (reader.type !== 'array') return texts.length === 1 ? scalar(reader.type, texts[0] as string) : texts;
  const exploded = reader.parameter.explode ?? (reader.parameter.style ?? 'form') === 'form';
  const parts = exploded && texts.length > 1 ? texts : texts.flatMap((text) => text.split(','));
  return parts.map((part) => scalar(reader.itemType, part));
}

function scalar(type: string, text: string): unknown {
  if (type === 'integer' || type === 'number') {
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** Decoded query pairs, or null when the text is not a query. */
export function queryPairs(query: string): [string, string][] | null {
  if (query === '') return [];
  try {
    return query.split('&').flatMap((part) => {
      if (part === '') return [];
      const cut = part.indexOf('=');
      const [name, value] = cut < 0 ? [part, ''] : [part.slice(0, cut), part.slice(cut + 1)];
      return [[decodePart(name), decodePart(value)] as [string, string]];
    });
  } catch {
    return null;
  }
}

function decodePart(text: string): string {
  return /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
}

export function canonicalQuery(pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return '';
  return pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
}

/** The declared default of a query parameter, for behaviours that need a value either way. */
export function parameterDefault(document: OpenApiDocument, parameter: ParameterObject | undefined): unknown {
  return parameter?.schema === undefined ? undefined : plain(document, parameter.schema).default;
}
