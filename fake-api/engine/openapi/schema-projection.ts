/** A value cut to what a schema declares, at every depth. Where the schema takes any name, every name stays. */
import { isObject } from '../state/json-value.ts';
import { type OpenApiDocument, plain, type Schema, shapeOf } from './openapi-document.ts';

export function projected(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  const at = plain(document, schema);
  if (Array.isArray(value)) {
    const { items } = at;
    return items === undefined ? value : value.map((entry) => projected(document, items, entry));
  }
  if (!isObject(value) || at.oneOf !== undefined || at.anyOf !== undefined) return value;
  const shape = shapeOf(document, at);
  if (shape.open) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      const property = shape.properties[name];
      return property === undefined ? [] : [[name, projected(document, property, entry)]];
    }),
  );
}
