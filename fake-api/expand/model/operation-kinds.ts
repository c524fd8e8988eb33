/** What an operation does with its resource: the values of `x-svc-kind`, and keys of what a model says by kind. */
import type { Spot } from './model-file.ts';

export const operationKinds = [
  'list',
  'get',
  'create',
  'replace',
  'patch',
  'delete',
  'set',
  'status',
  'stats',
  'trend',
  'top',
  'search',
  'count',
  'references',
  'history',
  'action',
  'diagnostic',
  'async-result',
  'bulk-create',
  'bulk-patch',
  'bulk-delete',
  'export',
  'singleton-get',
  'singleton-put',
  'token',
  'login',
  'logout',
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** A mapping from operation kinds to what is said of each. */
export function byOperationKind<T>(spot: Spot | undefined, read: (value: Spot) => T): Map<OperationKind, T> {
  return new Map(
    [...(spot?.mapping(operationKinds) ?? [])].map(([kind, value]) => [kind as OperationKind, read(value)]),
  );
}
