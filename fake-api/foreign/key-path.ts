/** Values of an object by the names that lead to them: `['metadata', 'name']`. */
import { isObject, own } from '../engine/state/json-value.ts';

export type KeyPath = readonly string[];

export function valueAtPath(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? own(at, name) : undefined), value);
}

/** A copy with the value at its place; objects on the way are made where there are none. */
export function withValueAt(object: unknown, path: KeyPath, value: unknown): unknown {
  const [name, ...below] = path;
  if (name === undefined) return value;
  const holder = isObject(object) ? object : {};
  const entries = Object.entries(holder).filter(([other]) => other !== name);
  return Object.fromEntries([...entries, [name, withValueAt(own(holder, name), below, value)]]);
}

/** A value without what stands at this place. */
export function withoutAt(value: unknown, [name, ...below]: KeyPath): unknown {
  if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return value;
  if (below.length > 0) return withValueAt(value, [name], withoutAt(value[name], below));
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}
