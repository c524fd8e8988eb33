/** Sums over a period: rows hold those of a day, and a list that is asked for another period shows its share of them. */
import { plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import type { Values } from './platform-behaviour.ts';

const DAY_MS = 86_400_000;
/** Integers that may grow so large are amounts; smaller ones are ratings, shares and codes. */
const AMOUNT = 100_000;

/** How the amounts of a row change with the period of the query; null where the operation takes no period, or the default one is asked for. */
export function periodOf(operation: Operation, resource: Resource, query: Record<string, unknown>, nowMs: number) {
  const declared = new Set(operation.parameters.filter((entry) => entry.in === 'query').map((entry) => entry.name));
  if (!declared.has('startTime') || !declared.has('endTime')) return null;
  const { startTime, endTime } = query;
  if (startTime === undefined && endTime === undefined) return null;
  const { properties } = shapeOf(resource.document, resource.readSchema as Schema);
  const schemas = Object.entries(properties).map(([name, schema]) => [name, plain(resource.document, schema)] as const);
  // Rows with a time of their own are selected by it.
  if (schemas.some(([, schema]) => schema.format === 'date-time')) return null;
  const end = endTime === undefined ? nowMs : Date.parse(String(endTime));
  const start = startTime === undefined ? end - DAY_MS : Date.parse(String(startTime));
  const share = Math.max(0, Math.min(end, nowMs) - start) / DAY_MS;
  const amounts = schemas.filter(
    ([, schema]) => typesOf(schema).includes('integer') && (schema.maximum ?? AMOUNT) > AMOUNT,
  );
  return (values: Values): Values => ({
    ...values,
    ...Object.fromEntries(
      amounts.flatMap(([name]) => {
        const value = values[name];
        return typeof value === 'number' ? [[name, Math.round(value * share)]] : [];
      }),
    ),
  });
}
