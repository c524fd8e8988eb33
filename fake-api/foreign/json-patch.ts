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
    const holder = names.reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      root,
    );
    if (last === undefined || typeof holder !== 'object' || holder === null || last === '__proto__') continue;
    if (step['op'] === 'remove') {
      if (Array.isArray(holder)) holder.splice(Number(last), 1);
      else delete (holder as Record<string, unknown>)[last];
    } else if (step['op'] === 'add' || step['op'] === 'replace') {
      if (Array.isArray(holder) && step['op'] === 'add')
        holder.splice(last === '-' ? holder.length : Number(last), 0, step['value']);
      else (holder as Record<string, unknown>)[last] = step['value'];
    }
  }
  return root;
}
