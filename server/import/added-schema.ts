import { isObject, type JsonObject } from '../catalog/platform-document.ts';

/** Adds a variant of the schema that a reference names to the components of a document, and returns the reference to the variant. */
export function addedSchema(content: JsonObject, reference: string, variant: string, schema: JsonObject): string {
  const schemas = mapIn(mapIn(content, 'components'), 'schemas');
  const last = /[^/]*$/.exec(reference.replaceAll('~1', '/'))?.[0] ?? '';
  const name = `${last.replace(/[^\w.-]/g, '_')}-${variant}`;
  let free = name;
  for (let number = 2; Object.hasOwn(schemas, free); number += 1) free = `${name}-${number}`;
  schemas[free] = schema;
  return `#/components/schemas/${free}`;
}

function mapIn(holder: JsonObject, key: string): JsonObject {
  const map = holder[key];
  if (isObject(map)) return map;
  const added: JsonObject = {};
  holder[key] = added;
  return added;
}
