/**
 * The counting rule behind every published figure of documents: an endpoint is one path with one of five methods, a
 * schema one entry of `components.schemas` (Swagger 2.0: `definitions`), a field every named property met while walking
 * properties, items and compositions of each component, at most twelve levels deep and never through a `$ref`. So what is
 * shared counts once and what is copied counts each time.
 */
import { type ApiDocument, isObject, type JsonObject } from '../catalog/platform-document.ts';

export interface DocumentCount {
  endpoints: number;
  schemas: number;
  fields: number;
}

export const ENDPOINT_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const DEPTH_LIMIT = 12;

export interface Field {
  /** Names from the component down: `radsec.ca-certificate`. */
  path: string;
  schema: JsonObject;
  required: boolean;
}

export function countDocument({ content }: Pick<ApiDocument, 'content'>): DocumentCount {
  const paths = isObject(content['paths']) ? Object.values(content['paths']) : [];
  const schemas = Object.values(componentSchemas(content));
  return {
    endpoints: paths.reduce<number>(
      (sum, item) => sum + (isObject(item) ? ENDPOINT_METHODS.filter((method) => isObject(item[method])).length : 0),
      0,
    ),
    schemas: schemas.length,
    fields: schemas.reduce<number>((sum, schema) => sum + fieldsOf(schema).length, 0),
  };
}

export function componentSchemas(content: JsonObject): JsonObject {
  const components = isObject(content['components']) ? content['components']['schemas'] : undefined;
  const found = components ?? content['definitions'];
  return isObject(found) ? found : {};
}

/** Every named property below a schema, by the rule above. */
export function fieldsOf(schema: unknown): Field[] {
  const found: Field[] = [];
  addFields(found, schema, '', 0);
  return found;
}

function addFields(found: Field[], schema: unknown, prefix: string, depth: number): void {
  if (!isObject(schema) || '$ref' in schema || depth > DEPTH_LIMIT) return;
  const { properties, items } = schema;
  if (isObject(properties)) addOwnFields(found, schema, properties, prefix, depth);
  addFields(found, items, prefix, depth + 1);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) for (const part of parts) addFields(found, part, prefix, depth + 1);
  }
}

function addOwnFields(found: Field[], schema: JsonObject, properties: JsonObject, prefix: string, depth: number): void {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  for (const [name, part] of Object.entries(properties)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    found.push({ path, schema: isObject(part) ? part : {}, required: required.has(name) });
    addFields(found, part, path, depth + 1);
  }
}
