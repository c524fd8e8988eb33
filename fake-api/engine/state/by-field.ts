/** Items reached by a further unique field: the call goes on as if its path had named the key. */
import type { Call } from '../http/accepted-call.ts';
import { type Answer, refuse } from '../http/platform-answer.ts';
import { rowId, rowParts } from './collection.ts';
import { missingParent } from './target-row.ts';

export function callByKey(call: Call): Call | Answer {
  const field = call.operation.by;
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  if (field === null || resource === undefined) return call;
  const parents = call.values.slice(0, resource.parentNames.length);
  const wanted = call.values[parents.length] ?? '';
  const id = rowId([wanted]);
  for (const row of call.state.rows(call.platform.id, resource.name).under(parents)) {
    if (rowId([String(row.value[field] ?? '')]) === id) return { ...call, values: rowParts(row.id) };
  }
  const message = `${resource.name} entry with ${field} "${wanted}": expected an existing one, got none`;
  return missingParent(call) ?? refuse(404, 'NOT_FOUND', message);
}
