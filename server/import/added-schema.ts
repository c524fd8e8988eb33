import { isObject, type JsonObject } from '../catalog/platform-document.ts';

/** Adds a schema to the components of a document, under a name that is free, and returns the reference to it. */
export function addedSchema(content: JsonObject, prefix: string, schema: JsonObject): { $ref: string } {
  const schemas = mapIn(mapIn(content, 'components'), 'schemas');
  let number = 1;
  while (Object.hasOwn(schemas, `${prefix}-${number}`)) number += 1;
  schemas[`${prefix}-${number}`] = schema;
  return { $ref: `#/components/schemas/${prefix}-${number}` };
}

function mapIn(holder: JsonObject, key: string): JsonObject {
  const map = holder[key];
  if (isObject(map)) return map;
  const added: JsonObject = {};
  holder[key] = added;
  return added;
}
