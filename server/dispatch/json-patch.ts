/** The steps of a JSON patch (RFC 6902), carried out on what a preview read: the steps alone do not say what is there now. */
import { isObject } from '../catalog/platform-document.ts';
import { canonicalJson } from './canonical-json.ts';

export interface Step {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

type Container = Record<string, unknown>;

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** Whether a body is a list of steps and of nothing else. */
export function isJsonPatch(body: unknown): body is Step[] {
  return Array.isArray(body) && body.length > 0 && body.every(isStep);
}

const isStep = (entry: unknown): boolean =>
  isObject(entry) &&
  OPERATIONS.has(entry['op']) &&
  typeof entry['path'] === 'string' &&
  (entry['path'] === '' || entry['path'].startsWith('/'));

/** The names on the way to what a JSON pointer points at (RFC 6901). */
export const stepsTo = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value after all steps; undefined where one of them cannot be carried out. */
export function patchedBy(value: unknown, steps: readonly Step[]): { value: unknown } | undefined {
  const root: Container = { value: structuredClone(value) };
  return steps.every((step) => isDone(root, step)) ? { value: root['value'] } : undefined;
}

function isDone(root: Container, step: Step): boolean {
  const { op, path, from } = step;
  if (op === 'add') return put(root, path, structuredClone(step.value));
  if (op === 'remove') return take(root, path) !== undefined;
  if (op === 'replace') return replace(root, path, structuredClone(step.value));
  if (op === 'test') return canonicalJson(found(root, path)) === canonicalJson(step.value);
  if (typeof from !== 'string') return false;
  const value = op === 'move' ? take(root, from) : found(root, from);
  return value !== undefined && put(root, path, structuredClone(value));
}

const way = (pointer: string): string[] => ['value', ...stepsTo(pointer)];

function found(root: Container, pointer: string): unknown {
  return way(pointer).reduce<unknown>(childOf, root);
}

function childOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name as never] : undefined;
}

/** What holds the value that is pointed at, and its name there. */
function holderOf(root: Container, pointer: string): { holder: unknown; name: string } {
  const names = way(pointer);
  return { holder: names.slice(0, -1).reduce<unknown>(childOf, root), name: names.at(-1) as string };
}

function put(root: Container, pointer: string, value: unknown): boolean {
  const { holder, name } = holderOf(root, pointer);
  if (Array.isArray(holder)) {
    const place = name === '-' ? holder.length : placeIn(name);
    if (place === undefined || place > holder.length) return false;
    holder.splice(place, 0, value);
    return true;
  }
  if (!isObject(holder)) return false;
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

/** In an object the name stays where it stands. */
function replace(root: Container, pointer: string, value: unknown): boolean {
  if (found(root, pointer) === undefined) return false;
  if (Array.isArray(holderOf(root, pointer).holder) && take(root, pointer) === undefined) return false;
  return put(root, pointer, value);
}

/** Takes the value out and answers it. */
function take(root: Container, pointer: string): unknown {
  const { holder, name } = holderOf(root, pointer);
  const value = childOf(holder, name);
  if (value === undefined) return undefined;
  if (Array.isArray(holder)) {
    const place = placeIn(name);
    return place === undefined ? undefined : holder.splice(place, 1)[0];
  }
  delete (holder as Container)[name];
  return value;
}

const placeIn = (name: string): number | undefined => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined);
