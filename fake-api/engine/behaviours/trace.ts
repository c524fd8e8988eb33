/** GET below an item: what refers to it, and the revisions it went through. */
import type { Call } from '../http/accepted-call.ts';
import { listAnswer, listStyleOf } from '../http/list-answer.ts';
import { type Answer, done } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { itemSchemaOf, type Resource } from '../openapi/stored-resource.ts';
import { type Row, rowParts } from '../state/collection.ts';
import { revisionsOf } from '../state/history.ts';
import type { Values } from '../state/platform-behaviour.ts';
import { assignmentsOf } from '../state/scopes.ts';
import { keyOf, referrersOf } from '../state/stored-rows.ts';
import { missing, subjectOf } from '../state/target-row.ts';

export function references(call: Call): Answer {
  return traced(call, (resource, row) => [
    // A field that only the platform fills is a finding about the object and keeps nothing from it.
    ...referrersOf(call, resource, row)
      .filter(({ field }) => !field.readOnly)
      .map((entry) => ({
        resource: entry.resource.name,
        key: keyText(entry.row.id),
        field: entry.field.path.filter((step) => step !== '[]').join('.'),
      })),
    ...assignmentsOf(call, resource, String(keyOf(resource, row))).map((place) => {
      const [name = '', ...key] = place.split('/');
      return { resource: name, key: key.join('/'), field: 'profile-instance' };
    }),
  ]);
}

/** The key of a row with those of its parents; what exists once has none of its own. */
const keyText = (id: string): string =>
  rowParts(id)
    .filter((part) => part !== '')
    .join('/') || 'singleton';

export function history(call: Call): Answer {
  return traced(call, (resource, row) => [...revisionsOf(call.state.notes, resource, row, call.state.clock.startMs)]);
}

function traced(call: Call, tell: (resource: Resource, row: Row) => object[]): Answer {
  const subject = subjectOf(call, false);
  if (subject === 'missing' || subject === null) return missing(call);
  const row = call.state.rows(call.platform.id, subject.resource.name).get(subject.id);
  const item = itemSchemaOf(call.operation);
  if (row === undefined || item === null)
    return row === undefined ? missing(call) : done(successOf(call.operation).status);
  const entries = tell(subject.resource, row).map((entry, at) => ({ id: String(at), values: entry as Values }));
  return listAnswer(call, entries, item, listStyleOf(call.operation), null);
}
