/**
 * The counting rule. An endpoint is one path times one of five methods; a schema is one component; a field is every
 * named property met on a walk through properties, items, allOf, anyOf and oneOf of each component, twelve levels deep,
 * without following `$ref`. Over a platform, a component that stands with the same content in several documents counts
 * once.
 */
import type { OpenApiDocument } from '../assemble-document.ts';
import { canonical } from '../canonical-document.ts';
import type { Schema } from '../schema/schema-object.ts';

export interface Tally {
  readonly operations: number;
  readonly endpoints: number;
  readonly schemas: number;
  readonly fields: number;
}

export interface Counts {
  readonly platforms: Record<string, { documents: Record<string, Tally>; total: Tally }>;
  readonly total: Tally;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const deepest = 12;

export function count(platforms: ReadonlyMap<string, ReadonlyMap<string, OpenApiDocument>>): Counts {
  const result: Counts['platforms'] = {};
  for (const [platform, documents] of platforms) {
    const tallies = [...documents].map(([name, document]) => [name, tallyOf(document)] as const);
    const distinct = new Map<string, Schema>();
    for (const document of documents.values()) {
      for (const [name, schema] of Object.entries(schemasOf(document)))
        distinct.set(`${name} ${canonical(schema)}`, schema);
    }
    const total = {
      ...add(tallies.map(([, tally]) => tally)),
      schemas: distinct.size,
      fields: [...distinct.values()].reduce((sum, schema) => sum + fieldsIn(schema), 0),
    };
    result[platform] = { documents: Object.fromEntries(tallies), total };
  }
  return { platforms: result, total: add(Object.values(result).map((each) => each.total)) };
}

export function tallyOf(document: OpenApiDocument): Tally {
  const operations = operationsOf(document);
  const schemas = Object.values(schemasOf(document));
  return {
    operations: operations.length,
    endpoints: operations.length,
    schemas: schemas.length,
    fields: schemas.reduce((sum, schema) => sum + fieldsIn(schema), 0),
  };
}

export function operationsOf(document: OpenApiDocument): { method: string; path: string; operation: Schema }[] {
  const paths = (document['paths'] ?? {}) as Record<string, Schema>;
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => ({ method, path, operation: item[method] as Schema })),
  );
}

export function schemasOf(document: OpenApiDocument): Record<string, Schema> {
  return ((document['components'] as Schema | undefined)?.['schemas'] ?? {}) as Record<string, Schema>;
}

export function fieldsIn(schema: unknown, depth = 0): number {
  if (depth > deepest || schema === null || typeof schema !== 'object') return 0;
  const node = schema as Schema;
  let fields = 0;
  for (const property of Object.values((node['properties'] ?? {}) as Schema)) {
    if (property !== null && typeof property === 'object') fields += 1 + fieldsIn(property, depth + 1);
  }
  fields += fieldsIn(node['items'], depth + 1);
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    for (const part of (node[word] ?? []) as unknown[]) fields += fieldsIn(part, depth + 1);
  }
  return fields;
}

function add(tallies: readonly Tally[]): Tally {
  const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0);
  return {
    operations: sum((tally) => tally.operations),
    endpoints: sum((tally) => tally.endpoints),
    schemas: sum((tally) => tally.schemas),
    fields: sum((tally) => tally.fields),
  };
}
