/** A refusal in the error body of the platform: the four keys, cut down to what the operation declares. */
import type { Refusal } from './answer.ts';
import { Dice } from './determinism.ts';
import { shapeOf } from './openapi.ts';
import type { Operation } from './operation.ts';

export function problemBody(
  refusal: Refusal,
  operation: Operation | null,
  origin: { seed: number; sequence: number },
): Record<string, unknown> {
  const full: Record<string, unknown> = {
    httpStatusCode: refusal.status,
    errorCode: refusal.code,
    message: refusal.message,
    debugId: new Dice(origin.seed, 'debug', origin.sequence).uuid(),
  };
  const declared = operation === null ? null : declaredNames(operation, refusal.status);
  if (declared === null) return full;
  return Object.fromEntries(Object.entries(full).filter(([name]) => declared.has(name)));
}

const known = new WeakMap<Operation, Map<number, Set<string> | null>>();

function declaredNames(operation: Operation, status: number): Set<string> | null {
  const byStatus = known.get(operation) ?? new Map<number, Set<string> | null>();
  known.set(operation, byStatus);
  const cached = byStatus.get(status);
  if (cached !== undefined) return cached;
  const response = operation.responses[String(status)] ?? operation.responses['default'];
  const schema = response?.content?.['application/json']?.schema;
  const shape = schema === undefined ? null : shapeOf(operation.document, schema);
  const names = shape === null || shape.open ? null : new Set(Object.keys(shape.properties));
  byStatus.set(status, names);
  return names;
}
