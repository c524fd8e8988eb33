/**
 * `sayings/<document>.yaml`: how people who do not know an API ask for what a document's operations do. Of a resource they
 * belong to a group of its operations, because a person says what is wanted and not which of three reads gives it.
 */

import type { Operation } from '../operations/modelled-operation.ts';
import type { Spot } from './model-file.ts';
import type { OperationKind } from './platform-model.ts';

export const sayingGroups = ['read', 'create', 'change', 'delete'] as const;
export type SayingGroup = (typeof sayingGroups)[number];

/** Kinds that share the sayings of their resource; those of every other kind are said operation by operation. */
const groupOfKind: Partial<Record<OperationKind, SayingGroup>> = {
  list: 'read',
  get: 'read',
  count: 'read',
  search: 'read',
  export: 'read',
  'singleton-get': 'read',
  references: 'read',
  history: 'read',
  stats: 'read',
  create: 'create',
  'bulk-create': 'create',
  replace: 'change',
  patch: 'change',
  'singleton-put': 'change',
  set: 'change',
  'bulk-patch': 'change',
  delete: 'delete',
  'bulk-delete': 'delete',
};
/** What nobody asks for: a login, and the rest of a task that was started. */
const unsaid: readonly OperationKind[] = ['async-result', 'token', 'login', 'logout'];

interface Said {
  readonly spot: Spot;
  readonly texts: readonly string[];
}

export interface SayingsModel {
  /** Name of the document it belongs to. */
  readonly document: string;
  readonly spot: Spot;
  /** By `claimOf` an operation. */
  readonly said: ReadonlyMap<string, Said>;
}

export function readSayings(document: string, root: Spot): SayingsModel {
  const at = root.mapping(['resources', 'operations']);
  const said = new Map<string, Said>();
  for (const [name, resource] of at.get('resources')?.mapping() ?? [])
    for (const [group, spot] of resource.mapping(sayingGroups))
      said.set(`${name} ${group}`, { spot, texts: spot.texts() });
  for (const [id, spot] of at.get('operations')?.mapping() ?? []) said.set(id, { spot, texts: spot.texts() });
  return { document, spot: root, said };
}

/** Under what the sayings of an operation stand: `resource group` or its own id; null when it has none to have. */
export function claimOf({ kind, id, resource }: Operation): string | null {
  if (unsaid.includes(kind)) return null;
  const group = groupOfKind[kind];
  return group === undefined ? id : `${resource.model.name} ${group}`;
}

/** Refuses sayings of what the document does not have: a renamed resource must not lose them in silence. */
export function refuseStray({ said }: SayingsModel, operations: readonly Operation[]): void {
  const claims = new Set(operations.map(claimOf));
  for (const [claim, { spot }] of said)
    if (!claims.has(claim))
      spot.fail('a resource and group, or an operation, of this document', claim, 'MODEL_REFERENCE');
}

export function sayingsOf(operation: Operation, model: SayingsModel | undefined): readonly string[] {
  const claim = claimOf(operation);
  return claim === null ? [] : (model?.said.get(claim)?.texts ?? []);
}
