/** Objects there is exactly one of, in the tenant or below a parent. */
import { type Answer, done } from '../answer.ts';
import type { Call } from '../call.ts';
import { rowId } from '../collection.ts';
import { brokenRule } from '../integrity.ts';
import type { JsonObject } from '../json.ts';
import { successOf } from '../operation.ts';
import { present, readRow } from '../rows.ts';
import { stageName } from '../stage.ts';
import { missing, subjectOf } from '../subject.ts';
import { newDraft, patchedDraft, replacedDraft } from '../writing.ts';
import { taskCall } from './computed.ts';
import { type Effect, stageEffect } from './effect.ts';

/** The row of a singleton is named by its parents and an empty key. */
function idOf(call: Call): string {
  return rowId([...call.values, '']);
}

export function singletonGet(call: Call): Answer {
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const success = successOf(call.operation);
  if (success.schema === null) return done(success.status);
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const row = resource === undefined ? undefined : call.state.rows(call.platform.id, resource.name).get(idOf(call));
  const stored =
    resource === undefined || row === undefined ? {} : readRow(call.platform, call.state, call.world, resource, row);
  const told = call.world.output(taskCall(call), subject);
  const staged = stageTold(call);
  if (staged.kind === 'refused') return staged;
  const values = { ...stored, ...told, ...staged.values };
  return done(success.status, present(call, success.schema, values, call.values.join('/')));
}

export function singletonPut(call: Call): Answer {
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const success = successOf(call.operation);
  if (resource === undefined) return done(success.status, call.body);
  const id = idOf(call);
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  const body = (call.body ?? {}) as JsonObject;
  const isPatch = call.operation.method === 'PATCH';
  const draft =
    row === undefined
      ? newDraft(call, resource, id, body)
      : isPatch
        ? patchedDraft(call, resource, row, body)
        : replacedDraft(call, resource, row, body);
  const broken = brokenRule(call, resource, id, draft.value, draft.secrets, row ?? null);
  if (broken !== null) return broken;
  call.state.put(resource, { id, value: draft.value, secrets: draft.secrets, revision: (row?.revision ?? 0) + 1 });
  call.world.wrote(call, resource, draft.value);
  const staged = stageTold(call);
  if (staged.kind === 'refused') return staged;
  if (success.schema === null) return done(success.status);
  return done(success.status, present(call, success.schema, { ...draft.value, ...staged.values }, id));
}

/** A document that is about a stage, such as what is pending in it, or whose writing is the commit. */
function stageTold(call: Call): Effect {
  const word = call.operation.derive['stage'];
  if (typeof word !== 'string') return { kind: 'told', values: {} };
  const result = successOf(call.operation).schema;
  return stageEffect(call, word, { stage: stageName(call), document: call.operation.document, result });
}
