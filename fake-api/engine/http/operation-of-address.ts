/** Which of several operations of one method and path a request means: documents tell them apart by a parameter with one value. */
import type { ParameterObject } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';

interface Asked {
  /** Raw query text without the question mark. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
}

/** The one that requires most of what the request has, and nothing that it lacks; else the first without parameters of one value. */
export function meantBy<Of extends { operation: Operation }>(request: Asked, able: readonly Of[]): Of | undefined {
  const query = new URLSearchParams(request.query);
  const stated = able.map((each) => ({ each, needed: neededOf(each.operation) }));
  const fitting = stated.filter(({ needed }) => needed.every((one) => isSent(one, query, request.headers)));
  const most = Math.max(...fitting.map(({ needed }) => needed.length));
  const chosen = fitting.find(({ needed }) => needed.length === most);
  return (chosen ?? stated.find(({ needed }) => needed.every(({ value }) => value === undefined)))?.each;
}

interface Needed {
  place: 'query' | 'header';
  name: string;
  /** The only value that it may have. */
  value: string | undefined;
}

const known = new WeakMap<Operation, readonly Needed[]>();

/** Required parameters outside of the path. */
function neededOf(operation: Operation): readonly Needed[] {
  const found = known.get(operation) ?? operation.parameters.flatMap(needed);
  known.set(operation, found);
  return found;
}

function needed({ in: place, name, required, schema }: ParameterObject): Needed[] {
  if (required !== true || (place !== 'query' && place !== 'header')) return [];
  const { enum: values, const: value } = (schema ?? {}) as { enum?: unknown[]; const?: unknown };
  const only = value ?? (values?.length === 1 ? values[0] : undefined);
  return [{ place, name, value: only === undefined ? undefined : String(only) }];
}

function isSent({ place, name, value }: Needed, query: URLSearchParams, headers: Asked['headers']): boolean {
  const sent = place === 'query' ? (query.get(name) ?? undefined) : headers[name.toLowerCase()];
  // What is written otherwise, a list or an object, is there under a name of its own.
  if (value === undefined) return sent !== undefined || [...query.keys()].some((key) => key.startsWith(`${name}[`));
  return sent === value;
}
