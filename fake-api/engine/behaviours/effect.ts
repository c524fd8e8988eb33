/** What an action does to state, as its model declares it under `derive:`, at once or when its task completes. */
import type { Call } from '../http/accepted-call.ts';
import { type Refusal, refuse } from '../http/platform-answer.ts';
import { type OpenApiDocument, plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { valueCheck } from '../openapi/validators.ts';
import { stageAnswer } from '../state/action-facts.ts';
import { isoSeconds } from '../state/clock.ts';
import { rowParts } from '../state/collection.ts';
import { deedStamps } from '../state/deed-stamps.ts';
import { isObject, type JsonObject } from '../state/json-value.ts';
import { actOnNamed } from '../state/named-rows.ts';
import type { Subject, TaskCall, Values } from '../state/platform-behaviour.ts';
import { partSecrets } from '../state/secrets.ts';
import { sensibleValue } from '../state/sensible-row.ts';
import { commit, discard, pendingChanges, rollback, versionsOf, writingTo } from '../state/stage.ts';
import type { Change } from '../state/stage-contents.ts';
import type { State } from '../state/state.ts';
import { readRow } from '../state/stored-rows.ts';
import { cloneOne, createOne, removeOne } from '../state/storing.ts';
import { toldResults } from '../state/told-results.ts';
import { isUpgrade, upgrade } from '../state/upgrades.ts';

/** Values for the result, or why it could not be done. */
export type Effect = { kind: 'told'; values: Values; created?: string } | Refusal;

const told = (values: Values): Effect => ({ kind: 'told', values });

/** What an effect needs to know beside the call: the stage it was made in, and the shape of what it may tell. */
export interface Setting {
  stage: string;
  document: OpenApiDocument;
  result: Schema | null;
}

/** Effects on state first, so that what is told afterwards is true. */
export function carryOut(call: Call, of: TaskCall, subject: Subject | null, setting: Setting): Effect {
  const declared = declaredEffect(call, of, subject, setting);
  if (declared.kind === 'refused') return declared;
  const named = actOnNamed(call, of, subject);
  const values = call.world.effect(of, subject);
  const result = { document: setting.document, schema: setting.result };
  const releases = isUpgrade(call.operation) ? upgrade(call, of, subject, result) : {};
  const told = call.operation.kind === 'action' ? toldResults(of, result, named) : {};
  const said = { ...declared.values, ...call.world.output(of, subject), ...releases, ...values };
  return { ...declared, values: { ...told, ...said } };
}

function declaredEffect(call: Call, of: TaskCall, subject: Subject | null, setting: Setting): Effect {
  const { derive, kind } = call.operation;
  if (derive['import'] === true) return importAll(call);
  const staged = typeof derive['stage'] === 'string' ? stageEffect(call, derive['stage'], setting) : told({});
  if (staged.kind === 'refused' || subject === null) return staged;
  const { set } = derive;
  // What a commit says of its object is no change that waits for the next one.
  const place = typeof derive['stage'] === 'string' ? null : call.state.stage;
  if (isObject(set)) writingTo(call.state, place, () => applySet(call, subject, set, of.input));
  if (derive['clone'] === true) return clone(call, subject);
  if (derive['remove'] === true || kind === 'delete') {
    const refused = removeOne(call, subject.resource, subject.id);
    return refused?.kind === 'refused' ? refused : told(subject.values);
  }
  return staged;
}

/** `derive: {set: {field: value}}` of the model: `$now` and `$input.name` stand for what they say. */
function applySet(call: Call, subject: Subject, set: Record<string, unknown>, input: Values): void {
  const { state } = call;
  const change: JsonObject = {};
  for (const [name, wanted] of Object.entries(set)) {
    const value = typeof wanted === 'string' ? meant(wanted, input, state) : wanted;
    if (value !== undefined) change[name] = value as JsonObject[string];
  }
  const row = state.rows(subject.resource.platform, subject.resource.name).get(subject.id);
  if (row !== undefined) {
    Object.assign(change, deedStamps(subject.resource, change, isoSeconds(state.clock.ms)));
    const value = sensibleValue(subject.resource, { ...row.value, ...change }, state.clock.ms, Object.keys(change));
    state.put(subject.resource, { ...row, value, revision: row.revision + 1 });
  } else if (subject.resource.derive['tasks'] === true) {
    endTask(call, subject, change);
  }
}

/** A task is a row that follows from state: setting its state, as a cancellation does, ends it. */
function endTask({ state, platform }: Call, subject: Subject, change: JsonObject): void {
  const task = state.tasks.get(rowParts(subject.id).at(-1) ?? '');
  const field = task === undefined ? undefined : platform.byId.get(task.operationId)?.async?.state;
  const wanted = field === undefined ? undefined : change[field];
  if (task === undefined || task.endedAt !== null || typeof wanted !== 'string') return;
  task.status = wanted;
  task.endedAt = isoSeconds(state.clock.ms);
  state.touch();
}

function meant(text: string, input: Values, state: State): unknown {
  if (text === '$now') return isoSeconds(state.clock.ms);
  return text.startsWith('$input.') ? input[text.slice('$input.'.length)] : text;
}

function clone(call: Call, subject: Subject): Effect {
  const { resource } = subject;
  const row = call.state.rows(resource.platform, resource.name).get(subject.id);
  if (row === undefined) return told({});
  const id = cloneOne(call, resource, row, isObject(call.body) ? (call.body as JsonObject) : {});
  if (typeof id !== 'string') return id as Refusal;
  const made = call.state.rows(resource.platform, resource.name).get(id);
  const values = made === undefined ? {} : readRow(call.platform, call.state, call.world, resource, made);
  return { kind: 'told', values, created: id };
}

/** Every entry is a create of its own: one that exists is skipped, one that is refused fails, the others come in. */
function importAll(call: Call): Effect {
  const resource = call.platform.resources.get(call.operation.resource ?? '');
  const sent = isObject(call.body) ? Object.values(call.body).find(Array.isArray) : undefined;
  if (resource === undefined) return told({});
  const counts = { created: 0, skipped: 0, failed: 0 };
  const check = resource.createSchema === null ? null : valueCheck(resource.document, resource.createSchema);
  for (const entry of (sent ?? []) as JsonObject[]) {
    const stored = check?.(entry) == null ? createOne(call, resource, entry) : null;
    if (stored === null) counts.failed += 1;
    else if (typeof stored === 'string') counts.created += 1;
    else if (stored.status === 409) counts.skipped += 1;
    else counts.failed += 1;
  }
  return told({ ...counts });
}

/** Commits, discards, lists or rolls back, and says so in the shape of the result. */
export function stageEffect(call: Call, word: string, { stage, document, result }: Setting): Effect {
  const changes = stageChanges(call, word, stage);
  if (!Array.isArray(changes)) return changes;
  if (result === null) return told({});
  const version = versionsOf(call.state, stage).length;
  const facts = { changes, version, at: call.state.clock.iso(), words: textsOf(call) };
  return told(stageAnswer(document, result, facts));
}

function stageChanges(call: Call, word: string, stage: string): Change[] | Extract<Effect, { kind: 'refused' }> {
  const { state, platform } = call;
  switch (word) {
    case 'commit':
      return commit(state, platform, stage, textsOf(call));
    case 'discard':
    case 'revert':
      return discard(state, platform, stage);
    case 'rollback': {
      const version = versionAsked(call);
      const changes = rollback(state, platform, stage, version);
      if (changes !== null) return changes;
      const known = versionsOf(state, stage).length;
      return refuse(
        404,
        'VERSION_NOT_FOUND',
        `version: expected one of 0 to ${known}, the commits of this stage, got ${version}`,
      );
    }
    default:
      return pendingChanges(state, platform, stage);
  }
}

/** What the author of a commit wrote about it, passwords excepted. */
function textsOf({ body, operation }: Call): Record<string, string> {
  if (!isObject(body)) return {};
  const schema = operation.body?.content['application/json']?.schema ?? null;
  const { value } = partSecrets(operation.document, schema, body as JsonObject);
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The whole number of the body, else the last path value. */
function versionAsked(call: Call): number {
  const schema = call.operation.body?.content['application/json']?.schema;
  const fields = schema === undefined ? {} : shapeOf(call.operation.document, schema).properties;
  const named = Object.keys(fields).find((name) =>
    typesOf(plain(call.operation.document, fields[name] ?? {})).includes('integer'),
  );
  const body = isObject(call.body) ? call.body : {};
  return Number(named === undefined ? call.values.at(-1) : body[named]);
}
