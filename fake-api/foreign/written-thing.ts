/** A thing as a write leaves it: made, replaced or changed. */
import { type Refusal, refuse } from '../engine/http/platform-answer.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import { CREATED, UPDATED } from '../engine/state/writing.ts';
import { accepted } from './accepted-fields.ts';
import type { Entity } from './entity.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { applySteps, type FailedPatch } from './json-patch.ts';
import { withReadOnly } from './kept-fields.ts';
import { valueAtPath, withoutAt, withValueAt } from './key-path.ts';
import { fieldsOf } from './sent-wrapping.ts';
import { type ForeignCall, shaped } from './shaped-value.ts';
import type { SentThing } from './wrapped-thing.ts';

export function isGone(call: ForeignCall, entity: Entity): boolean {
  return call.things.isGone(call.things.path(entity, call.values));
}

/** Only objects are remembered; of anything else the platform knows no more than that it is there. */
export function keeps(entity: Entity): boolean {
  if (entity.schema === null) return false;
  const at = flat(entity.resource.document, entity.schema);
  return at.items === undefined && (at.type === undefined || [at.type].flat().includes('object'));
}

/** A thing just made: what was sent, its place, and whatever else its schema demands. */
export function begun(call: ForeignCall, entity: Entity, values: readonly string[], sent: JsonObject): JsonObject {
  const given = { ...call.things.atPlace(entity, values, sent), ...statedBeside(entity, sent) };
  if (entity.schema === null || !keeps(entity)) return given;
  const drawn = shaped(call, entity.schema, given, [entity.name, ...values], true);
  return isObject(drawn) ? ({ ...onlyListed(call, entity, given), ...drawn } as JsonObject) : given;
}

/** Fields that rows of the list have and a read of the thing does not. */
function onlyListed({ operation }: ForeignCall, entity: Entity, row: JsonObject): JsonObject {
  const read = entity.schema === null ? {} : propertiesOf(operation.document, entity.schema);
  const listed = fieldsOf(operation.document, entity);
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !Object.hasOwn(read, name) && Object.hasOwn(listed, name)),
  );
}

/** What was sent counts more than what the path says, except for the key. */
function statedBeside({ key }: Entity, sent: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== key?.[0]));
}

/** What a caller may say of a thing that is made: its `readOnly` fields are the platform's. */
export function settable(
  { operation }: ForeignCall,
  entity: Entity,
  sent: Schema | null,
  value: JsonObject,
): JsonObject {
  return withReadOnly(operation.document, { shown: entity.schema, sent }, {}, value) as JsonObject;
}

/** The thing with the time of the write where it says when it was made or changed, unless the body says so (`sent`). */
export function stamped(
  { operation, state }: ForeignCall,
  entity: Entity,
  sent: Schema | null,
  row: JsonObject,
  isMade: boolean,
): JsonObject {
  const { document } = operation;
  const said = new Set(Object.keys(sent === null ? {} : propertiesOf(document, sent)).map(plainName));
  const shown = entity.schema === null ? {} : propertiesOf(document, entity.schema);
  const names = Object.keys(shown).filter((name) => {
    const { format, readOnly } = flat(document, shown[name] as Schema);
    const plain = plainName(name);
    if (format !== 'date-time' || (said.has(plain) && readOnly !== true)) return false;
    return UPDATED.test(plain) || (isMade && CREATED.test(plain));
  });
  return { ...row, ...Object.fromEntries(names.map((name) => [name, state.clock.iso()])) };
}

export interface Written {
  row: JsonObject;
  secrets: Record<string, string>;
}

/** The thing as it was sent. What no body can say stays: its `readOnly` fields, and those that the schema of the body lacks. */
export function replaced(call: ForeignCall, entity: Entity, sent: SentThing): Written {
  const { value, secrets } = accepted(call, entity, sent);
  if (isGone(call, entity)) {
    const row = begun(call, entity, call.values, settable(call, entity, sent.schema, value));
    return { row: stamped(call, entity, sent.schema, row, true), secrets };
  }
  const row = begun(call, entity, call.values, value);
  const kept = keptIn(call, entity, sent.schema, { ...row, ...unsaid(call, entity, sent, value) });
  return { row: stamped(call, entity, sent.schema, kept, false), secrets };
}

/** Fields of the thing as it is that a body has no place for. A schema without fields has a place for each. */
function unsaid(call: ForeignCall, entity: Entity, { schema }: SentThing, value: JsonObject): JsonObject {
  const stated = schema === null ? [] : Object.keys(propertiesOf(call.operation.document, schema)).map(plainName);
  if (stated.length === 0) return {};
  const current = Object.entries(call.things.read(entity, call.values));
  return Object.fromEntries(
    current.filter(([name]) => !stated.includes(plainName(name)) && !Object.hasOwn(value, name)),
  );
}

/** The thing with what was sent, as the media type of the body means it. Its key and its `readOnly` fields stay. */
export function changed(call: ForeignCall, entity: Entity, sent: SentThing): Written | Refusal {
  const current = call.things.read(entity, call.values);
  if (call.bodyMedia === 'application/json-patch+json' && Array.isArray(call.body)) {
    const patched = applySteps(current, call.body);
    if (patched.kind === 'failed') return refusedStep(call, patched);
    const row = stamped(call, entity, null, keptIn(call, entity, null, patched.value), false);
    return fitting(call, entity, { row, secrets: {} });
  }
  const isMerge = /merge-patch\+json$/.test(call.bodyMedia);
  const { value, secrets } = accepted(call, entity, sent, { current, isPatch: isMerge });
  const merged = isMerge ? withMerged(call, entity, current, value) : { ...current, ...value };
  const row = stamped(call, entity, sent.schema, keptIn(call, entity, sent.schema, merged), false);
  const written = { row, secrets };
  return isMerge ? fitting(call, entity, written) : written;
}

/** What was written, with the key and the `readOnly` fields as they were. */
function keptIn(call: ForeignCall, entity: Entity, sent: Schema | null, after: Record<string, unknown>): JsonObject {
  const current = call.things.read(entity, call.values);
  const path = entity.key ?? [];
  const key = entity.key === null ? undefined : valueAtPath(current, path);
  const isRenamed = key !== undefined && valueAtPath(after, path) !== key;
  const keyed = isRenamed ? (withValueAt(after, path, key) as JsonObject) : after;
  const schemas = { shown: entity.schema, sent };
  return withReadOnly(call.operation.document, schemas, current, keyed) as JsonObject;
}

/** The thing with what a merge patch says; null takes a field away, unless the thing must have it. */
function withMerged({ operation }: ForeignCall, entity: Entity, current: JsonObject, value: JsonObject): JsonObject {
  const required = entity.schema === null ? [] : (flat(operation.document, entity.schema).required ?? []);
  const cleared = Object.keys(value).filter((name) => value[name] === null && !required.includes(name));
  const merged: unknown = { ...current, ...value };
  return cleared.reduce((whole, name) => withoutAt(whole, [name]), merged) as JsonObject;
}

/** A patch that would leave what its schema refuses changes nothing. */
function fitting(call: ForeignCall, entity: Entity, written: Written): Written | Refusal {
  if (entity.schema === null) return written;
  const check = checkOf(call.operation.document, entity.schema, 'shown');
  const problem = check(call.things.read(entity, call.values)) === null ? check(written.row) : null;
  if (problem === null) return written;
  const { pointer, expected, got } = problem;
  return refuse(
    422,
    'INVALID_BODY',
    `${call.concretePath} after the patch, at ${pointer || '/'}: expected ${expected}, got ${got}`,
  );
}

function refusedStep(call: ForeignCall, { isTest, step, expected }: FailedPatch): Refusal {
  const message = `request body at /${step}: expected ${expected} in ${call.concretePath}, so no step is done`;
  return isTest ? refuse(409, 'CONFLICT', message) : refuse(422, 'INVALID_BODY', message);
}
