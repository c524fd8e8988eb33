/**
 * Rows that the body of an action names by references: `assign`, `associate` and `add` give them to the object of the path, `unassign` and `remove`
 * take them from it, and a deletion of several removes them. What refers to what is declared, so nothing is known of any platform here.
 */
import type { Call } from '../http/accepted-call.ts';
import { isNullable, type OpenApiDocument, plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { changeRow } from './changed-row.ts';
import { type Row, rowId } from './collection.ts';
import { isObject } from './json-value.ts';
import type { Subject, TaskCall } from './platform-behaviour.ts';
import { keyOf } from './stored-rows.ts';
import { removeOne } from './storing.ts';

const GIVES = /\/(?:assign|associate|attach|add(?:-\w+)?)$/;
const TAKES = /\/(?:unassign|unassociate|detach|release|remove-\w+)$/;
const DELETES = /\/(?:delete[-_]bulk|(?:bulk|batch)[-_]delete)$/;

/** What became of the named rows: how many were done, and how many refused; null for an action of another kind. */
export interface Named {
  done: number;
  refused: number;
}

export function actOnNamed(call: Call, of: TaskCall, subject: Subject | null): Named | null {
  const { template, kind } = call.operation;
  if (kind !== 'action') return null;
  const named = rowsNamed(call, of);
  if (named === null) return null;
  const { resource, rows } = named;
  if (DELETES.test(template) && resource.collectionTemplate === template.replace(DELETES, ''))
    return removeAll(call, of, resource, rows);
  const gives = GIVES.test(template);
  if (subject === null || !(gives || TAKES.test(template))) return null;
  const field = fieldTo(resource, subject.resource);
  return field === undefined ? null : link(of, resource, rows, { ...field, subject, gives });
}

function rowsNamed(call: Call, of: TaskCall): { resource: Resource; rows: Row[] } | null {
  const { operation, platform, state, values } = call;
  const schema = operation.body?.content['application/json']?.schema;
  const fields = schema === undefined ? {} : shapeOf(operation.document, schema).properties;
  for (const [name, property] of Object.entries(fields)) {
    const target = targetOf(operation.document, property);
    const resource = target === undefined ? undefined : platform.resources.get(target.resource);
    const sent = of.input[name];
    if (resource === undefined || sent === undefined) continue;
    const wanted = new Set([sent].flat().map(String));
    const place = resource.parentNames.length === 0 ? null : rowId(values.slice(0, resource.parentNames.length));
    const rows = [...state.rows(platform.id, resource.name).all()].filter(
      (row) => wanted.has(String(keyOf(resource, row, target?.field))) && (place === null || row.id.startsWith(place)),
    );
    return { resource, rows };
  }
  return null;
}

function targetOf(document: OpenApiDocument, property: Schema): Schema['x-svc-ref'] {
  const at = plain(document, property);
  return at['x-svc-ref'] ?? (at.items === undefined ? undefined : plain(document, at.items)['x-svc-ref']);
}

function removeAll(call: Call, of: TaskCall, resource: Resource, rows: readonly Row[]): Named {
  const isTrial = Object.entries(of.input).some(([name, value]) => /^dry/i.test(name) && value === true);
  if (isTrial) return { done: 0, refused: 0 };
  const refused = rows.filter((row) => removeOne(call, resource, row.id) !== null).length;
  return { done: rows.length - refused, refused };
}

interface Link {
  name: string;
  target: string | undefined;
  isNullable: boolean;
}

/** The field by which rows of the one resource say to which row of the other they belong. */
function fieldTo(resource: Resource, owner: Resource): Link | undefined {
  const ref = resource.refs.find(({ path, target }) => path.length === 1 && target.resource === owner.name);
  const name = ref?.path[0];
  if (ref === undefined || name === undefined || resource.readSchema === null) return undefined;
  const property = shapeOf(resource.document, resource.readSchema).properties[name];
  if (property === undefined || plain(resource.document, property).items !== undefined) return undefined;
  return { name, target: ref.target.field, isNullable: isNullable(plain(resource.document, property)) };
}

function link(
  of: TaskCall,
  resource: Resource,
  rows: readonly Row[],
  { name, target, isNullable, subject, gives }: Link & { subject: Subject; gives: boolean },
): Named {
  const owner = of.state.rows(subject.resource.platform, subject.resource.name).get(subject.id);
  if (owner === undefined) return { done: 0, refused: rows.length };
  const key = keyOf(subject.resource, owner, target);
  const meant = gives ? rows : rows.filter(({ value }) => isNullable && value[name] === key);
  if (typeof key === 'string' || typeof key === 'number')
    for (const { id } of meant) changeRow(of, resource.name, id, { [name]: gives ? key : null });
  return { done: meant.length, refused: rows.length - meant.length };
}

/** A list of the body, where it is the only one. */
export function onlyList({ input }: TaskCall): readonly unknown[] | null {
  const lists = Object.values(input).filter(Array.isArray);
  return lists.length === 1 && !lists[0]?.some(isObject) ? (lists[0] as unknown[]) : null;
}
