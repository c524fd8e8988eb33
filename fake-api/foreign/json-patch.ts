/** A JSON patch applied to an object. Steps that do not fit the object change nothing. */
import { isObject } from '../engine/state/json-value.ts';

export function applySteps(value: Record<string, unknown>, steps: unknown[]): Record<string, unknown> {
  const root = structuredClone(value);
  for (const step of steps) {
    if (!isObject(step) || typeof step['path'] !== 'string') continue;
    const names = step['path']
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop();
    const holder = names.reduce<unknown>(ownValue, root);
    if (last === undefined || typeof holder !== 'object' || holder === null || last === '__proto__') continue;
    if (Array.isArray(holder)) changeEntry(holder, last, step);
    else changeField(holder as Record<string, unknown>, last, step);
  }
  return root;
}

function changeEntry(list: unknown[], at: string, { op, value }: Record<string, unknown>): void {
  if (op === 'remove') list.splice(Number(at), 1);
  else if (op === 'add') list.splice(at === '-' ? list.length : Number(at), 0, value);
  else if (op === 'replace') (list as unknown as Record<string, unknown>)[at] = value;
}

function changeField(object: Record<string, unknown>, name: string, { op, value }: Record<string, unknown>): void {
  if (op === 'remove') delete object[name];
  else if (op === 'add' || op === 'replace') object[name] = value;
}

function ownValue(at: unknown, name: string): unknown {
  if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
  return (at as Record<string, unknown>)[name];
}
