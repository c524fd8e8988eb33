/** Parts of the request of one operation: parameters and body under the caller's argument names, and the server URL. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { overridesRequest } from './method-override.ts';
import { isCredential } from './operation-security.ts';
import { fieldEncodings, styleOf } from './parameter-style.ts';
import { pathProblem } from './path-template.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef, scalarText } from './platform-document.ts';
import type { RequestSchemas } from './request-schema.ts';
import type { JsonSchema, ToolBody, ToolParameter } from './tool.ts';
import { portableName } from './tool-schema.ts';
import { BYTES, holdsBinary, isBinaryValue, multipartBody, wholeFileBody } from './upload-body.ts';
import type { Choice } from './verbs.ts';
import { wholeSchema } from './whole-schema.ts';

/**
 * Headers that the client of the platform sets by itself; a caller has no business with them. The second line frames a message or is
 * for one connection (RFC 9110, 7.6.1; RFC 9112, 6), and the third is what the runtime writes over.
 */
const OWN_HEADERS = new Set(
  [
    'authorization cookie accept content-type user-agent x-auth-token',
    'content-length transfer-encoding trailer te expect host connection keep-alive proxy-connection upgrade',
    'sec-fetch-mode',
  ].flatMap((names) => names.split(' ')),
);
export const CONTROL_ARGUMENTS = ['dry_run', 'confirm', 'plan_token', 'confirm_object'] as const;
const RESERVED = new Set<string>(['body', ...CONTROL_ARGUMENTS]);

export function readParameters(
  platform: PlatformDefinition,
  document: ApiDocument,
  item: JsonObject,
  operation: JsonObject,
  schemas: RequestSchemas,
  properties: Record<string, JsonSchema | boolean>,
  notes: string[],
): ToolParameter[] {
  const found: ToolParameter[] = [];
  for (const parameter of mergedParameters(document, item, operation)) {
    const name = text(parameter['name']);
    const where = parameter['in'];
    if (name === '') continue;
    if (!isPlace(where)) {
      notes.push(nowhere(parameter, name));
      continue;
    }
    checkCookie(where, name);
    checkNeededHeader(parameter, name);
    const aside = setAside(where, name);
    if (aside !== undefined) {
      notes.push(aside);
      continue;
    }
    if (isSentByRouter(platform, where, name)) continue;
    const argument = argumentName(name, properties);
    const media = isObject(parameter['content']) ? Object.values(parameter['content']).find(isObject) : undefined;
    const converted = schemas.convert((media ?? parameter)['schema']);
    properties[argument] = described(converted, text(parameter['description']));
    found.push({
      argument,
      name,
      in: where,
      required: where === 'path' || parameter['required'] === true,
      ...styleOf(parameter, where, media !== undefined),
    });
  }
  return found;
}

/** Why a parameter is never sent, for who adds the document. */
function setAside(where: ToolParameter['in'], name: string): string | undefined {
  if (where === 'header' && !TOKEN.test(name))
    return `the header parameter ${JSON.stringify(name)} has a name that no header can have: set aside and never sent`;
  if (where === 'path' || !overridesRequest(name)) return undefined;
  return `the ${where} parameter ${JSON.stringify(name)} would make the request another one: set aside and never sent; call the operation of that method instead`;
}

/** A parameter of the operation replaces the one of the path with the same place and name. */
function mergedParameters(document: ApiDocument, item: JsonObject, operation: JsonObject): Iterable<JsonObject> {
  const merged = new Map<string, JsonObject>();
  for (const parameter of statedParameters(document, item, operation))
    merged.set(`${text(parameter['in'])} ${text(parameter['name'])}`, parameter);
  return merged.values();
}

function argumentName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let argument = portableName(name);
  while (RESERVED.has(argument) || argument in taken) argument += '_';
  return argument;
}

const isPlace = (where: unknown): where is ToolParameter['in'] =>
  where === 'path' || where === 'query' || where === 'header' || where === 'cookie';

/** What to say of a parameter that cannot be sent. One that is needed takes its operation with it. */
function nowhere({ in: where, required }: JsonObject, name: string): string {
  const place = JSON.stringify(scalarText(where).trim().slice(0, 40));
  const about = `parameter ${JSON.stringify(name.slice(0, 60))} is in ${place}, which this router does not send`;
  if (required === true) throw new Error(`its required ${about}`);
  return `the ${about}: set aside`;
}

/** A header that the document asks for and that no caller may set takes its operation with it: a call without it is half a call. */
function checkNeededHeader({ in: where, required }: JsonObject, name: string): void {
  if (where !== 'header' || required !== true) return;
  if (/^cookie2?$/i.test(name) || !TOKEN.test(name))
    throw new Error(`its required header ${JSON.stringify(name.slice(0, 60))} is one that this router never sends`);
}

/** What names a header or a cookie (RFC 9110, 5.6.2). */
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** A name that would end the cookie or begin another one cannot be sent (RFC 6265, 4.1.1). */
function checkCookie(where: ToolParameter['in'], name: string): void {
  if (where === 'cookie' && !TOKEN.test(name))
    throw new Error(`its cookie ${JSON.stringify(name.slice(0, 60))} has a name that no cookie can have`);
}

const isSentByRouter = (platform: PlatformDefinition, where: string, name: string): boolean =>
  (where === 'header' && isOwnHeader(platform, name.toLowerCase())) || isCredential(platform, where, name);

/** A login of a session brings its CSRF token; elsewhere it is the caller's. */
const isOwnHeader = ({ auth }: PlatformDefinition, name: string): boolean =>
  OWN_HEADERS.has(name) || (name === 'x-csrf-token' && auth.strategy === 'session');

/** The schema's own description wins over that of the parameter. */
function described(schema: JsonSchema | boolean, description: string): JsonSchema | boolean {
  return typeof schema === 'object' && description && !schema['description'] ? { ...schema, description } : schema;
}

function statedParameters(document: ApiDocument, item: JsonObject, operation: JsonObject): JsonObject[] {
  return [item['parameters'], operation['parameters']]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((raw) => resolveRef(document, raw));
}

/** Parameters of path and query with the values that their schemas list. */
export function choicesOf(document: ApiDocument, item: JsonObject, operation: JsonObject): Choice[] {
  return statedParameters(document, item, operation).flatMap((parameter) => {
    const where = parameter['in'];
    if (where !== 'path' && where !== 'query') return [];
    const { enum: list, const: only, default: usual } = resolveRef(document, parameter['schema']);
    const values = [...(Array.isArray(list) ? list : []), only, usual].filter((value) => typeof value === 'string');
    const required = where === 'path' || parameter['required'] === true;
    return [{ name: text(parameter['name']), in: where, required, values }];
  });
}

/** Calls of a platform go to one base URL; sending its credentials wherever an operation points would give them away. */
export function checkServer(document: ApiDocument, item: JsonObject, operation: JsonObject): void {
  const own = operation['servers'] ?? item['servers'];
  if (!Array.isArray(own) || own.length === 0) return;
  const stated = document.content['servers'];
  const common = Array.isArray(stated) ? stated : [];
  if (serverUrl(own[0]) === serverUrl(common[0])) return;
  throw new Error(
    `is served from ${serverUrl(own[0])}, not from the document's ${serverUrl(common[0])}: add the document once more, as a platform of its own, with --server ${serverUrl(own[0])}`,
  );
}

/** URL of a server with its variables at their defaults. */
export function serverUrl(server: unknown): string {
  const { url, variables } = isObject(server) ? server : ({} as JsonObject);
  const named = isObject(variables) ? variables : {};
  return text(url)
    .replace(/\{([^}]+)\}/g, (whole, name: string) => {
      const variable = named[name];
      return isObject(variable) ? scalarText(variable['default'] ?? whole) : whole;
    })
    .replace(/\/+$/, '');
}

export function checkTemplate(path: string, parameters: readonly ToolParameter[]): void {
  const problem = pathProblem(path);
  if (problem) throw new Error(`its path ${problem.what}: ${problem.remedy}`);
  const named = new Set(parameters.filter((p) => p.in === 'path').map((p) => p.name));
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    if (!named.has(name as string)) throw new Error(`\`{${name}}\` in the path has no parameter`);
  }
}

/** The body that is sent: its media type, and the schema of the caller's `body`. */
type SentBody = ToolBody & { schema: JsonSchema | boolean };

export function readBody(
  document: ApiDocument,
  { method, path, operation }: { method: string; path: string; operation: JsonObject },
  schemas: RequestSchemas,
  notes: string[],
): SentBody | null {
  if (operation['requestBody'] === undefined) return null;
  const body = resolveRef(document, operation['requestBody']);
  const content = isObject(body['content']) ? body['content'] : {};
  const chosen = chosenBody(document, method, content);
  if ('unsendable' in chosen) {
    // Without its file an upload would be another call, also where the document does not call the body required.
    if (body['required'] === true || chosen.holdsFile) throw new Error(chosen.unsendable);
    notes.push(`${method} ${path}: ${chosen.unsendable} and is left out`);
  }
  if ('none' in chosen && body['required'] === true) throw new Error('its required body has no media type');
  if (!('stated' in chosen)) return null;
  const { stated, ...rest } = chosen;
  const schema = schemas.convert(stated);
  for (const name of schemas.withoutTopLevel(schema, overridesRequest))
    notes.push(
      `${method} ${path}: the body field ${JSON.stringify(name)} would make the request another one: set aside and never sent; call the operation of that method instead`,
    );
  if (rest.file || (rest.files ?? []).length > 0)
    notes.push(`${method} ${path}: it sends files of the folder that SVC_MCP_UPLOAD_DIR names, and is refused without`);
  return { schema, required: body['required'] === true, ...rest };
}

type Chosen = (Omit<ToolBody, 'required'> & { stated: unknown }) | Unsendable | { none: true };
interface Unsendable {
  unsendable: string;
  holdsFile?: boolean;
}

/** Of the media types that a document offers the one that is sent. */
function chosenBody(document: ApiDocument, method: string, content: JsonObject): Chosen {
  // Another one could not be sent, and its line breaks would look like lines of a question.
  const types = Object.keys(content).filter((type) => /^[\t\x20-\x7e]*$/.test(type));
  if (method === 'GET' || method === 'HEAD') return { unsendable: `its body cannot be sent with ${method}` };
  const schemaOf = (type: string) => (isObject(content[type]) ? content[type]['schema'] : undefined) ?? {};
  const isUpload = (type: string) =>
    (FORM.test(type) && holdsBinary(document, schemaOf(type))) ||
    (ANY_TYPE.test(type) && isBinaryValue(document, schemaOf(type)));
  const pairsAndJson = types.filter((type) => !isUpload(type));
  const meant = pairsAndJson.filter((type) => !JSON_PATCH.test(type) || takesList(document, schemaOf(type)));
  const written = writableType(meant) ?? writableType(pairsAndJson);
  if (written !== undefined) {
    const contentType = written === '' || written.includes('*') ? 'application/json' : written;
    return { contentType, stated: schemaOf(written), ...fieldEncodings(document, content[written]) };
  }
  const offered = uploadedBody(document, types, content, schemaOf) ?? textBody(document, types, schemaOf);
  return offered ?? unsendableOf(document, types, schemaOf);
}

/** A list of steps (RFC 6902). With the schema of an object it is offered beside the merge patch that the schema describes. */
const JSON_PATCH = /^application\/json-patch\+json\b/i;

const takesList = (document: ApiDocument, stated: unknown): boolean => {
  const { type, properties } = wholeSchema(document, stated);
  return type === undefined ? properties === undefined : [type].flat().includes('array');
};

/** A body that a caller writes as text: the schema of a document says what its elements are, and not how they are written. */
function textBody(
  document: ApiDocument,
  types: readonly string[],
  schemaOf: (type: string) => unknown,
): Chosen | undefined {
  const isText = (offered: string) => {
    const { type, format } = resolveRef(document, schemaOf(offered));
    return type === 'string' && format !== 'binary' && !/\*|^multipart\//i.test(offered);
  };
  const offered =
    types.find((one) => AS_TEXT.test(one)) ?? types.find(isText) ?? types.find((one) => ANY_TEXT.test(one));
  if (offered === undefined) return undefined;
  const type = offered.replace(ANY_TEXT, 'text/plain');
  return { contentType: type, stated: { type: 'string', description: `The whole body, as ${type}` } };
}

/** Types that are text: a JSON Web Token (RFC 7519), queries and rows of JSON are among them. */
const AS_TEXT =
  /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:xml|yaml|x-yaml|csv|(?:x-)?(?:ndjson|jsonl|jsonlines)|jwt|jose|sql|graphql|sparql-query|sparql-update|toml|javascript))\s*(?:;|$)/i;
const ANY_TEXT = /^text\/\*/i;

function unsendableOf(
  document: ApiDocument,
  types: readonly string[],
  schemaOf: (type: string) => unknown,
): Unsendable | { none: true } {
  if (types.length === 0) return { none: true };
  const holdsFile = types.some((type) => FILE_TYPE.test(type) || holdsBinary(document, schemaOf(type)));
  return {
    unsendable: `its body can only be sent as ${types.join(' or ')}, which this router does not write`,
    holdsFile,
  };
}

/** A body with files; undefined where no type can hold one. */
function uploadedBody(
  document: ApiDocument,
  types: readonly string[],
  content: JsonObject,
  schemaOf: (type: string) => unknown,
): Chosen | undefined {
  const multipart = types.find((type) => /^multipart\/form-data\b/i.test(type));
  if (multipart !== undefined) {
    const found = multipartBody(document, isObject(content[multipart]) ? content[multipart] : {});
    if ('unsendable' in found) return { ...found, holdsFile: true };
    const { schema: stated, files = [] } = found;
    return { contentType: 'multipart/form-data', stated, files, ...fieldEncodings(document, content[multipart]) };
  }
  for (const type of types.filter((one) => !AS_TEXT.test(one) && (BYTES.test(one) || ANY_TYPE.test(one)))) {
    const found = wholeFileBody(document, schemaOf(type));
    const contentType = ANY_TYPE.test(type) ? 'application/octet-stream' : type;
    if (found) return { contentType, stated: found.schema, file: true };
  }
  return undefined;
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const FILE_TYPE = /^(?:application\/octet-stream|(?:image|audio|video|font|model)\/)/i;

/** Any media type, any of applications, or none where its name was left out. */
const ANY_TYPE = /^(?:(?:\*|application)\/\*)?$/i;

/** The first of these media types that the document offers is the one that is sent. */
const WRITABLE = [
  /^application\/json\b/i,
  /^(?:text|application)\/(?:x-)?json\b/i,
  /\+json\b/i,
  ANY_TYPE,
  FORM,
  /^text\/plain\b/i,
];

function writableType(types: readonly string[]): string | undefined {
  for (const form of WRITABLE) {
    const type = types.find((offered) => form.test(offered));
    if (type !== undefined) return type;
  }
  return undefined;
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
