/** Request bodies that hold files: `multipart/form-data` with binary fields, or one file as the whole body (OpenAPI 3.1, 4.8.14.2). */
import { type ApiDocument, isObject, type JsonObject, resolveRef, textOf } from './platform-document.ts';
import { KEYWORDS } from './schema-keywords.ts';

export interface UploadBody {
  /** The schema of the caller's argument: each file is the name of one. */
  schema: JsonObject;
  /** Fields that hold a file or a list of files; absent where the whole body is one file. */
  files?: string[];
}

const FILE: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 1_000,
  description: 'Path of a file in the upload folder of the router, relative to it.',
};

const MOST_DEPTH = 8;
/** Keywords that say nothing of what a value is. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'deprecated', 'writeOnly']);

/** Whether a schema is that of raw bytes: `format: binary`, or since 3.1 a media type without an encoding. */
function isBinary(schema: JsonObject): boolean {
  const types = [schema['type']].flat();
  if (schema['format'] === 'binary') return types.includes('string') || schema['type'] === undefined;
  const typed = textOf(schema['contentMediaType']);
  return typed !== '' && schema['contentEncoding'] === undefined && !/json|^text\//i.test(typed);
}

/** A schema with its reference; of a choice between something and null the something, because a part that is null is left out. */
function givenSchema(document: ApiDocument, stated: unknown, depth = 0): JsonObject {
  const schema = resolveRef(document, stated);
  const choice = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(choice) || depth > MOST_DEPTH) return schema;
  const given = choice.filter((branch) => resolveRef(document, branch)['type'] !== 'null');
  return given.length === 1 ? givenSchema(document, given[0], depth + 1) : schema;
}

export const isBinaryValue = (document: ApiDocument, stated: unknown): boolean =>
  isBinary(givenSchema(document, stated));

/** The body of one file; undefined where the schema has a structure, which bytes do not. */
export function wholeFileBody(document: ApiDocument, stated: unknown): UploadBody | undefined {
  const schema = givenSchema(document, stated);
  const plain = Object.keys(schema).every((key) => !KEYWORDS.has(key) || ANNOTATIONS.has(key));
  return plain || isBinary(schema) || (schema['type'] === 'string' && schema['format'] === undefined)
    ? { schema: FILE }
    : undefined;
}

/**
 * The body of a multipart form, or why it cannot be sent as a whole.
 *
 * @param media its Media Type Object
 */
export function multipartBody(document: ApiDocument, media: JsonObject): UploadBody | { unsendable: string } {
  const stated = media['schema'] ?? {};
  const types = [givenSchema(document, stated)['type'] ?? 'object'].flat();
  // RFC 7578, 4.2: each part has a name, and only a field of an object gives one.
  if (!types.includes('object')) return { unsendable: 'its multipart body is no object, so that no part has a name' };
  const { properties, required, alternatives } = mergedObject(document, stated);
  if (alternatives.some((schema) => holdsBinary(document, schema)))
    return { unsendable: 'its multipart body has alternatives with files' };
  const files: string[] = [];
  const fields = [...properties].map(([name, schema]): [string, unknown] => {
    const given = givenSchema(document, schema);
    const isFile = (part: JsonObject) => isBinary(part) || (isEncodedAsBytes(media, name) && isUnstructured(part));
    if (isFile(given)) {
      files.push(name);
      return [name, FILE];
    }
    if ([given['type']].flat().includes('array') && isFile(givenSchema(document, given['items']))) {
      files.push(name);
      return [name, { type: 'array', items: FILE }];
    }
    return [name, schema];
  });
  const nested = fields.find(([name, schema]) => !files.includes(name) && holdsBinary(document, schema));
  if (nested)
    return { unsendable: `its field ${JSON.stringify(nested[0].slice(0, 60))} holds a file inside an object` };
  // What of it is chosen has names of its own.
  if (files.length === 0 && alternatives.length > 0) return { schema: { type: 'object', allOf: [stated] }, files };
  return {
    schema: { type: 'object', properties: Object.fromEntries(fields), ...(required.length > 0 ? { required } : {}) },
    files,
  };
}

/** Whether the encoding of a field is a media type of bytes: since 3.1 its schema need not say so. */
function isEncodedAsBytes({ encoding }: JsonObject, name: string): boolean {
  const own = isObject(encoding) && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isObject(own) && BYTES.test(textOf(own['contentType']).split(',', 1)[0] ?? '');
}

const isUnstructured = ({ type, format, properties }: JsonObject): boolean =>
  properties === undefined && (type === undefined || (type === 'string' && format === undefined));

/** Types whose content is bytes. */
export const BYTES =
  /^(?:application\/(?:octet-stream|pdf|zip|gzip|x-[\w.-]+|vnd\.[\w.-]+)|(?:image|audio|video|font|model)\/(?:\*|[\w.+-]+))\s*(?:;|$)/i;

interface MergedObject {
  properties: Map<string, unknown>;
  required: string[];
  alternatives: unknown[];
}

/** Fields of an object and of the parts that `allOf` joins to it. */
function mergedObject(document: ApiDocument, stated: unknown, depth = 0): MergedObject {
  const schema = resolveRef(document, stated);
  const listed = (keyword: string): unknown[] => (Array.isArray(schema[keyword]) ? schema[keyword] : []);
  const parts = depth > MOST_DEPTH ? [] : listed('allOf').map((part) => mergedObject(document, part, depth + 1));
  const own = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = listed('required').filter((name) => typeof name === 'string');
  return {
    properties: new Map([...parts.flatMap((part) => [...part.properties]), ...own]),
    required: [...new Set([...parts.flatMap((part) => part.required), ...required])],
    alternatives: [...parts.flatMap((part) => part.alternatives), ...listed('oneOf'), ...listed('anyOf')],
  };
}

/** Whether raw bytes stand anywhere in a value of this schema. */
export function holdsBinary(document: ApiDocument, stated: unknown, depth = 0): boolean {
  const schema = resolveRef(document, stated);
  if (isBinary(schema)) return true;
  if (depth > MOST_DEPTH) return false;
  const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword] : [],
  );
  const items = schema['items'] === undefined ? [] : [schema['items']];
  return [...properties, ...parts, ...items].some((part) => holdsBinary(document, part, depth + 1));
}
