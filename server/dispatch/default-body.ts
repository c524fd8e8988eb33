/**
 * A body that a call may leave out although the document requires one: an object whose members are all optional. The platform
 * wants `{}` then, so the call without it means `{}`. A change without a body is a mistake, and a replacement by `{}` would
 * reset the object, so PATCH and PUT keep their body.
 */
import { isObject } from '../catalog/platform-document.ts';
import type { JsonSchema } from '../catalog/tool.ts';

const DEEPEST = 8;

/** The arguments with the empty body that they leave out; the same arguments where there is nothing to add. */
export function withDefaultBody(
  method: string,
  values: Record<string, unknown>,
  schema: JsonSchema,
): Record<string, unknown> {
  return values['body'] === undefined && bodyMayBeEmpty(method, schema) ? { ...values, body: {} } : values;
}

const CHANGES: ReadonlySet<string> = new Set(['PATCH', 'PUT']);

/** Whether the body of a tool is required and a call without it means `{}`, as far as types and required members tell. */
export function bodyMayBeEmpty(method: string, schema: JsonSchema): boolean {
  if (CHANGES.has(method)) return false;
  const required = Array.isArray(schema['required']) && schema['required'].includes('body');
  const body = isObject(schema['properties']) ? schema['properties']['body'] : undefined;
  return required && isObject(body) && takesEmptyObject(body, isObject(schema['$defs']) ? schema['$defs'] : {}, 0);
}

function takesEmptyObject(schema: unknown, definitions: JsonSchema, depth: number): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema) || depth > DEEPEST) return false;
  const inner = (part: unknown) => takesEmptyObject(part, definitions, depth + 1);
  const list = (keyword: string) => (Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : []);
  const reference = schema['$ref'];
  if (typeof reference === 'string' && !inner(definitions[reference.slice('#/$defs/'.length)])) return false;
  if (schema['type'] !== undefined && ![schema['type']].flat().includes('object')) return false;
  if ('enum' in schema || 'const' in schema || 'not' in schema) return false;
  if (list('required').length > 0 || Number(schema['minProperties'] ?? 0) > 0) return false;
  const alternatives = ['anyOf', 'oneOf'].every((keyword) => !(keyword in schema) || list(keyword).some(inner));
  return alternatives && list('allOf').every(inner) && isObjectSchema(schema);
}

/** Says that it is an object, or leaves that to the parts that it refers to. */
const isObjectSchema = (schema: JsonSchema): boolean =>
  schema['type'] !== undefined ||
  ['properties', '$ref', 'allOf', 'anyOf', 'oneOf', 'additionalProperties'].some((keyword) => keyword in schema);
