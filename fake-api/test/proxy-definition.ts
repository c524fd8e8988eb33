/** A document in the form in which the contract-checking proxy's validator reads it: OpenAPI 3.1, references absolute, parts joined. */
import { upgrade } from '@scalar/openapi-upgrader';
import type { Document } from 'openapi-backend';
import { isObject } from '../engine/state/json-value.ts';

/** `id` is the URI that references into the document start with. */
export function definitionOf(document: object, id: string): Document {
  const { openapi, swagger } = document as { openapi?: unknown; swagger?: unknown };
  const isBefore31 = swagger !== undefined || /^3\.0/.test(String(openapi));
  const upgraded = upgrade(structuredClone(document) as Record<string, unknown>, '3.1');
  const definition = absolute(isBefore31 ? referencesAlone(upgraded) : upgraded, id) as unknown as Document;
  for (const item of Object.values(definition.paths ?? {})) joinParts(definition, id, item as Record<string, unknown>);
  return definition;
}

/** Before OpenAPI 3.1, what stands beside a reference counts for nothing. */
function referencesAlone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referencesAlone);
  if (!isObject(value)) return value;
  if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] };
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, referencesAlone(entry)]));
}

/** References name the document they stand in, and null stands among the types. */
function absolute(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => absolute(entry, id));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (name === 'nullable' && typeof entry === 'boolean') continue;
    copy[name] =
      name === '$ref' && typeof entry === 'string' && entry.startsWith('#') ? `${id}${entry}` : absolute(entry, id);
  }
  return satisfiable(copy);
}

/** Schemas that no value fits as they are written, as their authors mean them. */
function satisfiable(copy: Record<string, unknown>): Record<string, unknown> {
  const { enum: values, items, pattern } = copy;
  // Of a list, the entries are meant.
  if (copy['type'] === 'array' && Array.isArray(values) && !values.some(Array.isArray)) {
    const { enum: _entries, ...list } = copy;
    return { ...list, items: { ...(isObject(items) ? items : {}), enum: values } };
  }
  // Of values that all have another type than the stated one, nothing can be judged.
  if (
    Array.isArray(values) &&
    values.length > 0 &&
    typeof copy['type'] === 'string' &&
    !values.some(isOf(copy['type']))
  ) {
    const { enum: _values, type: _type, ...open } = copy;
    return open;
  }
  // No text has a letter before its start or behind its end: the slashes are those of a literal. A schema knows none of its flags.
  const [, literal, flags] = /^\/(\^.+|.+[^\\]\$)\/([a-z]*)$/s.exec(typeof pattern === 'string' ? pattern : '') ?? [];
  if (literal !== undefined) {
    const { pattern: _literal, ...open } = copy;
    return flags === '' ? { ...open, pattern: literal } : open;
  }
  // Fields of the parts are none of its own.
  if (copy['additionalProperties'] === false && Array.isArray(copy['allOf'])) {
    const { additionalProperties, ...open } = copy;
    return { ...open, unevaluatedProperties: additionalProperties };
  }
  return copy;
}

/** By the name of a JSON type; a null is judged by nobody here. */
const isOf =
  (type: string) =>
  (value: unknown): boolean =>
    value === null || (Array.isArray(value) ? 'array' : typeof value) === (type === 'integer' ? 'number' : type);

/** Parameters, bodies, responses and headers stand where they are used; schemas stay references. */
function joinParts(definition: Document, id: string, item: Record<string, unknown>): void {
  const found = (value: unknown): unknown => {
    const reference = isObject(value) ? value['$ref'] : undefined;
    if (typeof reference !== 'string' || !reference.startsWith(`${id}#/`)) return value;
    let at: unknown = definition;
    for (const step of decodeURIComponent(reference.slice(id.length + 2)).split('/'))
      at = (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
    return found(at);
  };
  const joinList = (holder: Record<string, unknown>): void => {
    if (Array.isArray(holder['parameters']))
      holder['parameters'] = holder['parameters'].map((entry) => untyped({ ...(found(entry) as object) }));
  };
  joinList(item);
  for (const operation of Object.values(item)) {
    if (!isObject(operation)) continue;
    joinList(operation);
    if (operation['requestBody'] !== undefined) {
      operation['requestBody'] = found(operation['requestBody']);
      readAsJson(operation['requestBody']);
    }
    const responses = operation['responses'];
    if (!isObject(responses)) continue;
    for (const [status, entry] of Object.entries(responses)) {
      const response = { ...(found(entry) as Record<string, unknown>) };
      responses[status] = response;
      readAsJson(response);
      if (isObject(response['headers']))
        response['headers'] = Object.fromEntries(
          Object.entries(response['headers']).map(([name, header]) => [name, found(header)]),
        );
    }
  }
}

/** Kinds of content that are JSON by another name, which the package would not look at. */
const renamed = new WeakSet<object>();

function readAsJson(holder: unknown): void {
  if (!isObject(holder) || !isObject(holder['content']) || 'application/json' in holder['content']) return;
  const named = Object.entries(holder['content']).find(([media]) => /\+json$/.test(media));
  if (named === undefined) return;
  holder['content'] = { ...holder['content'], 'application/json': named[1] };
  renamed.add(holder['content'] as object);
}

/** Media types of a content object as its document wrote them. */
export function writtenMediaTypes(content: Record<string, unknown>): string[] {
  return Object.keys(content).filter((entry) => !(renamed.has(content) && entry === 'application/json'));
}

/** In a URL everything is text: `7` is a number and a name at once, so "exactly one of" can only mean "one of". */
function untyped(parameter: { schema?: Record<string, unknown> }): object {
  const { oneOf, ...schema } = parameter.schema ?? {};
  return oneOf === undefined ? parameter : { ...parameter, schema: { ...schema, anyOf: oneOf } };
}
