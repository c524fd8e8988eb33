/** One OpenAPI document → its operations as tools, each checked on its own: a bad one is set aside, the rest stay. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { classify } from './classify.ts';
import { describe, paramNames } from './describe.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './document.ts';
import { RequestSchemas } from './request-schema.ts';
import type { BuiltTool, JsonSchema, Tool, ToolParameter } from './tool.ts';
import { fitSchema, portableName, schemaProblem } from './tool-schema.ts';

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];
/** Headers that the client of the platform sets by itself; a caller has no business with them. */
const OWN_HEADERS = new Set(
  'authorization cookie accept content-type content-length host connection user-agent x-csrf-token x-auth-token'.split(
    ' ',
  ),
);
export const CONTROL_ARGUMENTS = ['dry_run', 'confirm', 'plan_token', 'confirm_object'] as const;
const RESERVED = new Set<string>(['body', ...CONTROL_ARGUMENTS]);
const LIST_NAMES = ['items', 'data', 'results', 'entries', 'records', 'values'];

/** An operation before it has a name, and what links it to others. */
export interface Draft {
  method: string;
  path: string;
  operationId: string | null;
  /** JSON pointer to the operation in its document. */
  pointer: string;
  built: BuiltTool;
  pollOperation?: string;
  twinOf?: string;
}

export interface Quarantined {
  platform: string;
  document: string;
  /** `METHOD /path`; `*` for everything. */
  operation: string;
  pointer: string;
  reason: string;
}

export interface ReadOperations {
  drafts: Draft[];
  quarantined: Quarantined[];
  notes: string[];
  overridesUsed: string[];
}

export function readOperations(platform: PlatformDefinition, document: ApiDocument): ReadOperations {
  const result: ReadOperations = { drafts: [], quarantined: [], notes: [], overridesUsed: [] };
  for (const [path, rawItem] of Object.entries(document.content['paths'] as JsonObject)) {
    const item = resolveRef(document, rawItem);
    for (const lower of METHODS) {
      const operation = item[lower];
      if (!isObject(operation)) continue;
      const key = `${lower.toUpperCase()} ${path}`;
      const override = platform.overrides[key];
      if (override) result.overridesUsed.push(key);
      if (Array.isArray(operation['x-svc-audience']) && operation['x-svc-audience'].every((who) => who === 'internal'))
        continue;
      try {
        const { draft, notes } = readOperation(platform, document, {
          method: lower.toUpperCase(),
          path,
          item,
          operation,
          override,
        });
        result.drafts.push(draft);
        result.notes.push(...notes.map((note) => `${platform.id}/${document.id}: ${note}`));
      } catch (error) {
        result.quarantined.push({
          platform: platform.id,
          document: document.id,
          operation: key,
          pointer: pointerOf(path, lower),
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
  }
  return result;
}

interface Source {
  method: string;
  path: string;
  item: JsonObject;
  operation: JsonObject;
  override: PlatformDefinition['overrides'][string] | undefined;
}

function readOperation(
  platform: PlatformDefinition,
  document: ApiDocument,
  source: Source,
): { draft: Draft; notes: string[] } {
  const { method, path, item, operation } = source;
  checkServer(document, item, operation);
  const notes: string[] = [];
  const operationId = textOf(operation['operationId']) || null;
  const schemas = new RequestSchemas(document);
  const properties: Record<string, JsonSchema | boolean> = {};
  const parameters = readParameters(platform, document, item, operation, schemas, properties);
  checkTemplate(path, parameters);
  const body = readBody(document, source, schemas, notes);
  if (body) properties['body'] = body.schema;
  const required = [
    ...parameters.filter((p) => p.required).map((p) => p.argument),
    ...(body?.required ? ['body'] : []),
  ];
  const schema: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(Object.keys(schemas.definitions).length > 0 ? { $defs: schemas.definitions } : {}),
  };
  const cut = fitSchema(schema);
  if (cut) notes.push(`${method} ${path}: its schema was too long: ${cut}`);
  const problem = schemaProblem(schema);
  if (problem) throw new Error(problem);
  const fields = body ? schemas.properties(body.schema) : [];
  const classified = classify({
    method,
    path,
    operationId,
    declared: operation['x-svc-capability'],
    ...(source.override ? { override: source.override } : {}),
  });
  const { line, description } = describe({
    method,
    path,
    summary: textOf(operation['summary']),
    description: textOf(operation['description']),
  });
  const resource = isObject(operation['x-svc-resource']) ? operation['x-svc-resource'] : undefined;
  const list = listOf(document, method, path, operation);
  const tool: Tool = {
    name: '',
    platform: platform.id,
    backend: backendOf(platform, document.id),
    document: document.id,
    operationId,
    method,
    path,
    capability: classified.capability,
    evidence: classified.evidence,
    line,
    description,
    params: paramNames(parameters, body ? { required: body.required, fields } : null),
    parameters,
    body: body ? { required: body.required, contentType: body.contentType } : null,
    secrets: [...schemas.secrets].sort(),
    ...(list === undefined ? {} : { list: { property: list, ...defaultLimit(operation) } }),
    ...(resource
      ? {
          resource: {
            name: textOf(resource['name']),
            noun: textOf(resource['noun']),
            plural: textOf(resource['plural']),
            key: textOf(resource['key']) || null,
          },
        }
      : {}),
    deprecated: operation['deprecated'] === true,
  };
  const poll = isObject(operation['x-svc-async']) ? textOf(operation['x-svc-async']['poll']) : '';
  const twin = isObject(operation['x-svc-twin']) ? textOf(operation['x-svc-twin']['of']) : '';
  const text = {
    kind: textOf(operation['x-svc-kind']),
    aliases: textsOf(operation['x-svc-aliases']),
    questions: textsOf(operation['x-svc-questions']),
    distinguish: textOf(operation['x-svc-distinguish']),
    fields: [...parameters.map((p) => p.name), ...fields.map((f) => f.name)],
    scope: textOf(operation['x-svc-scope']),
    tag: textsOf(operation['tags']).join(' '),
  };
  return {
    draft: {
      method,
      path,
      operationId,
      pointer: pointerOf(path, method.toLowerCase()),
      built: { tool, schema, text },
      ...(poll ? { pollOperation: poll } : {}),
      ...(twin ? { twinOf: twin } : {}),
    },
    notes: classified.note === undefined ? notes : [...notes, classified.note],
  };
}

function readParameters(
  platform: PlatformDefinition,
  document: ApiDocument,
  item: JsonObject,
  operation: JsonObject,
  schemas: RequestSchemas,
  properties: Record<string, JsonSchema | boolean>,
): ToolParameter[] {
  const merged = new Map<string, JsonObject>();
  for (const raw of [item['parameters'], operation['parameters']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )) {
    const parameter = resolveRef(document, raw);
    merged.set(`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter);
  }
  const found: ToolParameter[] = [];
  for (const parameter of merged.values()) {
    const name = textOf(parameter['name']);
    const where = parameter['in'];
    if (name === '' || (where !== 'path' && where !== 'query' && where !== 'header')) continue;
    const lower = name.toLowerCase();
    if (where === 'header' && (OWN_HEADERS.has(lower) || lower === platform.auth.header?.toLowerCase())) continue;
    let argument = portableName(name);
    while (RESERVED.has(argument) || argument in properties) argument += '_';
    const content = isObject(parameter['content']) ? Object.values(parameter['content']).find(isObject) : undefined;
    const converted = schemas.convert(content ? content['schema'] : parameter['schema']);
    const about = textOf(parameter['description']);
    properties[argument] =
      typeof converted === 'object' && about && !converted['description']
        ? { ...converted, description: about }
        : converted;
    const style = content ? 'json' : textOf(parameter['style']) || (where === 'query' ? 'form' : 'simple');
    const explode = typeof parameter['explode'] === 'boolean' ? parameter['explode'] : style === 'form';
    found.push({
      argument,
      name,
      in: where,
      required: where === 'path' || parameter['required'] === true,
      style,
      explode,
    });
  }
  return found;
}

/** Calls of a platform go to one base URL; sending its credentials wherever an operation points would give them away. */
function checkServer(document: ApiDocument, item: JsonObject, operation: JsonObject): void {
  const own = operation['servers'] ?? item['servers'];
  if (!Array.isArray(own) || own.length === 0) return;
  const stated = document.content['servers'];
  const common = Array.isArray(stated) ? stated : [];
  if (serverUrl(own[0]) === serverUrl(common[0])) return;
  throw new Error(
    `is served from ${serverUrl(own[0])}, not from the document's ${serverUrl(common[0])}: put it in a document and platform of its own`,
  );
}

/** URL of a server with its variables at their defaults. */
export function serverUrl(server: unknown): string {
  const { url, variables } = isObject(server) ? server : ({} as JsonObject);
  const named = isObject(variables) ? variables : {};
  return textOf(url)
    .replace(/\{([^}]+)\}/g, (whole, name: string) => {
      const variable = named[name];
      return isObject(variable) ? String(variable['default'] ?? whole) : whole;
    })
    .replace(/\/+$/, '');
}

function checkTemplate(path: string, parameters: readonly ToolParameter[]): void {
  const named = new Set(parameters.filter((p) => p.in === 'path').map((p) => p.name));
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    if (!named.has(name as string)) throw new Error(`\`{${name}}\` in the path has no parameter`);
  }
}

function readBody(
  document: ApiDocument,
  { method, path, operation }: Source,
  schemas: RequestSchemas,
  notes: string[],
): { schema: JsonSchema | boolean; required: boolean; contentType: string } | null {
  if (operation['requestBody'] === undefined) return null;
  const body = resolveRef(document, operation['requestBody']);
  const content = isObject(body['content']) ? body['content'] : {};
  const types = Object.keys(content);
  const contentType =
    types.find((type) => /^application\/json\b/i.test(type)) ??
    types.find((type) => /\+json\b/i.test(type)) ??
    types.find((type) => type === '*/*') ??
    types.find((type) => type === 'application/x-www-form-urlencoded') ??
    types.find((type) => /^text\/plain\b/i.test(type));
  const unsendable =
    method === 'GET' || method === 'HEAD'
      ? `its body cannot be sent with ${method}`
      : contentType === undefined && types.length > 0
        ? `its body can only be sent as ${types.join(' or ')}, which this router does not write`
        : undefined;
  if (unsendable && body['required'] === true) throw new Error(unsendable);
  if (unsendable) notes.push(`${method} ${path}: ${unsendable} and is left out`);
  if (unsendable || contentType === undefined) return null;
  const media = content[contentType];
  return {
    schema: schemas.convert(isObject(media) ? media['schema'] : {}),
    required: body['required'] === true,
    contentType: contentType === '*/*' ? 'application/json' : contentType,
  };
}

/** Property of the answer that holds the items; null = the answer is the array; undefined = no list. */
function listOf(document: ApiDocument, method: string, path: string, operation: JsonObject): string | null | undefined {
  const stated = operation['x-svc-list'];
  if (isObject(stated)) return typeof stated['property'] === 'string' ? stated['property'] : null;
  if (method === 'GET' ? path.endsWith('}') : method !== 'POST') return undefined;
  const responses = isObject(operation['responses']) ? operation['responses'] : {};
  const status = Object.keys(responses).find((code) => /^2(\d\d|XX)$/.test(code));
  if (status === undefined) return undefined;
  const content = resolveRef(document, responses[status])['content'];
  const media = isObject(content) ? Object.entries(content).find(([type]) => /json/i.test(type))?.[1] : undefined;
  if (!isObject(media)) return undefined;
  const schema = resolveRef(document, media['schema']);
  if (schema['type'] === 'array') return null;
  if (method === 'POST') return undefined;
  const arrays = Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
    .filter(([, part]) => resolveRef(document, part)['type'] === 'array')
    .map(([name]) => name);
  return LIST_NAMES.find((name) => arrays.includes(name)) ?? (arrays.length === 1 ? arrays[0] : undefined);
}

function defaultLimit(operation: JsonObject): { limit?: number } {
  const stated = operation['x-svc-list'];
  return isObject(stated) && typeof stated['default'] === 'number' ? { limit: stated['default'] } : {};
}

function backendOf(platform: PlatformDefinition, documentId: string): string {
  const prefix = Object.keys(platform.backends).find((start) => documentId.startsWith(start));
  return prefix === undefined ? platform.id : (platform.backends[prefix] as string);
}

const pointerOf = (path: string, method: string) =>
  `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
