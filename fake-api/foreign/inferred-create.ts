/** Whether a POST on a collection makes one of its things. */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Entity } from './entity.ts';
import { nounOf } from './item-path.ts';
import { wrappingOf } from './list-envelope.ts';
import { fieldNamed, fieldsOf, placeInside, sentWrapping } from './sent-wrapping.ts';

/** Words of an operation that makes something, and of one that does something else at the place of a collection. */
const MAKES = /^(create|add|new|register|insert|post|make|provision|upsert|save|put|import|upload)/i;
const DOES =
  /^(search|query|find|filter|list|get|fetch|count|export|validate|check|test|preview|estimate|calculate|bulk|batch|delete|remove|update|sync|merge|send|run|execute|trigger|cancel|move|copy|sort|lookup|match|evaluate|verify|archive|refresh)/i;

/** The thing can be seen afterwards, and what is sent, what is answered or the name of the operation says that it is made. */
export function isCreate(operation: Operation, entity: Entity): boolean {
  if (entity.read === null && entity.list === null) return false;
  const { document } = operation;
  const sent = bodySchemaOf(operation);
  const { schema, status } = successOf(operation);
  if (DOES.test(verbOf(operation)) && status !== 201) return false;
  const isObject = sent === null ? null : isObjectShaped(document, sentWrapping(document, sent, entity).schema);
  if (isObject === false) return false;
  const fields = fieldsOf(document, entity);
  const kept = Object.keys(fields).map(plainName);
  const bare = sent === null ? null : sentWrapping(document, sent, entity).schema;
  const given = namesOf(document, bare);
  const shown = shownOf(document, fields, bare, entity.noun);
  const isLike = given.length === 0 || kept.length === 0 || shown >= Math.min(2, given.length / 2);
  if (status === 201 || MAKES.test(verbOf(operation)))
    return isLike || schema === null || isAnswer(operation, entity, kept);
  if (schema === null) return sent !== null && isLike;
  return isAnswer(operation, entity, kept) || (isLike && given.length > 0 && isReceipt(operation, shown, given.length));
}

/** The answer looks like the thing. One that shares hardly a field is about something else, such as a report. */
function isAnswer(operation: Operation, entity: Entity, kept: readonly string[]): boolean {
  const { document } = operation;
  const { schema } = successOf(operation);
  if (schema === null) return false;
  const inner = wrappingOf(document, schema, entity.noun).schema;
  if (!isObjectShaped(document, inner)) return false;
  const answered = namesOf(document, inner);
  if (answered.length === 0 || kept.length === 0) return true;
  return answered.filter((name) => kept.includes(name)).length >= Math.min(2, answered.length);
}

/** A key alone, or a note about the making: what was sent is nearly the thing, and the answer is no other thing. */
function isReceipt(operation: Operation, shown: number, given: number): boolean {
  const { document } = operation;
  const answered = successOf(operation).schema ?? {};
  if (!isObjectShaped(document, answered)) return typesOf(flat(document, answered)).some((type) => KEY_TYPES.has(type));
  return shown >= 2 && shown * 2 >= given && namesOf(document, answered).length <= RECEIPT_FIELDS;
}

const KEY_TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'number']);
const RECEIPT_FIELDS = 5;

/** How many of the sent fields the thing has, itself or in an object inside. */
function shownOf(
  document: OpenApiDocument,
  fields: Readonly<Record<string, Schema>>,
  sent: Schema | null,
  noun: string,
): number {
  const names = sent === null ? [] : Object.keys(propertiesOf(document, sent));
  return names.filter(
    (name) => fieldNamed(fields, name, noun) !== undefined || placeInside(document, fields, name, noun) !== undefined,
  ).length;
}

function namesOf(document: OpenApiDocument, schema: Schema | null): string[] {
  return schema === null ? [] : Object.keys(propertiesOf(document, schema)).map(plainName);
}

/**
 * First word of the operationId below its group, the last one where that is a verb (`UpdateGroups_Post`), else of the last words of the
 * path; the plain name of the collection is no verb (`/contacts/lists`).
 */
function verbOf({ id, template, method }: Operation): string {
  const name = id.split(/[/.:]/).at(-1) ?? '';
  if (id !== `${method.toLowerCase()} ${template}`)
    return (
      /_(post|create|add|insert|new)$/i.exec(name)?.[1] ??
      /^[A-Za-z]+_((?:[Cc]reate|[Aa]dd|[Pp]ost|[Rr]egister|[Ii]nsert)[A-Z].*)$/.exec(name)?.[1] ??
      name.replace(/^[^A-Za-z]+/, '')
    );
  const noun = nounOf(template);
  return /s$/i.test(noun) ? '' : noun;
}

/** Whether what is sent is, by its names, what a read of the same path answers. */
export function isSentAsRead(write: Operation, read: Operation): boolean {
  const { document } = write;
  const noun = nounOf(write.template);
  const bare = (schema: Schema | null) =>
    schema === null ? [] : namesOf(document, wrappingOf(document, schema, noun).schema);
  const [sent, answered] = [bare(bodySchemaOf(write)), bare(successOf(read).schema)];
  const shared = sent.filter((name) => answered.includes(name)).length;
  return shared > 0 && shared * 3 >= sent.length * 2;
}

export function bodySchemaOf(operation: Operation): Schema | null {
  const content = operation.body?.content ?? {};
  const media = Object.keys(content);
  const name = media.find((entry) => /json/i.test(entry)) ?? media.find((entry) => /form/i.test(entry));
  return name === undefined ? null : (content[name]?.schema ?? null);
}

export function isObjectShaped(document: OpenApiDocument, schema: Schema): boolean {
  const at = flat(document, schema);
  const types = typesOf(at);
  if (types.length > 0) return types.includes('object');
  const branches = at.oneOf ?? at.anyOf;
  return branches === undefined || branches.every((branch) => isObjectShaped(document, branch));
}
