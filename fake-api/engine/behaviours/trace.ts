/** GET below an item: what refers to it, and the revisions it went through. */
import { type Answer, done } from '../answer.ts';
import type { Call } from '../call.ts';
import { type Row, rowParts } from '../collection.ts';
import { revisionsOf } from '../history.ts';
import { listAnswer, listStyleOf } from '../list-answer.ts';
import { successOf } from '../operation.ts';
import { itemSchemaOf, type Resource } from '../resource.ts';
import { keyOf, referrersOf } from '../rows.ts';
import { assignmentsOf } from '../scopes.ts';
import { missing, subjectOf } from '../subject.ts';
import type { Values } from '../world.ts';

export function references(call: Call): Answer {
  return traced(call, (resource, row) => [
    ...referrersOf(call, resource, row).map((entry) => ({
      resource: entry.resource.name,
      key: rowParts(entry.row.id).join('/'),
      field: entry.field.path.filter((step) => step !== '[]').join('.'),
    })),
    ...assignmentsOf(call, resource, String(keyOf(resource, row))).map((place) => {
      const [name = '', ...key] = place.split('/');
      return { resource: name, key: key.join('/'), field: 'profile-instance' };
    }),
  ]);
}

export function history(call: Call): Answer {
  return traced(call, (resource, row) => [...revisionsOf(call.state, resource, row, call.state.clock.startMs)]);
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
