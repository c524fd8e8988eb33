/**
 * Projection of an answer on a schema: what the schema does not speak of is dropped, so that an agent without a
 * language model may print a whole platform answer. What the schema asks for is never added.
 */
type Schema = { properties?: Record<string, unknown>; items?: unknown; allOf?: unknown[] };

export function project(value: unknown, schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return value;
  const { properties, items } = schema as Schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => project(item, items));
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  const kept = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, inner]) => [name, project((value as Record<string, unknown>)[name], inner)]);
  return Object.fromEntries(kept);
}
