/**
 * What the converter from Swagger 2.0 to OpenAPI 3 loses, put where it keeps it: a body or form parameter that is shared by
 * reference or by a path, and the `collectionFormat` of lists.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { COLLECTION_FORMAT } from '../catalog/parameter-style.ts';
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';

const SHARED = '#/parameters/';

/** Changes the document in place. */
export function prepareSwagger2(document: JsonObject): void {
  const shared = isObject(document['parameters']) ? document['parameters'] : {};
  for (const parameter of Object.values(shared)) markList(parameter);
  const items = isObject(document['paths']) ? Object.values(document['paths']).filter(isObject) : [];
  for (const item of items) {
    const ofItem = bodyParametersOut(item, shared);
    for (const method of METHODS) {
      const operation = item[method];
      if (isObject(operation)) giveBody(operation, ofItem, shared);
    }
  }
}

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
