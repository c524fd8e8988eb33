/** A JSON patch applied to an object. Steps that do not fit the object change nothing. */
import { isObject, own } from '../engine/state/json-value.ts';

export function applySteps(value: Record<string, unknown>, steps: unknown[]): Record<string, unknown> {
  const root = structuredClone(value);
  for (const step of steps) {
    if (!isObject(step) || typeof step['path'] !== 'string') continue;
    const names = step['path']
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop();
    const holder = names.reduce<unknown>(stepInto, root);
    if (last === undefined || typeof holder !== 'object' || holder === null) continue;
    if (Array.isArray(holder)) changeEntry(holder, last, step);
    else changeField(holder as Record<string, unknown>, last, step);
  }
  return root;
}

function changeEntry(list: unknown[], at: string, { op, value }: Record<string, unknown>): void {
  if (op === 'add' && at === '-') list.push(value);
  if (!/^\d+$/.test(at)) return;
  if (op === 'remove') list.splice(Number(at), 1);
  else if (op === 'add') list.splice(Number(at), 0, value);
  else if (op === 'replace' && Number(at) < list.length) list[Number(at)] = value;
}

function changeField(object: Record<string, unknown>, name: string, { op, value }: Record<string, unknown>): void {
  if (op === 'remove') delete object[name];
  else if (op === 'add' || op === 'replace')
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

function stepInto(at: unknown, name: string): unknown {
  return typeof at === 'object' ? own(at as Record<string, unknown> | null, name) : undefined;
}
