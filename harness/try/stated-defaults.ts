/** Runs as they are graded: a parameter of a write with the value that the document gives it anyway asks for nothing else. */
import type { ApiOperation } from '../generator/api-document.ts';
import { isScalar } from '../generator/drawn-parameters.ts';
import { isRead } from '../recording/call-class.ts';
import type { Recording } from '../recording/recording.ts';
import { isForbiddenBy, splitCall, splitQuery } from '../scenario/path-pattern.ts';
import { keyOf } from './matched-tools.ts';

/**
 * The same recording, without such parameters in the queries of its writes, and of the writes that are asked for.
 * `DELETE /types/a?expunge=false` is `DELETE /types/a`.
 */
export function withoutDefaults(recording: Recording, operations: readonly ApiOperation[]): Recording {
  const byKey = new Map(operations.map((operation) => [keyOf(operation), operation]));
  const ledger = recording.ledger.map((entry) => {
    const operation = byKey.get(`${entry.method} ${entry.template}`);
    if (entry.query === '' || isRead(entry.method) || operation === undefined) return entry;
    return { ...entry, query: askedIn(entry.query, operation) };
  });
  const asked = (call: string): string => {
    const [plain, query] = splitQuery(call);
    const [method, path] = splitCall(plain);
    const operation = byKey.get(plain) ?? operations.find((one) => isForbiddenBy({ method, path }, keyOf(one)));
    if (query === undefined || isRead(method) || operation === undefined) return call;
    const left = askedIn(query, operation);
    return left === '' ? plain : `${plain}?${left}`;
  };
  const api_calls = recording.task.api_calls.map((routes) => routes.map(asked));
  return { ...recording, ledger, task: { ...recording.task, api_calls } };
}

/** The query without the parameters that have their default, and no other value beside it. */
function askedIn(query: string, { parameters }: ApiOperation): string {
  const pairs = [...new URLSearchParams(query)];
  const valuesOf = Map.groupBy(pairs, ([name]) => name);
  const isDefault = (name: string) =>
    parameters.some(
      (one) =>
        one.in === 'query' &&
        one.name === name &&
        isStated(one.schema['default'], valuesOf.get(name)?.map(([, value]) => value) ?? []),
    );
  return new URLSearchParams(pairs.filter(([name]) => !isDefault(name))).toString();
}

/** A list is repeated or parted by commas (OpenAPI, `style: form` with and without `explode`). */
function isStated(stated: unknown, values: readonly string[]): boolean {
  if (!Array.isArray(stated)) return isScalar(stated) && values.length === 1 && values[0] === String(stated);
  if (!stated.every(isScalar)) return false;
  const isRepeated = values.length === stated.length && values.every((value, i) => value === String(stated[i]));
  return isRepeated || (values.length === 1 && values[0] === stated.join(','));
}
