/** One POST that adds, changes or deletes an object, as a field of its body says; without the field whichever fits. */
import type { Call } from '../http/accepted-call.ts';
import { verdictOf } from '../http/hidden-refusal.ts';
import { type Answer, done } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { rowId } from '../state/collection.ts';
import { conditional } from '../state/integrity.ts';
import type { JsonObject } from '../state/json-value.ts';
import type { SetWords } from '../state/operation-semantics.ts';
import { missingPlace } from '../state/scopes.ts';
import { createOne, notFound, removeOne, store } from '../state/storing.ts';
import { missingParent } from '../state/target-row.ts';
import { newDraft, patchedDraft } from '../state/writing.ts';

export function set(call: Call): Answer {
  const { operation, platform, state } = call;
  const resource = platform.resources.get(operation.resource ?? '');
  const words = operation.set;
  if (resource === undefined || words === null) return done(successOf(operation).status);
  const early = missingParent(call) ?? missingPlace(call, resource);
  if (early !== null) return early;
  const { [words.field]: word, ...body } = (call.body ?? {}) as JsonObject;
  const id = idOf(call, resource, body);
  const exists = state.rows(platform.id, resource.name).get(id) !== undefined;
  const action = typeof word === 'string' ? word : exists || resource.singleton ? words.modify : words.add;
  const refused = carryOut(call, resource, words, action, id, body);
  return refused ?? told(call, { key: resource.singleton ? '' : keyText(resource, body), action });
}

function idOf(call: Call, resource: Resource, body: JsonObject): string {
  const parents = call.values.slice(0, resource.parentNames.length);
  return rowId([
    ...parents,
    ...(resource.singleton ? [''] : resource.keyNames.map((name) => String(body[name] ?? ''))),
  ]);
}

function keyText(resource: Resource, body: JsonObject): string {
  return resource.keyNames.map((name) => String(body[name] ?? '')).join('/');
}

function carryOut(
  call: Call,
  resource: Resource,
  words: SetWords,
  action: string,
  id: string,
  body: JsonObject,
): Answer | null {
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  if (action === words.delete) return removeOne(call, resource, id);
  if (action === words.add) {
    // Only an addition needs every setting; the rule stands on the body under the word for it.
    const lacking = conditional(call, resource, { ...body, [words.field]: words.add }, {});
    if (lacking !== null) return lacking;
    const stored = createOne(call, resource, body);
    return typeof stored === 'string' ? null : stored;
  }
  if (row === undefined && !resource.singleton) return notFound(resource, [keyText(resource, body)]);
  const draft = row === undefined ? newDraft(call, resource, id, body) : patchedDraft(call, resource, row, body);
  const stored = store(call, resource, id, draft, (row?.revision ?? 0) + 1);
  return typeof stored === 'string' ? null : stored;
}

/** What was done to the object, and the verdict on the whole call. */
function told(call: Call, result: { key: string; action: string }): Answer {
  const { outcome } = call.operation;
  const { status, schema } = successOf(call.operation);
  if (schema === null) return done(status);
  const verdict = outcome === null ? {} : verdictOf(outcome, outcome.ok, 'Success');
  return done(status, { ...verdict, _result: { ...result, status: 0, status_str: 'Success' } });
}
