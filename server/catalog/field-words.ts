/** What a document says about the fields of an operation: parameters, the body, and what it answers. */
import { answerSchema } from './list-layout.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';
import type { JsonSchema } from './tool.ts';

/** Of a long text the beginning, and of many fields the first: the rest repeats itself. */
const MAX_TEXT = 160;
const MAX_FIELDS = 40;

/** Descriptions of the arguments of a call and of the top-level fields of its body. */
export function askedWords(schema: JsonSchema): string[] {
  const definitions = isObject(schema['$defs']) ? schema['$defs'] : {};
  const resolved = (part: unknown): JsonObject => {
    const reference = isObject(part) ? part['$ref'] : undefined;
    const found = typeof reference === 'string' ? definitions[reference.slice('#/$defs/'.length)] : part;
    return isObject(found) ? found : {};
  };
  const { body, ...parameters } = propertiesOf(schema);
  const fields = [...Object.values(parameters), ...Object.values(propertiesOf(resolved(body)))];
  return fields
    .map((field) => resolved(field)['description'])
    .filter((text) => typeof text === 'string')
    .slice(0, MAX_FIELDS)
    .map((text) => text.slice(0, MAX_TEXT));
}

/** Names of the fields of what is answered; of a list those of its entries too. */
export function answeredWords(document: ApiDocument, operation: JsonObject): string[] {
  const schema = answerSchema(document, operation);
  if (schema === undefined) return [];
  const own = fieldsOf(document, schema);
  const inner = Object.values(own).flatMap((field) => Object.keys(fieldsOf(document, resolveRef(document, field))));
  return [...new Set([...Object.keys(own), ...inner])].slice(0, MAX_FIELDS);
}

const propertiesOf = (schema: JsonObject): JsonObject => (isObject(schema['properties']) ? schema['properties'] : {});

function fieldsOf(document: ApiDocument, schema: JsonObject): JsonObject {
  const entries = schema['items'] === undefined ? schema : resolveRef(document, schema['items']);
  const parts = Array.isArray(entries['allOf']) ? entries['allOf'] : [];
  return Object.assign({}, propertiesOf(entries), ...parts.map((part) => propertiesOf(resolveRef(document, part))));
}
