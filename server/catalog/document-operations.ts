/** One OpenAPI document → its operations as tools, each checked on its own: a bad one is set aside, the rest stay. */
import type { Capability } from '../access/access-policy.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { type Classifiable, classify, rank, readEscalation } from './classify.ts';
import { describe, paramNames } from './describe.ts';
import { uncheckedPatterns } from './document-pattern.ts';
import { answeredWords, askedWords } from './field-words.ts';
import { readListLayout } from './list-layout.ts';
import { operationDigest } from './operation-digest.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';
import { readPreviewReads, type StatedPreviewRead } from './preview-reads.ts';
import { checkServer, checkTemplate, queryChoices, readBody, readParameters } from './request-parts.ts';
import { RequestSchemas } from './request-schema.ts';
import type { BuiltTool, JsonSchema, Tool } from './tool.ts';
import { fitSchema, schemaProblem } from './tool-schema.ts';

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

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
  previewReads: StatedPreviewRead[];
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
  /** What came of the operator's word that an operation is milder than it looks, by `METHOD /path`. */
  lowered: Lowered[];
}

export interface Lowered {
  operation: string;
  capability: Capability;
  /** Why it does not count; undefined where it does. */
  lapsed?: string;
}

export function readOperations(platform: PlatformDefinition, document: ApiDocument): ReadOperations {
  const result: ReadOperations = { drafts: [], quarantined: [], notes: [], overridesUsed: [], lowered: [] };
  for (const [path, rawItem] of Object.entries(document.content['paths'] as JsonObject)) {
    const item = resolveRef(document, rawItem);
    for (const lower of METHODS) {
      const operation = item[lower];
      if (!isObject(operation)) continue;
      const key = `${lower.toUpperCase()} ${path}`;
      const override = Object.hasOwn(platform.overrides, key) ? platform.overrides[key] : undefined;
      if (override) result.overridesUsed.push(key);
      if (Array.isArray(operation['x-svc-audience']) && operation['x-svc-audience'].every((who) => who === 'internal'))
        continue;
      try {
        const { draft, notes, lowered } = readOperation(platform, document, {
          method: lower.toUpperCase(),
          path,
          item,
          operation,
          override,
        });
        result.drafts.push(draft);
        if (lowered) result.lowered.push(lowered);
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
): { draft: Draft; notes: string[]; lowered: Lowered | undefined } {
  const { method, path, item, operation } = source;
  checkServer(document, item, operation);
  const notes: string[] = [];
  const operationId = textOf(operation['operationId']) || null;
  const schemas = new RequestSchemas(document);
  const properties: Record<string, JsonSchema | boolean> = {};
  const aside: string[] = [];
  const parameters = readParameters(platform, document, item, operation, schemas, properties, aside);
  const pointer = pointerOf(path, method.toLowerCase());
  notes.push(...aside.map((note) => `${method} ${path} (${pointer}): ${note}`));
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
  // Those of the shipped documents are compared with the engine by a test.
  if (platform.kind === 'user')
    for (const { pattern, pointer } of uncheckedPatterns(schema))
      notes.push(
        `${method} ${path}: the pattern ${JSON.stringify(pattern.slice(0, 80))} at ${pointer} is left to the platform: write it without look-around, back-references and repetitions above 1,000 to have it checked`,
      );
  const fields = body ? schemas.properties(body.schema) : [];
  const { classified, lowered } = classOf(platform, document, source);
  const { line, description } = describe({
    method,
    path,
    summary: textOf(operation['summary']),
    description: textOf(operation['description']),
  });
  const resource = isObject(operation['x-svc-resource']) ? operation['x-svc-resource'] : undefined;
  const list = readListLayout(document, method, path, operation);
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
    ...readEscalation(operation['x-svc-escalates']),
    line,
    description,
    params: paramNames(parameters, body ? { required: body.required, fields } : null),
    parameters,
    body: body ? { required: body.required, contentType: body.contentType } : null,
    secrets: [...schemas.secrets].sort(),
    ...(list === undefined ? {} : { list }),
    ...innerOutcomeOf(operation['x-svc-outcome']),
    ...(method === 'PUT' && creates(operation) ? { creates: true as const } : {}),
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
  const sayings = textsOf(operation['x-svc-sayings']);
  const text = {
    kind: textOf(operation['x-svc-kind']),
    aliases: textsOf(operation['x-svc-aliases']),
    questions: textsOf(operation['x-svc-questions']),
    sayings,
    distinguish: textOf(operation['x-svc-distinguish']),
    fields: [...parameters.map((p) => p.name), ...fields.map((f) => f.name)],
    details: sayings.length > 0 ? [] : [...askedWords(schema), ...answeredWords(document, operation)],
    scope: textOf(operation['x-svc-scope']),
    tag: textsOf(operation['tags']).join(' '),
  };
  return {
    draft: {
      method,
      path,
      operationId,
      pointer,
      built: { tool, schema, text },
      previewReads: readPreviewReads(operation['x-svc-preview-reads']),
      ...(poll ? { pollOperation: poll } : {}),
      ...(twin ? { twinOf: twin } : {}),
    },
    notes: classified.note === undefined ? notes : [...notes, classified.note],
    lowered,
  };
}

function creates(operation: JsonObject): boolean {
  return operation['x-svc-upsert'] === true || (isObject(operation['responses']) && '201' in operation['responses']);
}

/** The class, and whether an operator's word made it milder. A document of a user is lowered by nothing else. */
function classOf(platform: PlatformDefinition, document: ApiDocument, source: Source) {
  const { method, path, item, operation, override } = source;
  const stated: Classifiable = {
    method,
    path,
    operationId: textOf(operation['operationId']) || null,
    summary: textOf(operation['summary']),
    query: queryChoices(document, item, operation),
    foreign: platform.kind === 'user',
    declared: operation['x-svc-capability'],
  };
  if (override === undefined) return { classified: classify(stated), lowered: undefined };
  if (!stated.foreign) return { classified: classify({ ...stated, override }), lowered: undefined };
  const own = classify(stated);
  if (rank(override.capability) >= rank(own.capability))
    return { classified: classify({ ...stated, override }), lowered: undefined };
  const lapsed = whyLapsed(override, method, () => operationDigest(document, source));
  const lowered: Lowered = { operation: `${method} ${path}`, capability: override.capability };
  if (lapsed === undefined)
    return { classified: classify({ ...stated, override: { ...override, operator: true } }), lowered };
  const note = `${method} ${path}: the platform file calls it ${override.capability}, ${lapsed}: treated as ${own.capability}; look at the operation, then add the document again with --read-operation`;
  const notes = own.note === undefined ? note : `${own.note}; ${note}`;
  return { classified: { ...own, note: notes }, lowered: { ...lowered, lapsed } };
}

function whyLapsed(
  { operation_digest }: NonNullable<Source['override']>,
  method: string,
  digestNow: () => string,
): string | undefined {
  if (method === 'DELETE') return 'but a DELETE is never lowered';
  if (operation_digest === undefined) return 'but not for which operation_digest';
  return operation_digest === digestNow() ? undefined : 'but the operation changed since';
}

function innerOutcomeOf(stated: unknown): Pick<Tool, 'innerOutcome'> {
  if (!isObject(stated) || stated['ok'] === undefined) return {};
  return { innerOutcome: { status: textOf(stated['status']), ok: stated['ok'], message: textOf(stated['message']) } };
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
