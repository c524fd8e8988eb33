/** GET of a collection, and of one item. */
import type { Call } from '../http/accepted-call.ts';
import { listAnswer, listStyleOf } from '../http/list-answer.ts';
import { tagHeader } from '../http/location.ts';
import { type Answer, done } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { itemSchemaOf } from '../openapi/stored-resource.ts';
import { rowAt } from '../state/derived-rows.ts';
import { chosenEntries } from '../state/list-selection.ts';
import { noteReads } from '../state/restarts.ts';
import { inScope } from '../state/scopes.ts';
import { idFromPath, isHidden, present, readRow } from '../state/stored-rows.ts';
import { notFound } from '../state/storing.ts';
import { missingParent } from '../state/target-row.ts';

export function list(call: Call): Answer {
  const { operation, platform } = call;
  const resource = platform.resources.get(operation.resource ?? '');
  const missing = missingParent(call);
  if (missing !== null) return missing;
  const item = itemSchemaOf(operation);
  if (resource === undefined || successOf(operation).schema === null || item === null) return done(200, {});
  const chosen = chosenEntries(call, resource);
  if (!Array.isArray(chosen)) return chosen;
  noteReads(
    call.state,
    resource,
    chosen.map(({ values }) => values),
  );
  const shown = chosen.map(({ row, values }) => ({ id: row.id, values }));
  return listAnswer(call, shown, item, listStyleOf(operation), null);
}

/** GET of one item. */
export function get(call: Call): Answer {
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const schema = successOf(call.operation).schema;
  if (resource === undefined || schema === null) return done(200, {});
  const row = rowAt(call, resource, idFromPath(resource, call.values));
  const scoped = inScope(call, resource);
  if (row === undefined || isHidden(call, resource, row) || (scoped !== null && !scoped(row))) {
    return missingParent(call) ?? notFound(resource, call.values);
  }
  const values = readRow(call.platform, call.state, call.world, resource, row);
  noteReads(call.state, resource, [values]);
  return done(200, present(call, schema, values, row.id), tagHeader(call.operation, row));
}
