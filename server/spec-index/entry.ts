/** What the spec index knows: one entry per endpoint, schema, named field and enum of the documents. */
import { sentences } from '../catalog/describe.ts';
import { type ApiDocument, isObject, type JsonObject, pointerPart, scalarText } from '../catalog/platform-document.ts';
import { componentSchemas, ENDPOINT_METHODS, fieldsOf } from './count.ts';

export type EntryKind = 'endpoint' | 'schema' | 'field' | 'enum';

export interface Entry {
  kind: EntryKind;
  /** Place in the document: `#/paths/~1x/get` or `#/components/schemas/X/...`. */
  ref: string;
  /** `GET /x/{id}`, `SchemaName`, `SchemaName.field.sub`. */
  name: string;
  /** operationId of an endpoint, last name of a field. */
  short: string;
  /** The fields that an answer shows. */
  text: string;
  /** Values of an enum. */
  values: string[];
  /** Version in the path of an endpoint: `v1alpha1`. */
  apiVersion: string;
  /** Set on the older of two forms of one operation: operationId or `METHOD /path` of the newer one. */
  newer: string;
}

/** 0 for the generated v1alpha1, 2 for the classic generation, 1 for everything between. */
export function generationOf({ name, apiVersion }: Pick<Entry, 'name' | 'apiVersion'>): number {
  if (apiVersion === 'v1alpha1') return 0;
  return CLASSIC.test(name) ? 2 : 1;
}

/** Schemas of the classic generation, and its paths. */
const CLASSIC = /^Classic|^[A-Z]+ \/(?:configuration|monitoring|firmware|device_management|labels|sites)\//;
const UNVERSIONED = { apiVersion: '', newer: '' } as const;
const SHOWN_VALUES = 24;
const SHOWN_FIELDS = 24;

export function* entriesOf(document: ApiDocument): Generator<Entry> {
  const { content } = document;
  for (const [path, item] of Object.entries(isObject(content['paths']) ? content['paths'] : {})) {
    if (!isObject(item)) continue;
    for (const method of ENDPOINT_METHODS) {
      const operation = item[method];
      if (isObject(operation)) yield endpoint(path, method, item, operation);
    }
  }
  const home = content['definitions'] === undefined ? '#/components/schemas/' : '#/definitions/';
  for (const [name, schema] of Object.entries(componentSchemas(content))) {
    if (isObject(schema)) yield* schemaEntries(home + pointerPart(name), name, schema);
  }
}

function endpoint(path: string, method: string, item: JsonObject, operation: JsonObject): Entry {
  const parameters = [item['parameters'], operation['parameters']].flatMap((list) => (Array.isArray(list) ? list : []));
  const named = parameters.filter(isObject).map((parameter) => {
    const reference = parameter['$ref'];
    const name = typeof reference === 'string' ? lastPart(reference) : scalarText(parameter['name']);
    return parameter['required'] === true ? `${name}!` : name;
  });
  const body = isObject(operation['requestBody']) ? bodyName(operation['requestBody']) : '';
  const answers = isObject(operation['responses']) ? Object.keys(operation['responses']).join(' ') : '';
  const about = [text(operation['summary']), text(operation['description'])].filter(Boolean).join('. ');
  const name = `${method.toUpperCase()} ${path}`;
  const operationId = text(operation['operationId']);
  const twin = operation['x-svc-twin'];
  const newer = isObject(twin) ? text(twin['of']) : '';
  const parts = [
    `${name}${operationId && ` (${operationId})`}: ${sentences(about).slice(0, 3).join(' ')}`,
    named.length > 0 && `Parameters: ${named.join(', ')}.`,
    body && `Body: ${body}.`,
    answers && `Answers: ${answers}.`,
    newer && `Older form, not interchangeable with ${newer}.`,
  ];
  return {
    kind: 'endpoint',
    ref: `#/paths/${pointerPart(path)}/${method}`,
    name,
    short: operationId,
    text: parts.filter(Boolean).join(' '),
    values: [],
    apiVersion: path.split('/').find((segment) => /^v\d+(?:[a-z]+\d*)?$/.test(segment)) ?? '',
    newer,
  };
}

function* schemaEntries(ref: string, name: string, schema: JsonObject): Generator<Entry> {
  const values = enumValues(schema);
  const fields = fieldsOf(schema);
  const about = text(schema['description']);
  if (values.length > 0) {
    yield {
      kind: 'enum',
      ref,
      name,
      short: name,
      text: `${name}: ${about} Values: ${some(values, SHOWN_VALUES)}.`,
      values,
      ...UNVERSIONED,
    };
  } else {
    const top = fields
      .filter((field) => !field.path.includes('.'))
      .map((field) => (field.required ? `${field.path}!` : field.path));
    const composed = references(schema);
    const parts = [
      `${name}: ${about || text(schema['title'])}`.trim(),
      top.length > 0 && `Fields: ${some(top, SHOWN_FIELDS)}.`,
      composed.length > 0 && `Made of: ${composed.join(', ')}.`,
    ];
    yield { kind: 'schema', ref, name, short: name, text: parts.filter(Boolean).join(' '), values: [], ...UNVERSIONED };
  }
  for (const field of fields) {
    const own = enumValues(field.schema);
    yield {
      kind: own.length > 0 ? 'enum' : 'field',
      ref: `${ref}#${field.path}`,
      name: `${name}.${field.path}`,
      short: field.path.split('.').at(-1) ?? field.path,
      text: `${name}.${field.path}${field.required ? ' (required)' : ''}: ${typeText(field.schema)}. ${text(field.schema['description'])}${own.length > 0 ? ` Values: ${some(own, SHOWN_VALUES)}.` : ''}`.trim(),
      values: own,
      ...UNVERSIONED,
    };
  }
}

/** `integer 1..4094, default 1` — the part of a schema that a caller must keep to. */
export function typeText(schema: JsonObject): string {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return lastPart(reference);
  const kind = Array.isArray(schema['type']) ? schema['type'].join(' or ') : text(schema['type']) || 'any';
  const items = isObject(schema['items']) ? ` of ${typeText(schema['items'])}` : '';
  const range = (low: unknown, high: unknown, unit: string) =>
    low === undefined && high === undefined ? '' : ` ${low ?? ''}..${high ?? ''}${unit}`;
  return [
    kind + items,
    schema['format'] !== undefined ? ` (${schema['format']})` : '',
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    schema['default'] !== undefined ? `, default ${JSON.stringify(schema['default'])}` : '',
    schema['readOnly'] === true ? ', read-only' : schema['writeOnly'] === true ? ', never returned' : '',
  ].join('');
}

function enumValues(schema: JsonObject): string[] {
  const items = isObject(schema['items']) ? schema['items'] : {};
  const values = schema['enum'] ?? items['enum'];
  return Array.isArray(values) ? values.filter((value) => value !== null).map(String) : [];
}

function bodyName(body: JsonObject): string {
  const reference = body['$ref'];
  if (typeof reference === 'string') return lastPart(reference);
  const media = isObject(body['content']) ? Object.entries(body['content'])[0] : undefined;
  if (!media) return '';
  const schema = isObject(media[1]) && isObject(media[1]['schema']) ? typeText(media[1]['schema']) : 'any';
  return `${schema} as ${media[0]}`;
}

function references(schema: JsonObject): string[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const parts = schema[keyword];
    return Array.isArray(parts)
      ? parts.filter(isObject).flatMap((part) => (typeof part['$ref'] === 'string' ? [lastPart(part['$ref'])] : []))
      : [];
  });
}

const lastPart = (reference: string) => reference.split('/').at(-1) ?? reference;
const text = (value: unknown) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '');
const some = (values: readonly string[], limit: number) =>
  values.length > limit ? `${values.slice(0, limit).join(', ')}, …+${values.length - limit}` : values.join(', ');
