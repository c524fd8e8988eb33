/** Parameters from field lines, and the groups of them that platform.yaml attaches to kinds of operations. */
import type { Field } from '../model/field-line.ts';
import type { OperationKind } from '../model/operation-kinds.ts';
import type { Platform, Resource } from '../model/platform-folder-model.ts';
import type { QueryGroup } from '../model/platform-model.ts';
import type { SchemaBook } from './schema-book.ts';
import type { Schema } from './schema-object.ts';

export function fieldParameter(field: Field, place: 'query' | 'path' | 'header', book: SchemaBook): Schema {
  const { description, ...schema } = book.property(field, 'write');
  return {
    name: field.name,
    in: place,
    required: place === 'path' || field.required,
    description,
    schema,
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
  };
}

/** Query groups that platform.yaml attaches to this kind of operation, and those that a task names itself. */
export function fittingGroups(
  kind: OperationKind,
  resource: Resource,
  platform: Platform,
  named: readonly string[] = [],
): QueryGroup[] {
  const group = (name: string): QueryGroup =>
    platform.model.queries.get(name) ??
    resource.model.spot.fail('a query group of platform.yaml', name, 'MODEL_REFERENCE');
  const ofStyle = resource.style.queries
    .map(group)
    .filter(({ on, scopes }) => on.includes(kind) && (scopes === null || scopes.includes(resource.model.scope)));
  return [...ofStyle, ...named.map(group)];
}

/** Parameters of the fitting groups, plus those the resource declares itself. `path` is that of the operation where it may lie beside the item. */
export function groupParameters(
  kind: OperationKind,
  resource: Resource,
  platform: Platform,
  book: SchemaBook,
  { named = [], path }: { named?: readonly string[]; path?: string } = {},
): Schema[] {
  const fitting = fittingGroups(kind, resource, platform, named);
  const placed = [
    ...fitting.flatMap((group) => group.fields.map((field) => ({ field, place: group.in }))),
    ...(resource.model.query.get(kind) ?? []).map((field) => ({ field, place: 'query' as const })),
  ];
  const taken = new Set<string>();
  for (const { field } of placed) {
    const inPath = path === undefined ? resource.pathFields.has(field.name) : path.includes(`{${field.name}}`);
    if (taken.has(field.name) || inPath) {
      resource.model.spot.fail(`a ${kind} parameter name of its own`, field.name, 'MODEL_DUPLICATE');
    }
    taken.add(field.name);
  }
  return placed.map(({ field, place }) => fieldParameter(field, place, book));
}
