/** Fields of an answer that its document declares as secrets. */
import { type ApiDocument, isObject, type JsonObject, resolveRef, valueAt } from './platform-document.ts';
import { declaresSecret } from './request-schema.ts';
import { subSchemas } from './sub-schemas.ts';

/**
 * Names of the fields that are masked wherever they stand in the answer: `format: password` or `writeOnly` in its schema or in that
 * of the body, because an answer may repeat what was sent. A name that the same schema also gives to a field that is no secret
 * is left out: of an object that has both, masking would hide what it is called.
 */
export function answerSecrets(document: ApiDocument, operation: JsonObject): string[] {
  const answered = answerSchemas(document, operation).flatMap((schema) => onlySecret(document, [schema]));
  const sent = onlySecret(document, mediaSchemas(document, operation['requestBody']));
  return [...new Set([...answered, ...sent])].sort();
}

function onlySecret(document: ApiDocument, roots: readonly unknown[]): string[] {
  const secret = new Set<string>();
  const plain = new Set<string>();
  const open = [...roots];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const schema = open.pop();
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const fields = fieldsIn(document, schema);
    for (const name of fields.secret) secret.add(name);
    for (const name of fields.plain) plain.add(name);
    open.push(...fields.referred);
  }
  return [...secret].filter((name) => !plain.has(name));
}

/** Names of the fields in a schema, and the schemas that it refers to. */
interface Fields {
  secret: Set<string>;
  plain: Set<string>;
  referred: Set<unknown>;
}

/** Most operations of a document share their schemas, so each is read once. */
const known = new WeakMap<object, Fields>();

function fieldsIn(document: ApiDocument, schema: JsonObject): Fields {
  const found = known.get(schema) ?? readFields(document, schema);
  known.set(schema, found);
  return found;
}

function readFields(document: ApiDocument, schema: JsonObject): Fields {
  const fields: Fields = { secret: new Set(), plain: new Set(), referred: new Set() };
  for (const part of subSchemas(schema)) {
    fields.referred.add(referred(document, part));
    const { properties } = part;
    for (const [name, field] of Object.entries(isObject(properties) ? properties : {}))
      (declaresSecret(field) || declaresSecret(referred(document, field)) ? fields.secret : fields.plain).add(name);
  }
  return fields;
}

function referred({ content }: ApiDocument, schema: unknown): unknown {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  return typeof reference === 'string' ? valueAt(content, reference) : undefined;
}

/** Of every success, in every media type: which of them an answer is, its platform decides. */
function answerSchemas(document: ApiDocument, { responses }: JsonObject): unknown[] {
  return Object.entries(isObject(responses) ? responses : {})
    .filter(([status]) => /^(?:2|default$)/i.test(status))
    .flatMap(([, response]) => mediaSchemas(document, response));
}

/** What a request or an answer holds, by its media types. */
function mediaSchemas(document: ApiDocument, message: unknown): unknown[] {
  const { content } = resolveRef(document, message);
  return Object.values(isObject(content) ? content : {}).map((media) =>
    isObject(media) ? media['schema'] : undefined,
  );
}
