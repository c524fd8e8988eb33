/** Runs as they are graded: a parameter of a write with the value that the document gives it anyway asks for nothing else. */
import type { ApiOperation } from '../generator/api-document.ts';
import { isRead } from '../recording/call-class.ts';
import type { Recording } from '../recording/recording.ts';
import { keyOf } from './matched-tools.ts';

/** The same recording, without such parameters in the queries of its writes. `DELETE /types/a?expunge=false` is `DELETE /types/a`. */
export function withoutDefaults(recording: Recording, operations: readonly ApiOperation[]): Recording {
  const byKey = new Map(operations.map((operation) => [keyOf(operation), operation]));
  const ledger = recording.ledger.map((entry) => {
    const operation = byKey.get(`${entry.method} ${entry.template}`);
    if (entry.query === '' || isRead(entry.method) || operation === undefined) return entry;
    const isDefault = ([name, value]: [string, string]) =>
      operation.parameters.some(
        (one) =>
          one.in === 'query' && one.name === name && 'default' in one.schema && String(one.schema['default']) === value,
      );
    const asked = [...new URLSearchParams(entry.query)].filter((pair) => !isDefault(pair));
    return { ...entry, query: new URLSearchParams(asked).toString() };
  });
  return { ...recording, ledger };
}
