/** Component schemas that something uses, directly or through others; platform-wide ones are left out where unused. */
import type { Schema } from './schema-object.ts';

export function reachable(roots: readonly unknown[], schemas: ReadonlyMap<string, Schema>): [string, Schema][] {
  const found = new Map<string, Schema>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(walk);
      return;
    }
    if (value === null || typeof value !== 'object') return;
    for (const [key, each] of Object.entries(value)) {
      if (key !== '$ref' || typeof each !== 'string') {
        walk(each);
        continue;
      }
      const name = each.replace('#/components/schemas/', '');
      const schema = schemas.get(name);
      if (!schema || found.has(name)) continue;
      found.set(name, schema);
      walk(schema);
    }
  };
  roots.forEach(walk);
  return [...found];
}
