/** One OpenAPI document → its operations as tools, each checked on its own: a bad one is set aside, the rest stay. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { answerSecrets } from './answer-secrets.ts';
import type { Classified } from './classify.ts';
import { customaryPaging } from './customary-paging.ts';
import { redirectsOf, successNote } from './declared-success.ts';
import { describe, paramNames, type StatedTexts } from './describe.ts';
import { distinctLines } from './distinct-lines.ts';
import { uncheckedPatterns } from './document-pattern.ts';
import { bodyMayBeEmpty } from './empty-body.ts';
import { escalationByWord, readEscalation } from './escalation.ts';
import { answeredWords, askedWords } from './field-words.ts';
import { readListLayout } from './list-layout.ts';
import { classOf, type Lowered } from './operation-class.ts';
import { readSecurity } from './operation-security.ts';
import { type OperationSource, sourcesOf, unsupportedIn } from './operation-source.ts';
import { type ApiDocument, isObject, type JsonObject, pointerPart, textOf } from './platform-document.ts';
import { readPreviewReads, type StatedPreviewRead } from './preview-reads.ts';
import { checkServer, checkTemplate, readBody, readParameters } from './request-parts.ts';
import { type Property, RequestSchemas } from './request-schema.ts';
import { successesOf } from './success-responses.ts';
import type { BuiltTool, JsonSchema, Tool, ToolBody, ToolParameter } from './tool.ts';
import { fitSchema, PROPERTY_NAME_LIMIT, schemaProblem, withoutLongNames } from './tool-schema.ts';

/** An operation before it has a name, and what links it to others. */
export interface Draft {
  method: string;
  /** As the document has it; the tool has the address that its calls go to. */
  path: string;
  operationId: string | null;
  /** JSON pointer to the operation in its document. */
  pointer: string;
  built: BuiltTool;
  stated: StatedTexts;
  pollOperation?: string;
  replacedBy?: string;
  /** A change waits until the operation that `commits` puts it into effect. */
  stage?: 'waits' | 'commits';
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
  /** Result of the operator's statements that an operation is less dangerous than it seems, by `METHOD /path`. */
  lowered: Lowered[];
}

export function readOperations(platform: PlatformDefinition, document: ApiDocument): ReadOperations {
  const result: ReadOperations = { drafts: [], quarantined: [], notes: [], overridesUsed: [], lowered: [] };
  for (const { method, path, reason } of unsupportedIn(document))
    result.quarantined.push({
      platform: platform.id,
      document: document.id,
      operation: `${method} ${path}`,
      pointer: pointerOf(path, method.toLowerCase()),
      reason,
    });
  for (const source of sourcesOf(platform, document)) {
    const { method, path, operation, override } = source;
    const key = `${method} ${path}`;
    if (override) result.overridesUsed.push(key);
    if (isInternal(operation)) continue;
    try {
      const { draft, notes, lowered } = readOperation(platform, document, source);
      result.drafts.push(draft);
      if (lowered) result.lowered.push(lowered);
      result.notes.push(...notes.map((note) => `${platform.id}/${document.id}: ${note}`));
    } catch (error) {
      result.quarantined.push({
        platform: platform.id,
        document: document.id,
        operation: key,
        pointer: pointerOf(path, method.toLowerCase()),
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  if (platform.kind === 'user') stateDistinctLines(result.drafts);
  return result;
}

/** A hit shows one line: where a document says the same of several operations, agents cannot choose between them. */
function stateDistinctLines(drafts: readonly Draft[]): void {
  const lines = distinctLines(drafts.map(({ stated, operationId }) => ({ ...stated, operationId })));
  for (const [at, { built }] of drafts.entries()) built.tool.line = lines[at] ?? built.tool.line;
}

const isInternal = ({ 'x-svc-audience': audience }: JsonObject) =>
  Array.isArray(audience) && audience.every((who) => who === 'internal');

function readOperation(
  platform: PlatformDefinition,
  document: ApiDocument,
  source: OperationSource,
): { draft: Draft; notes: string[]; lowered: Lowered | undefined } {
  const { method, path, item, operation } = source;
  checkServer(document, item, operation);
  const request = readRequest(platform, document, source);
  const security = readSecurity(platform, document, operation, request.notes);
  const { classified, lowered } = classOf(platform, document, source);
  const stated = {
    method,
    path,
    summary: textOf(operation['summary']),
    description: withStatedName(textOf(operation['description']), textOf(operation['operationId'])),
  };
  const tool = {
    ...toolOf(platform, document, source, request, classified, describe(stated)),
    ...(security ? { security } : {}),
  };
  const text = indexedTextOf(document, operation, request);
  return {
    draft: {
      method,
      path,
      operationId: tool.operationId,
      pointer: pointerOf(path, method.toLowerCase()),
      stated,
      built: { tool, schema: request.schema, text },
      previewReads: readPreviewReads(operation['x-svc-preview-reads']),
      ...linkedOperations(operation),
      ...stageOf(operation),
    },
    notes: [...request.notes, classified.note, successNote(source, tool)].filter((note) => note !== undefined),
    lowered,
  };
}

/** A name in another script is transliterated for the tool's name, so the original stands in the description. */
const withStatedName = (description: string, operationId: string) =>
  /^\p{ASCII}*$/u.test(operationId) ? description : `${description}\n\nIts document calls it ${operationId}.`.trim();

/** What a caller gives an operation, and the schema that checks it. */
interface RequestDescription {
  parameters: ToolParameter[];
  body: ReturnType<typeof readBody>;
  schema: JsonSchema;
  /** Top-level fields of the body. */
  fields: Property[];
  /** Names of fields that hold a secret. */
  secrets: string[];
  notes: string[];
}

function readRequest(platform: PlatformDefinition, document: ApiDocument, source: OperationSource): RequestDescription {
  const { method, path, address, item, operation } = source;
  const schemas = new RequestSchemas(document);
  const properties: Record<string, JsonSchema | boolean> = {};
  const aside: string[] = [];
  const parameters = readParameters(platform, document, item, operation, schemas, properties, aside);
  const pointer = pointerOf(path, method.toLowerCase());
  const notes = aside.map((note) => `${method} ${path} (${pointer}): ${note}`);
  checkTemplate(address, parameters);
  const body = readBody(document, source, schemas, notes);
  if (body) properties['body'] = body.schema;
  const required = [
    ...parameters.filter((p) => p.required).map((p) => p.argument),
    ...(body?.required && !bodyMayBeEmpty(method, body.schema, schemas.definitions) ? ['body'] : []),
  ];
  const schema: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(Object.keys(schemas.definitions).length > 0 ? { $defs: schemas.definitions } : {}),
  };
  checkSchema(platform, source, schema, notes);
  const fields = body ? schemas.properties(body.schema) : [];
  return { parameters, body, schema, fields, secrets: [...schemas.secrets].sort(), notes };
}

/** Cuts a schema that is too long, in place, and refuses one that strict clients do not take. */
function checkSchema(
  platform: PlatformDefinition,
  { method, path }: OperationSource,
  schema: JsonSchema,
  notes: string[],
) {
  for (const name of withoutLongNames(schema))
    notes.push(
      `${method} ${path}: its field ${name.slice(0, 80)} is left out: its name has more than ${PROPERTY_NAME_LIMIT} characters`,
    );
  const cut = fitSchema(schema);
  if (cut) notes.push(`${method} ${path}: its schema was too long: ${cut}`);
  const problem = schemaProblem(schema);
  if (problem) throw new Error(problem);
  // Those of the shipped documents are compared with the engine by a test.
  if (platform.kind !== 'user') return;
  for (const { pattern, pointer } of uncheckedPatterns(schema))
    notes.push(
      `${method} ${path}: the pattern ${JSON.stringify(pattern.slice(0, 80))} at ${pointer} is left to the platform: write it without look-around, back-references and repetitions above 1,000 to have it checked`,
    );
}

function toolOf(
  platform: PlatformDefinition,
  document: ApiDocument,
  source: OperationSource,
  { parameters, body, schema, fields, secrets }: RequestDescription,
  classified: Classified,
  { line, description }: ReturnType<typeof describe>,
): Tool {
  const { method, path, address, operation } = source;
  const list = readListLayout(document, source);
  const paging = operation['x-svc-list'] === undefined ? customaryPaging(parameters, schema) : {};
  return {
    name: '',
    platform: platform.id,
    backend: backendOf(platform, document.id),
    document: document.id,
    operationId: textOf(operation['operationId']) || null,
    method,
    path: address,
    ...(path === address ? {} : { statedPath: path }),
    capability: classified.capability,
    evidence: classified.evidence,
    ...(platform.kind === 'user' ? escalationByWord(source, classified.capability, { parameters, schema }) : {}),
    ...readEscalation(operation['x-svc-escalates']),
    line,
    description,
    params: paramNames(parameters, body ? { required: body.required, fields } : null),
    parameters,
    body: body ? bodyOf(body) : null,
    secrets,
    ...secretsIn(document, operation),
    ...(list === undefined ? {} : { list: { ...list, ...paging } }),
    ...innerOutcomeOf(operation['x-svc-outcome']),
    ...(platform.kind === 'user' ? acceptOf(document, operation) : {}),
    ...redirectsOf(source, classified.capability),
    ...(method === 'PUT' && creates(operation) ? { creates: true as const } : {}),
    ...resourceOf(operation['x-svc-resource']),
    deprecated: operation['deprecated'] === true,
  };
}

function secretsIn(document: ApiDocument, operation: JsonObject): Pick<Tool, 'answerSecrets'> {
  const names = answerSecrets(document, operation);
  return names.length > 0 ? { answerSecrets: names } : {};
}

const bodyOf = ({ schema: _, ...body }: NonNullable<RequestDescription['body']>): ToolBody => body;

function resourceOf(stated: unknown): Pick<Tool, 'resource'> {
  if (!isObject(stated)) return {};
  return {
    resource: {
      name: textOf(stated['name']),
      noun: textOf(stated['noun']),
      plural: textOf(stated['plural']),
      key: textOf(stated['key']) || null,
    },
  };
}

/** What discovery finds the tool by, beside its name and its first sentence. */
function indexedTextOf(
  document: ApiDocument,
  operation: JsonObject,
  { parameters, fields, schema }: RequestDescription,
): BuiltTool['text'] {
  const distinguish = textOf(operation['x-svc-distinguish']);
  return {
    kind: textOf(operation['x-svc-kind']),
    aliases: textsOf(operation['x-svc-aliases']),
    questions: textsOf(operation['x-svc-questions']),
    distinguish,
    fields: [...parameters.map((p) => p.name), ...fields.map((f) => f.name)],
    details: distinguish === '' ? [...askedWords(schema), ...answeredWords(document, operation)] : [],
    scope: textOf(operation['x-svc-scope']),
    tag: textsOf(operation['tags']).join(' '),
  };
}

/** The operations it names: where its end is read, and the form that replaces it. */
function linkedOperations(operation: JsonObject): Pick<Draft, 'pollOperation' | 'replacedBy'> {
  const poll = isObject(operation['x-svc-async']) ? textOf(operation['x-svc-async']['poll']) : '';
  const twin = isObject(operation['x-svc-twin']) ? textOf(operation['x-svc-twin']['of']) : '';
  return { ...(poll ? { pollOperation: poll } : {}), ...(twin ? { replacedBy: twin } : {}) };
}

/** By `x-svc-resource.staged`, and by `x-svc-derive.stage` of the one operation that commits. */
function stageOf({ 'x-svc-resource': resource, 'x-svc-derive': derive }: JsonObject): Pick<Draft, 'stage'> {
  if (isObject(derive) && derive['stage'] === 'commit') return { stage: 'commits' };
  return isObject(resource) && resource['staged'] === true ? { stage: 'waits' } : {};
}

function creates(operation: JsonObject): boolean {
  return operation['x-svc-upsert'] === true || (isObject(operation['responses']) && '201' in operation['responses']);
}

/**
 * The media types of its successes, those of JSON alone where there are some, and none where `application/json` is one: a strict server
 * answers 406 to a call that wants another one (RFC 9110, 15.5.7), also to one that wants JSON in place of `application/yang-data+json`.
 */
function acceptOf(document: ApiDocument, operation: JsonObject): Pick<Tool, 'accept'> {
  const types = successesOf(document, operation)
    .flatMap(({ content }) => Object.keys(isObject(content) ? content : {}))
    .filter((type) => /^[\w.+*-]+\/[\w.+*-]+(;[\w =".+-]*)?$/.test(type));
  const wanted = [...new Set(types)].slice(0, 8);
  if (wanted.length === 0 || wanted.some((type) => PLAIN_JSON.test(type))) return {};
  const json = wanted.filter((type) => /json/i.test(type));
  return { accept: (json.length > 0 ? json : wanted).join(', ') };
}

/** JSON as such, and what it is one of. */
const PLAIN_JSON = /^(?:\*\/\*|application\/(?:\*|json|\*\+json))\s*(?:;|$)/i;

function innerOutcomeOf(stated: unknown): Pick<Tool, 'innerOutcome'> {
  if (!isObject(stated) || stated['ok'] === undefined) return {};
  return { innerOutcome: { status: textOf(stated['status']), ok: stated['ok'], message: textOf(stated['message']) } };
}

function backendOf(platform: PlatformDefinition, documentId: string): string {
  const prefix = Object.keys(platform.backends).find((start) => documentId.startsWith(start));
  return prefix === undefined ? platform.id : (platform.backends[prefix] as string);
}

const pointerOf = (path: string, method: string) => `/paths/${pointerPart(path)}/${method}`;

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
