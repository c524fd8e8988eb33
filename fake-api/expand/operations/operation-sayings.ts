/** Which sayings belong to an operation: those of its own, or those it shares with its resource. */
import type { OperationKind } from '../model/operation-kinds.ts';
import type { SayingGroup, SayingsModel } from '../model/utterances-model.ts';
import type { Operation } from './modelled-operation.ts';

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
