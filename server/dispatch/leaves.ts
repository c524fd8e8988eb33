/** The values of an object that have no fields of their own, each with the way to it. */
import { MASK } from '../telemetry/redact.ts';

export interface Leaf {
  path: string[];
  value: unknown;
}

/** Every value that is no object with fields; lists count as one value. */
export function leavesOf(value: unknown, path: string[] = []): Leaf[] {
  if (Array.isArray(value) && path.length === 0)
    return value.map((entry, place) => ({ path: [`[${place}]`], value: entry }));
  if (value === undefined) return [];
  if (isLeaf(value)) return path.length > 0 ? [{ path, value }] : [];
  return Object.entries(value as object).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** Undefined is no value at all. */
export function isLeaf(value: unknown): boolean {
  if (value === undefined) return false;
  return typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0;
}

/** The value at a path; below something masked, the mask. */
export function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const step of path) {
    if (found === MASK) return MASK;
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, step) ? found[step as never] : undefined;
  }
  return found;
}

/** Whether something in a value is masked, so that nothing can be compared with it. */
export function hidesSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === MASK;
  return Object.values(value).some(hidesSecret);
}
