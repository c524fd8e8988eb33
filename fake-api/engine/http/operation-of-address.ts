/** Which of several operations of one method and path a request means: documents tell them apart by a parameter with one value. */
import type { ParameterObject } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';

interface Asked {
  /** Raw query text without the question mark. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
}

/** The first of which the request has every required parameter of one value; without one, the first that requires none such. */
export function meantBy<Of extends { operation: Operation }>(request: Asked, able: readonly Of[]): Of | undefined {
  const query = new URLSearchParams(request.query);
  const stated = able.map((each) => ({ each, only: onlyValues(each.operation) }));
  const named = stated.find(({ only }) => only.length > 0 && only.every((one) => isSent(one, query, request.headers)));
  return (named ?? stated.find(({ only }) => only.length === 0))?.each;
}

interface OnlyValue {
  place: 'query' | 'header';
  name: string;
  value: string;
}

const onlyOf = new WeakMap<Operation, readonly OnlyValue[]>();

function onlyValues(operation: Operation): readonly OnlyValue[] {
  const found = onlyOf.get(operation) ?? operation.parameters.flatMap(onlyValue);
  onlyOf.set(operation, found);
  return found;
}

function onlyValue({ in: place, name, required, schema }: ParameterObject): OnlyValue[] {
  if (required !== true || (place !== 'query' && place !== 'header')) return [];
  const { enum: values, const: value } = (schema ?? {}) as { enum?: unknown[]; const?: unknown };
  const only = value ?? (values?.length === 1 ? values[0] : undefined);
  return only === undefined ? [] : [{ place, name, value: String(only) }];
}

const isSent = ({ place, name, value }: OnlyValue, query: URLSearchParams, headers: Asked['headers']): boolean =>
  (place === 'query' ? query.get(name) : headers[name.toLowerCase()]) === value;
