/**
 * A body that a call may leave out although the document requires one: an object whose members are all optional. The platform
 * wants `{}` then, so the call without it means `{}`. A change without a body is a mistake, and a replacement by `{}` would
 * reset the object, so PATCH and PUT keep their body.
 */
import { isObject } from './platform-document.ts';
import type { JsonSchema } from './tool.ts';

const DEEPEST = 8;

const CHANGES: ReadonlySet<string> = new Set(['PATCH', 'PUT']);

/** Whether a call without a required body means `{}`, as far as types and required members of its schema tell. */
export function bodyMayBeEmpty(method: string, body: JsonSchema | boolean, definitions: JsonSchema): boolean {
  return !CHANGES.has(method) && isObject(body) && takesEmptyObject(body, definitions, 0);
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
