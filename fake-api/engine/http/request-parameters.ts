/** Path, query and header parameters: read as text, turned into their type, checked, refused by name. */
import { type OpenApiDocument, type ParameterObject, plain } from '../openapi/openapi-document.ts';
import type { Check } from '../openapi/schema-checks.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { byName, own } from '../state/json-value.ts';
import type { SchemaCheck } from './conventions.ts';
import { objectOf, type ParameterStyle, parameterStyleOf, valuesOf } from './parameter-style.ts';
import { type Refusal, refuseAt } from './platform-answer.ts';

export type Pairs = readonly (readonly [string, string])[];

/** By parameter name. The objects have no prototype: a parameter may be named `constructor`. */
export interface ReadParameters {
  path: Record<string, string | number>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
}

interface Reader extends ParameterStyle {
  check: Check;
}

interface Readers {
  path: Reader[];
  query: Map<string, Reader>;
  headers: Reader[];
  cookies: Reader[];
}

const readers = new WeakMap<Operation, Readers>();

export function readParameters(
  operation: Operation,
  values: readonly string[],
  pairs: Pairs,
  headers: Record<string, string | string[] | undefined>,
  check: SchemaCheck,
): ReadParameters | Refusal {
  const path = readPath(operation, values, check);
  if ('kind' in path) return path;
  const known = readersOf(operation, check);
  const read: ReadParameters = { path: path.values, query: byName(), headers: byName() };
  return (
    readQuery(known.query, pairs, read.query) ??
    readHeaders(known.headers, (name) => own(headers, name.toLowerCase()), read.headers) ??
    readHeaders(known.cookies, (name) => cookieNamed(headers, name), byName()) ??
    read
  );
}

export function readPath(
  operation: Operation,
  values: readonly string[],
  check: SchemaCheck,
): { values: ReadParameters['path'] } | Refusal {
  const read = byName<string | number>();
  for (const [at, reader] of readersOf(operation, check).path.entries()) {
    const taken = take(reader, valuesOf(reader, [values[at] as string]));
    if ('kind' in taken) return taken;
    read[reader.parameter.name] = taken.value as string | number;
  }
  return { values: read };
}

/** What was sent for one parameter. */
interface Sent {
  texts: string[];
  /** Fields of an object that came one by one. */
  fields: Map<string, string[]>;
}

function readQuery(known: Readers['query'], pairs: Pairs, read: Record<string, unknown>): Refusal | null {
  const { owners, sent } = sentParameters(known, pairs);
  for (const [name, owner] of owners) {
    if (owner === null) return unknownParameter(known, name);
    const { texts, fields } = sent.get(owner) as Sent;
    const taken = take(owner, texts.length > 0 ? valuesOf(owner, texts) : [objectOf(owner, fields)]);
    if ('kind' in taken) return taken;
    read[owner.parameter.name] = taken.value;
  }
  const unsent = [...known.values().filter((reader) => reader.parameter.required === true && !sent.has(reader))];
  const lacking = unsent.find((reader) => !isEmptyObject(reader));
  return lacking === undefined ? null : missing('query parameter', lacking);
}

/** An object without fields leaves nothing in a query where each field is a parameter of its own. */
const isEmptyObject = ({ fields, check }: Reader): boolean => fields !== null && check({}) === null;

/** `owners` has each sent name in the order of the query, and null for a name that no parameter has. */
function sentParameters(
  known: Readers['query'],
  pairs: Pairs,
): { owners: Map<string, Reader | null>; sent: Map<Reader, Sent> } {
  const whole = new Set(pairs.flatMap(([name]) => namedBy(known, name) ?? []));
  const owners = new Map<string, Reader | null>();
  const sent = new Map<Reader, Sent>();
  for (const [name, text] of pairs) {
    const reader = namedBy(known, name);
    const field = reader === undefined ? fieldNamed(known, whole, name) : null;
    const owner = reader ?? field?.reader ?? null;
    owners.set(name, owner);
    if (owner === null) continue;
    const own: Sent = sent.get(owner) ?? { texts: [], fields: new Map() };
    sent.set(owner, own);
    if (field === null) own.texts.push(text);
    else own.fields.set(field.name, [...(own.fields.get(field.name) ?? []), text]);
  }
  return { owners, sent };
}

/** Lists may be sent as `name[]`. */
function namedBy(known: Readers['query'], name: string): Reader | undefined {
  return known.get(name) ?? (name.endsWith('[]') ? known.get(name.slice(0, -2)) : undefined);
}

/** A field of an object: as `name[field]`, or as a parameter of its own where the object was not sent as a whole. */
function fieldNamed(
  known: Readers['query'],
  whole: ReadonlySet<Reader>,
  name: string,
): { reader: Reader; name: string } | null {
  for (const reader of known.values()) {
    if (whole.has(reader)) continue;
    if (name.startsWith(`${reader.parameter.name}[`))
      return { reader, name: name.slice(reader.parameter.name.length + 1, -1) };
    if (reader.fields?.open === true || Object.hasOwn(reader.fields?.properties ?? {}, name)) return { reader, name };
  }
  return null;
}

function unknownParameter(known: Readers['query'], name: string): Refusal {
  const names = [...known.keys()].join(', ');
  const message = `query parameter "${name}": expected one of ${names || 'none'}, got an unknown name`;
  return refuseAt(name, 400, 'UNKNOWN_PARAMETER', message);
}

function readHeaders(
  known: readonly Reader[],
  sentFor: (name: string) => string | string[] | undefined,
  read: Record<string, unknown>,
): Refusal | null {
  for (const reader of known) {
    const { name, required } = reader.parameter;
    const sent = withoutAny(name, sentFor(name));
    if (sent === undefined) {
      if (required === true) return missing(reader.parameter.in, reader);
      continue;
    }
    const taken = take(reader, valuesOf(reader, [String(sent)]));
    if ('kind' in taken) return taken;
    read[name] = taken.value;
  }
  return null;
}

/** HTTP clients send `Accept-Language: *` on their own: any language is as good as no header (RFC 9110 §12.5.4). */
const withoutAny = (name: string, sent: string | string[] | undefined) =>
  name.toLowerCase() === 'accept-language' && sent === '*' ? undefined : sent;

/** Value of a cookie (RFC 6265 §4.2.1). */
export function cookieNamed(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | undefined {
  for (const pair of String(own(headers, 'cookie') ?? '').split(';')) {
    const cut = pair.indexOf('=');
    if (cut > 0 && pair.slice(0, cut).trim() === name) return pair.slice(cut + 1).trim();
  }
  return undefined;
}

function missing(where: string, { parameter: { name } }: Reader): Refusal {
  const message = `${where} "${name}": expected a value, it is required, got nothing`;
  return refuseAt(name, 400, 'MISSING_PARAMETER', message);
}

/** OpenAPI leaves these headers to the transport and to the security schemes, whatever a document declares. */
const OF_THE_TRANSPORT = new Set(['accept', 'content-type', 'authorization']);

function readersOf(operation: Operation, check: SchemaCheck): Readers {
  const known = readers.get(operation);
  if (known !== undefined) return known;
  const { document, parameters, pathNames } = operation;
  const of = (place: string): Reader[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => {
        const style = parameterStyleOf(document, parameter);
        return { ...style, check: check(document, style.schema) };
      });
  const path = new Map(of('path').map((reader) => [reader.parameter.name, reader]));
  const prepared: Readers = {
    path: pathNames.map((name) => path.get(name) as Reader),
    query: new Map(of('query').map((reader) => [reader.parameter.name, reader])),
    cookies: of('cookie'),
    headers: of('header').filter(({ parameter }) => !OF_THE_TRANSPORT.has(parameter.name.toLowerCase())),
  };
  readers.set(operation, prepared);
  return prepared;
}

/** The first of the possible values that fits the schema. */
function take({ parameter, check }: Reader, values: readonly unknown[]): { value: unknown } | Refusal {
  const fitting = values.findIndex((value) => check(value) === null);
  if (fitting >= 0) return { value: values[fitting] };
  const found = check(values[0]);
  const where = parameter.in === 'header' || parameter.in === 'cookie' ? parameter.in : `${parameter.in} parameter`;
  const message = `${where} "${parameter.name}": expected ${found?.expected}, got ${found?.got}`;
  return refuseAt(parameter.name, 400, 'INVALID_PARAMETER', message);
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
