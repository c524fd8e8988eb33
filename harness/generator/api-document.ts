/**
 * An OpenAPI document of somebody else as the generator needs it: its operations with their parameters and the shape of
 * their bodies. OpenAPI 3.0, 3.1 and Swagger 2.0, JSON or YAML; references are resolved where they are read.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { upgrade } from '@scalar/openapi-upgrader';
import { parse } from 'yaml';
import { got, HarnessError } from '../harness-errors.ts';
import { decoded, joinFiles } from './joined-files.ts';
import { withDeeperLines } from './shallow-quotes.ts';

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  schema: Json;
}

export interface ApiOperation {
  /** `GET`, `POST` … */
  method: string;
  /** Template, `/pets/{petId}`. */
  path: string;
  operationId: string;
  texts: string[];
  parameters: Parameter[];
  /** Properties of a JSON body; undefined where it takes none. */
  body?: { properties: Record<string, Json>; required: string[]; isRequired: boolean };
  /** Names of the security schemes of each alternative. */
  security: string[][];
}

export interface ApiDocument {
  /** File name, without folders. */
  name: string;
  title: string;
  operations: ApiOperation[];
  securitySchemes: ReadonlyMap<string, Json>;
  /** `file:line@digest` of a path, as scenarios cite their evidence. */
  cite: (path: string) => string;
  /** The document as JSON, of OpenAPI 3.1, with its only server at this address. */
  servedAt: (url: string) => string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const MOST_REFERENCES = 30;

/** Throws `DOCUMENT_UNSERVED` for a file that is missing or holds no OpenAPI document. */
export async function readApiDocument(file: string): Promise<ApiDocument> {
  const unserved = (found: string, cause?: unknown) =>
    new HarnessError('DOCUMENT_UNSERVED', `--openapi should name an OpenAPI document, got ${found}`, { cause });
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw unserved(`${got(file)}: ${cause.code === 'ENOENT' ? 'no such file' : cause.message}`, cause);
  });
  const unread = (cause: unknown) =>
    unserved(`${basename(file)}: ${String((cause as Error).message).split('\n')[0]}`, cause);
  let value: unknown;
  try {
    value = parsed(text);
  } catch (cause) {
    throw unread(cause);
  }
  if (!isObject(value) || (value['openapi'] === undefined && value['swagger'] === undefined))
    throw unserved(`${basename(file)}, which has neither \`openapi\` nor \`swagger\``);
  await joinFiles(value, file, parsed, pointed).catch((cause) => {
    throw unread(cause);
  });
  if (!isObject(value['paths'])) throw unserved(`${basename(file)} without \`paths\``);
  stateVersion(value);
  return documentOf(upgraded(value), file, text);
}

/** JSON or YAML. Throws where it is neither: asked to be silent, the library gives what it could read. */
function parsed(text: string): unknown {
  const options = { maxAliasCount: 10_000, logLevel: 'error', uniqueKeys: false } as const;
  try {
    return JSON.parse(text);
  } catch {
    // Then it is YAML, or nothing.
  }
  try {
    return parse(text, options);
  } catch (cause) {
    const deeper = (cause as { code?: string }).code === 'MISSING_CHAR' ? withDeeperLines(text) : text;
    if (deeper === text) throw cause;
    return parse(deeper, options);
  }
}

/** YAML without quotes makes a number of a version: 3 of 3.0, and 2 of 2.0. */
function stateVersion(value: Json): void {
  for (const key of ['openapi', 'swagger']) {
    const stated = value[key];
    if (typeof stated === 'number') value[key] = Number.isInteger(stated) ? `${stated}.0` : String(stated);
  }
}

/** Swagger 2.0 and OpenAPI 3.0 as 3.1; what cannot be upgraded is read as it stands. */
function upgraded(value: Json): Json {
  try {
    return upgrade(value as never, '3.1') as unknown as Json;
  } catch {
    return value;
  }
}

function documentOf(root: Json, file: string, text: string): ApiDocument {
  const name = basename(file).replaceAll(/[^A-Za-z0-9._-]/g, '-');
  const lines = text.split('\n');
  const digest = createHash('sha1').update(text).digest('hex');
  const resolve = resolver(root);
  const components = resolve(root['components']);
  const schemes = resolve(components['securitySchemes']);
  return {
    name,
    title: String(resolve(root['info'])['title'] ?? name),
    operations: Object.entries(resolve(root['paths'])).flatMap(([path, item]) =>
      operationsAt(path, resolve(item), root, resolve),
    ),
    securitySchemes: new Map(Object.entries(schemes).map(([scheme, entry]) => [scheme, resolve(entry)])),
    cite: (path) => `${name}:${lineOf(lines, path)}@${digest}`,
    servedAt: (url) => JSON.stringify({ ...root, servers: [{ url }] }),
  };
}

function lineOf(lines: readonly string[], path: string): number {
  const at = lines.findIndex((line) => line.trim().replaceAll(/["']/g, '').startsWith(`${path}:`));
  return Math.max(at, 0) + 1;
}

type Resolve = (value: unknown) => Json;

/** Follows references inside the document; what leads nowhere, or outside, is an empty object. */
function resolver(root: Json): Resolve {
  return (value) => {
    let at: unknown = value;
    for (let steps = 0; steps < MOST_REFERENCES; steps++) {
      if (!isObject(at)) return {};
      const reference = at['$ref'];
      if (typeof reference !== 'string') return at;
      at = pointed(root, reference);
    }
    return {};
  };
}

function pointed(root: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
}

function operationsAt(path: string, item: Json, root: Json, resolve: Resolve): ApiOperation[] {
  return METHODS.flatMap((method) => {
    if (!isObject(item[method])) return [];
    const operation = item[method];
    const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map(resolve);
    const body = bodyOf(operation, resolve);
    const texts = [operation['description'], operation['summary']].filter((text) => typeof text === 'string');
    const security = listOf(operation['security'] ?? root['security']).filter(isObject);
    return [
      {
        method: method.toUpperCase(),
        path,
        operationId: typeof operation['operationId'] === 'string' ? operation['operationId'] : '',
        texts,
        parameters: parameters.flatMap((parameter) => parameterOf(parameter, resolve)),
        ...(body === undefined ? {} : { body }),
        security: security.map((set) => Object.keys(set)),
      },
    ];
  });
}

function parameterOf(parameter: Json, resolve: Resolve): Parameter[] {
  const { name, required } = parameter;
  const place = parameter['in'];
  if (typeof name !== 'string' || typeof place !== 'string') return [];
  const schema = resolve(parameter['schema']);
  const example = parameter['example'] ?? schema['example'] ?? listOf(schema['examples'])[0];
  return [
    {
      name,
      in: place as Parameter['in'],
      required: required === true || place === 'path',
      schema: { ...schema, ...(example === undefined ? {} : { example }) },
    },
  ];
}

function bodyOf(operation: Json, resolve: Resolve): ApiOperation['body'] {
  const body = resolve(operation['requestBody']);
  const content = resolve(body['content']);
  const [, media] = Object.entries(content).find(([type]) => /^application\/([a-z.+-]*\+)?json/.test(type)) ?? [];
  if (media === undefined) return undefined;
  const schema = flattened(resolve(resolve(media)['schema']), resolve, 0);
  return {
    properties: Object.fromEntries(
      Object.entries(resolve(schema['properties'])).map(([name, property]) => [name, resolve(property)]),
    ),
    required: listOf(schema['required']).filter((name) => typeof name === 'string'),
    isRequired: body['required'] === true,
  };
}

/** `allOf` as one object. */
function flattened(schema: Json, resolve: Resolve, depth: number): Json {
  const parts = listOf(schema['allOf']);
  if (parts.length === 0 || depth > 5) return schema;
  const all = [schema, ...parts.map((part) => flattened(resolve(part), resolve, depth + 1))];
  return {
    ...schema,
    properties: Object.assign({}, ...all.map((part) => resolve(part['properties']))),
    required: all.flatMap((part) => listOf(part['required'])),
  };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
