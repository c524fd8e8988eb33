/** Objects there is exactly one of, in the tenant or below a parent. */
import type { Call } from '../http/accepted-call.ts';
import { tagHeader } from '../http/location.ts';
import { type Answer, done } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { type Schema, shapeOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { synthesize } from '../openapi/synthesis.ts';
import { valueCheck } from '../openapi/validators.ts';
import { type Row, rowId, rowParts } from '../state/collection.ts';
import { brokenRule } from '../state/integrity.ts';
import type { JsonObject } from '../state/json-value.ts';
import { observedFacts } from '../state/observed-facts.ts';
import type { Subject, Values } from '../state/platform-behaviour.ts';
import { stageName } from '../state/stage.ts';
import { present, readRow, synthesisFor } from '../state/stored-rows.ts';
import { missing, subjectOf } from '../state/target-row.ts';
import { newDraft, patchedDraft, replacedDraft } from '../state/writing.ts';
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
  const rows = resource === undefined ? undefined : call.state.rows(call.platform.id, resource.name);
  const row = rows?.get(idOf(call));
  const stored =
    resource === undefined || row === undefined ? {} : readRow(call.platform, call.state, call.world, resource, row);
  const told = call.world.output(taskCall(call), subject);
  const staged = stageTold(call);
  if (staged.kind === 'refused') return staged;
  const usual = resource?.isPart === true && row === undefined ? untouched(call, success.schema, subject) : {};
  const place = call.values.join('/');
  const about = askedAbout(call.query);
  // What somebody has written stays as it was written.
  const observed =
    row === rows?.original(idOf(call)) ? observedFacts(call, subject, [place, ...Object.values(about)].join(' ')) : {};
  const facts = { ...observed, ...about };
  return done(
    success.status,
    present(call, success.schema, { ...usual, ...stored, ...facts, ...told, ...staged.values }, place),
  );
}

/** The device or client that the query names is the one that the answer is about. */
function askedAbout(query: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(Object.entries(query).filter(([name]) => /(^|_)(mac|id|serial)$/i.test(name)));
}

/** A part that nobody has stored yet: what the item itself says of it, the rest always the same for this item. */
function untouched(call: Call, schema: Schema, subject: Subject | null): Values {
  const origin = synthesisFor(call, ['part', call.operation.resource ?? '', ...call.values]);
  const { document } = call.operation;
  const { properties } = shapeOf(document, schema);
  const known = { ...subject?.values, ...nearest(call) };
  const given = Object.entries(known).filter(([name, value]) => {
    const property = properties[name];
    return property !== undefined && valueCheck(document, property)(value) === null;
  });
  return synthesize(origin, schema, Object.fromEntries(given)) as Values;
}

/** Of a document whose path names more than objects, such as a metric and a scope: what there is of it for another of them at the same place. */
function nearest(call: Call): Values {
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const [place] = call.values;
  if (resource === undefined || place === undefined || call.values.length < 2) return {};
  const rows = [...call.state.rows(call.platform.id, resource.name).all()];
  const row = rows.find(({ id }) => rowParts(id)[0] === place);
  return row === undefined ? {} : readRow(call.platform, call.state, call.world, resource, row);
}

/** What a change of some fields starts from where nobody has stored anything yet. */
function untouchedRow(call: Call, resource: Resource, subject: Subject | null, id: string): Row | undefined {
  const { readSchema } = resource;
  if (readSchema === null) return undefined;
  return { id, value: untouched(call, readSchema, subject) as JsonObject, secrets: {}, revision: 0 };
}

export function singletonPut(call: Call): Answer {
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const success = successOf(call.operation);
  if (resource === undefined) return done(success.status, call.body);
  const id = idOf(call);
  const isPatch = call.operation.method === 'PATCH';
  const stored = call.state.rows(call.platform.id, resource.name).get(id);
  const row = stored ?? (isPatch && resource.isPart ? untouchedRow(call, resource, subject, id) : undefined);
  const body = (call.body ?? {}) as JsonObject;
  const draft =
    row === undefined
      ? newDraft(call, resource, id, body)
      : isPatch
        ? patchedDraft(call, resource, row, body)
        : replacedDraft(call, resource, row, body);
  const broken = brokenRule(call, resource, id, draft.value, draft.secrets, stored ?? null);
  if (broken !== null) return broken;
  const next = { id, value: draft.value, secrets: draft.secrets, revision: (row?.revision ?? 0) + 1 };
  call.state.put(resource, next);
  call.world.wrote(call, resource, draft.value);
  const staged = stageTold(call);
  if (staged.kind === 'refused') return staged;
  const headers = tagHeader(call.operation, next);
  if (success.schema === null) return done(success.status, undefined, headers);
  return done(success.status, present(call, success.schema, { ...draft.value, ...staged.values }, id), headers);
}

/** A document that is about a stage, such as what is pending in it, or whose writing is the commit. */
function stageTold(call: Call): Effect {
  const word = call.operation.derive['stage'];
  if (typeof word !== 'string') return { kind: 'told', values: {} };
  const result = successOf(call.operation).schema;
  return stageEffect(call, word, { stage: stageName(call), document: call.operation.document, result });
}
