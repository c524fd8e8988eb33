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
  /^(search|query|find|filter|list|get|fetch|count|export|validate|check|test|preview|estimate|calculate|bulk|batch|delete|remove|update|sync|merge|cancel|move|copy|sort|lookup|match|evaluate|verify|archive|refresh)/i;
/** Words of an operation that does something of which a platform may keep a record: a message sent, a job that runs. */
const STARTS = /^(send|run|execute|trigger)/i;

/** The thing can be seen afterwards, and what is sent, what is answered or the name of the operation says that it is made. */
export function isCreate(operation: Operation, entity: Entity): boolean {
  if (entity.read === null && entity.list === null) return false;
  const { document } = operation;
  const verb = verbOf(operation);
  const { schema, status } = successOf(operation);
  if (DOES.test(verb) && status !== 201) return false;
  const body = bodySchemaOf(operation);
  const { schema: sent, isList } = body === null ? NOTHING_SENT : sentWrapping(document, body, entity);
  // Entries of a list that may be objects can be texts as well.
  if (sent !== null && !isList && !isObjectShaped(document, sent)) return false;
  const kept = Object.keys(fieldsOf(document, entity)).map(plainName);
  const likeness = likenessOf(document, sent, entity);
  if (status === 201 || MAKES.test(verb))
    return likeness.isLike || schema === null || isAnswer(operation, entity, kept);
  if (STARTS.test(verb)) return likeness.isLike && isAnswer(operation, entity, kept) && isOneThing(operation, entity);
  if (schema === null) return sent !== null && likeness.isLike;
  return isAnswer(operation, entity, kept) || isReceipt(operation, likeness);
}

const NOTHING_SENT = { schema: null, isList: false };

interface Likeness {
  /** Number of the sent fields, and of those that a reader of the thing sees. */
  given: number;
  shown: number;
  isLike: boolean;
}

function likenessOf(document: OpenApiDocument, sent: Schema | null, entity: Entity): Likeness {
  const fields = fieldsOf(document, entity);
  const names = sent === null ? [] : Object.keys(propertiesOf(document, sent));
  const { length: given } = names;
  const shown = names.filter(
    (name) =>
      fieldNamed(fields, name, entity.noun) !== undefined ||
      placeInside(document, fields, name, entity.noun) !== undefined,
  ).length;
  const isLike = given === 0 || Object.keys(fields).length === 0 || shown >= Math.min(2, given / 2);
  return { given, shown, isLike };
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

/** The answer is one thing that says its key. */
function isOneThing(operation: Operation, { noun, key }: Entity): boolean {
  const { document } = operation;
  const { schema } = successOf(operation);
  const wrapping = schema === null ? null : wrappingOf(document, schema, noun);
  const [name] = key ?? [];
  return wrapping !== null && !wrapping.isList && name !== undefined && name in propertiesOf(document, wrapping.schema);
}

/** A key alone, or a note about the making: what was sent is nearly the thing, and the answer is no other thing. */
function isReceipt(operation: Operation, { given, shown, isLike }: Likeness): boolean {
  if (!isLike || given === 0) return false;
  const { document } = operation;
  const answered = successOf(operation).schema ?? {};
  if (!isObjectShaped(document, answered)) return typesOf(flat(document, answered)).some((type) => KEY_TYPES.has(type));
  return shown >= 2 && shown * 2 >= given && namesOf(document, answered).length <= RECEIPT_FIELDS;
}

const KEY_TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'number']);
const RECEIPT_FIELDS = 5;

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
