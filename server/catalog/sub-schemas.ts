/** Walks a schema by the keywords under which schemas stand. */
import { isObject } from './platform-document.ts';
import { ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS } from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';

/** Every schema object below this one, itself first; never values such as defaults, which may look like schemas. */
export function* subSchemas(schema: unknown): Generator<JsonSchema> {
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const part = open.pop();
    if (!isObject(part)) continue;
    yield part;
    open.push(...partsOf(part).reverse());
  }
}

/** Schemas that a keyword of this one holds. */
function partsOf(schema: JsonSchema): unknown[] {
  const parts: unknown[] = [];
  for (const keyword of ONE_SCHEMA) if (isObject(schema[keyword])) parts.push(schema[keyword]);
  for (const keyword of SCHEMA_LISTS) if (Array.isArray(schema[keyword])) parts.push(...schema[keyword]);
  for (const keyword of SCHEMA_MAPS) if (isObject(schema[keyword])) parts.push(...Object.values(schema[keyword]));
  return parts;
}
