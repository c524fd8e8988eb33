/**
 * Swagger 2.0 → OpenAPI 3. What the converter loses is put where it keeps it: a body or form parameter that is shared by reference or by a
 * path, the `collectionFormat` of lists, and that a form is required. What it takes literally is written so that it is right, and what it
 * would refuse the whole document for is taken out.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { COLLECTION_FORMAT } from '../catalog/parameter-style.ts';
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';

const SHARED = '#/parameters/';

/** Changes the document, and returns another one. */
export async function upgradedSwagger2(document: JsonObject): Promise<JsonObject> {
  prepare(document);
  const keyOf = ({ path, method }: { path: string; method: string }) => `${method} ${path}`;
  const forms = operationsOf(document).filter(({ operation }) => parametersOf(operation).some(isRequiredField));
  const required = new Set(forms.map(keyOf));
  // Loaded only for those who need it.
  const { upgradeFromTwoToThree } = await import('@scalar/openapi-upgrader/2.0-to-3.0');
  const upgraded = upgradeFromTwoToThree(document) as JsonObject;
  for (const one of operationsOf(upgraded)) {
    const body = one.operation['requestBody'];
    if (isObject(body) && required.has(keyOf(one))) body['required'] = true;
  }
  return upgraded;
}

function prepare(document: JsonObject): void {
  const { basePath, host } = document;
  // Without the slash it would be a part of the host's name.
  if (typeof basePath === 'string' && !basePath.startsWith('/') && (host !== undefined || !/^[a-z]+:/i.test(basePath)))
    document['basePath'] = `/${basePath}`;
  stateMediaTypes(document);
  takeOutMalformed(document);
  const shared = isObject(document['parameters']) ? document['parameters'] : {};
  for (const parameter of Object.values(shared)) markList(parameter);
  const ofItems = new Map(itemsOf(document).map(([path, item]) => [path, bodyParametersOut(item, shared)]));
  for (const { path, operation } of operationsOf(document)) {
    giveBody(operation, ofItems.get(path) ?? [], shared);
    stateMediaTypes(operation);
    stateFormType(operation, document);
  }
}

/** YAML makes nothing of what was left empty: a response that only has a status, a list of parameters. */
function takeOutMalformed(document: JsonObject): void {
  const { parameters, securityDefinitions } = document;
  for (const parameter of objectsOf(parameters)) statePlace(parameter);
  takeOut(securityDefinitions, (scheme) => !isObject(scheme));
  for (const [, item] of itemsOf(document)) {
    takeOut(item, (value) => value === null);
    takeOutParameters(item);
  }
  for (const { operation } of operationsOf(document)) {
    takeOutParameters(operation);
    const { responses } = operation;
    if (!isObject(responses)) delete operation['responses'];
    else
      operation['responses'] = Object.fromEntries(
        Object.entries(responses).map(([status, one]) => [status, one ?? {}]),
      );
  }
}

const objectsOf = (holder: unknown): JsonObject[] => Object.values((holder ?? {}) as object).filter(isObject);

function takeOut(map: unknown, isOut: (value: unknown) => boolean): void {
  if (isObject(map)) for (const [name, value] of Object.entries(map)) if (isOut(value)) delete map[name];
}

function takeOutParameters(holder: JsonObject): void {
  if (holder['parameters'] === undefined) return;
  holder['parameters'] = parametersOf(holder).filter(isObject);
  for (const parameter of objectsOf(holder['parameters'])) statePlace(parameter);
}

/** The catalog decides what becomes of an operation with a parameter that is nowhere. */
function statePlace(parameter: JsonObject): void {
  if (typeof parameter['$ref'] !== 'string' && !parameter['in']) parameter['in'] = ' ';
}

/** A form of which no type is stated is one of pairs, unless it holds a file. */
function stateFormType(operation: JsonObject, document: JsonObject): void {
  const parameters = parametersOf(operation).filter(isObject);
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData');
  const types = [operation['consumes'] ?? document['consumes'] ?? []].flat();
  if (fields.length === 0 || parameters.some(({ in: where }) => where === 'body')) return;
  if (types.some((type) => FORM.test(String(type)))) return;
  operation['consumes'] = [fields.some(isFile) ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
}

const isFile = ({ type, format, items }: JsonObject): boolean =>
  type === 'file' || format === 'binary' || (isObject(items) && isFile(items));

const itemsOf = ({ paths }: JsonObject): [path: string, item: JsonObject][] =>
  Object.entries(isObject(paths) ? paths : {}).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));

const operationsOf = (document: JsonObject) =>
  itemsOf(document).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return isObject(operation) ? [{ path, method, operation }] : [];
    }),
  );

/** An empty list takes the types of the whole document back, and leaves the usual one; a form has no other names for its types. */
function stateMediaTypes(holder: JsonObject): void {
  for (const keyword of ['consumes', 'produces']) {
    if (holder[keyword] === undefined) continue;
    const types = [holder[keyword]].flat().filter((type) => typeof type === 'string');
    holder[keyword] =
      types.length === 0 ? ['application/json'] : types.map((type) => FORM.exec(type)?.[0].toLowerCase() ?? type);
  }
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

const isRequiredField = (parameter: unknown): boolean =>
  isObject(parameter) && parameter['in'] === 'formData' && parameter['required'] === true;

const parametersOf = ({ parameters }: JsonObject): unknown[] => (Array.isArray(parameters) ? parameters : []);

const isBody = (parameter: unknown): parameter is JsonObject =>
  isObject(parameter) && (parameter['in'] === 'body' || parameter['in'] === 'formData');

/** The shared parameter itself where it is a body, because OpenAPI 3 has no reference from a parameter to a body. */
function inlined(parameter: unknown, shared: JsonObject): unknown {
  const reference = isObject(parameter) ? parameter['$ref'] : undefined;
  if (typeof reference !== 'string' || !reference.startsWith(SHARED)) return parameter;
  const found = valueAt({ parameters: shared }, reference);
  return isBody(found) ? structuredClone(found) : parameter;
}

/** Takes the body parameters out of a path, for each of its operations to get. */
function bodyParametersOut(item: JsonObject, shared: JsonObject): JsonObject[] {
  const parameters = parametersOf(item).map((parameter) => inlined(parameter, shared));
  for (const parameter of parameters) markList(parameter);
  if (parameters.length > 0) item['parameters'] = parameters.filter((parameter) => !isBody(parameter));
  return parameters.filter(isBody);
}

/** An operation's own body replaces that of its path, a field of its form the one with the same name. */
function giveBody(operation: JsonObject, ofItem: readonly JsonObject[], shared: JsonObject): void {
  const own = parametersOf(operation).map((parameter) => inlined(parameter, shared));
  const bodies = own.filter(isBody);
  const added = ofItem.filter(
    (one) => !bodies.some(({ in: where, name }) => where === 'body' || one['in'] === 'body' || name === one['name']),
  );
  const parameters = [...own, ...added.map((parameter) => structuredClone(parameter))];
  for (const parameter of parameters) markList(parameter);
  if (parameters.length > 0) operation['parameters'] = parameters;
}

/** Without a format a list is `csv`, also in a form (Swagger 2.0, Parameter Object). */
function markList(parameter: unknown): void {
  if (!isObject(parameter) || parameter['type'] !== 'array' || parameter['in'] === 'body') return;
  const format = parameter['collectionFormat'];
  parameter[COLLECTION_FORMAT] = typeof format === 'string' ? format : 'csv';
}
