/**
 * Projects an answer on a schema: it drops properties that the schema does not name, so that an agent without a
 * language model may print a whole platform answer. It never adds a property.
 */
type Schema = { properties?: Record<string, unknown>; required?: string[]; items?: unknown };

export function project(value: unknown, schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return value;
  const { properties, required = [], items } = schema as Schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => project(item, items));
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  const spoken = new Set([...Object.keys(properties), ...required]);
  const kept = [...spoken]
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => [name, project((value as Record<string, unknown>)[name], properties[name])]);
  return Object.fromEntries(kept);
}
