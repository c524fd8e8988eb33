/** A JSON patch (RFC 6902): all of its steps, or none. */
import { canonicalJson, isObject, own } from '../engine/state/json-value.ts';

export interface FailedPatch {
  kind: 'failed';
  /** A test failed: the value is another than the caller thinks. */
  isTest: boolean;
  step: number;
  expected: string;
}

type Step = Record<string, unknown>;
/** The value under an empty name, so that the whole of it has a place like any part. */
type Root = Record<string, unknown>;

const NO_PLACE = 'a place that exists';

export function applySteps(
  value: Record<string, unknown>,
  steps: readonly unknown[],
): { kind: 'patched'; value: Record<string, unknown> } | FailedPatch {
  const root: Root = { '': structuredClone(value) };
  for (const [at, step] of steps.entries()) {
    const op = isObject(step) ? own(OPERATIONS, String(step['op'])) : undefined;
    const expected = op === undefined ? 'an operation of RFC 6902' : op(root, step as Step);
    if (expected !== null)
      return { kind: 'failed', isTest: isObject(step) && step['op'] === 'test', step: at, expected };
  }
  const whole = root[''];
  return isObject(whole)
    ? { kind: 'patched', value: whole }
    : { kind: 'failed', isTest: false, step: steps.length - 1, expected: 'to leave an object' };
}

/** Each changes the value, and tells what it expected where it cannot. */
const OPERATIONS: Readonly<Record<string, (root: Root, step: Step) => string | null>> = {
  add: (root, { path, value }) => added(root, path, value),
  remove: (root, { path }) => removed(root, path),
  replace: (root, { path, value }) => removed(root, path) ?? added(root, path, value),
  move: (root, { path, from }) => {
    const value = valueAt(root, from);
    return removed(root, from) ?? added(root, path, value);
  },
  copy: (root, { path, from }) => {
    const value = valueAt(root, from);
    return value === undefined ? NO_PLACE : added(root, path, structuredClone(value));
  },
  test: (root, { path, value }) => {
    const found = valueAt(root, path);
    return found !== undefined && canonicalJson(found) === canonicalJson(value) ? null : 'the value that is there';
  },
};

/** `/a~1b/0` leads from the whole over `a/b` to its first entry. */
const namesOf = (path: unknown): string[] =>
  typeof path === 'string' ? path.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')) : [];

const valueAt = (root: Root, path: unknown): unknown => {
  const names = namesOf(path);
  return names.length === 0 ? undefined : names.reduce(stepInto, root as unknown);
};

function stepInto(at: unknown, name: string): unknown {
  if (Array.isArray(at)) return isIndex(name) ? at[Number(name)] : undefined;
  return isObject(at) ? own(at, name) : undefined;
}

const isIndex = (name: string): boolean => /^(0|[1-9]\d*)$/.test(name);

function placeOf(root: Root, path: unknown): { holder: unknown; name: string } {
  const names = namesOf(path);
  const name = names.pop() ?? '-';
  const isFromWhole = names.length === 0 ? name === '' : names[0] === '';
  return { holder: isFromWhole ? names.reduce(stepInto, root as unknown) : undefined, name };
}

function added(root: Root, path: unknown, value: unknown): string | null {
  const { holder, name } = placeOf(root, path);
  if (value === undefined) return 'a value';
  if (Array.isArray(holder)) {
    const at = name === '-' ? holder.length : isIndex(name) ? Number(name) : Number.POSITIVE_INFINITY;
    if (at > holder.length) return NO_PLACE;
    holder.splice(at, 0, value);
    return null;
  }
  if (!isObject(holder)) return NO_PLACE;
  // An assignment to `__proto__` would change the prototype.
  Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
  return null;
}

function removed(root: Root, path: unknown): string | null {
  const { holder, name } = placeOf(root, path);
  if (stepInto(holder, name) === undefined) return NO_PLACE;
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete (holder as Record<string, unknown>)[name];
  return null;
}
