/** Fields of an answer that its document declares as secrets. */
import { answerSchema } from './list-layout.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef, valueAt } from './platform-document.ts';
import { subSchemas } from './sub-schemas.ts';

/**
 * Names of the fields that are masked wherever they stand in the answer: `format: password` or `writeOnly` in its schema or in that
 * of the body, because an answer may repeat what was sent. A name that the same schema also gives to a field that is no secret
 * is left out: of an object that has both, masking would hide what it is called.
 */
export function answerSecrets(document: ApiDocument, operation: JsonObject): string[] {
  const answered = onlySecret(document, [answerSchema(document, operation)]);
  const sent = onlySecret(document, bodySchemas(document, operation));
  return [...new Set([...answered, ...sent])].sort();
}

function onlySecret(document: ApiDocument, roots: readonly unknown[]): string[] {
  const secret = new Set<string>();
  const plain = new Set<string>();
  for (const { properties } of reachableFrom(document, roots))
    for (const [name, field] of Object.entries(isObject(properties) ? properties : {}))
      (isSecret(field) || isSecret(referred(document, field)) ? secret : plain).add(name);
  return [...secret].filter((name) => !plain.has(name));
}

/** Every schema below these, also through references, each once. */
function* reachableFrom(document: ApiDocument, roots: readonly unknown[]): Generator<JsonObject> {
  const open = [...roots];
  const seen = new Set<unknown>([undefined]);
  while (open.length > 0) {
    const next = open.pop();
    if (seen.has(next)) continue;
    seen.add(next);
    for (const schema of subSchemas(next)) {
      open.push(referred(document, schema));
      yield schema;
    }
  }
}

const isSecret = (schema: unknown): boolean =>
  isObject(schema) && (schema['format'] === 'password' || schema['writeOnly'] === true);

function referred({ content }: ApiDocument, schema: unknown): unknown {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  return typeof reference === 'string' ? valueAt(content, reference) : undefined;
}

function bodySchemas(document: ApiDocument, operation: JsonObject): unknown[] {
  const { content } = resolveRef(document, operation['requestBody']);
  return Object.values(isObject(content) ? content : {}).map((media) =>
    isObject(media) ? media['schema'] : undefined,
  );
}
