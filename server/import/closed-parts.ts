/**
 * `allOf` of parts that are closed: each part refuses the fields of the others, so that no value with fields of two parts fits (JSON
 * Schema 2020-12, 10.3.2.3). The author means the fields of all parts and no others: the parts are opened there, and the whole is closed.
 */
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { documentNodes } from './document-nodes.ts';

const DEPTH = 12;

/** Changes the compositions of a document; a part that is used elsewhere too stays closed there. */
export function openClosedParts(content: JsonObject): void {
  const wholes = [...documentNodes(content)].map(({ node }) => node).filter((node) => refusesItself(content, node));
  // Every part is read before a whole is changed: a whole may be the part of another one.
  const opened = wholes.map((whole) => partsOf(whole).map((part) => withoutEnd(content, part, 0)));
  for (const [at, whole] of wholes.entries()) {
    whole['allOf'] = opened[at];
    delete whole['additionalProperties'];
    whole['unevaluatedProperties'] = false;
  }
}

const partsOf = (schema: JsonObject): unknown[] => (Array.isArray(schema['allOf']) ? schema['allOf'] : []);

/** Whether a part refuses what the schema has beside it. */
function refusesItself(content: JsonObject, schema: JsonObject): boolean {
  const parts = partsOf(schema);
  const beside = ['properties', 'oneOf', 'anyOf'].some((keyword) => schema[keyword] !== undefined);
  return (parts.length > 1 || beside) && parts.some((part) => isClosed(content, part, 0));
}

function isClosed(content: JsonObject, part: unknown, depth: number): boolean {
  const schema = stated(content, part);
  if (schema === undefined || depth > DEPTH) return false;
  if (schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false) return true;
  return partsOf(schema).some((inner) => isClosed(content, inner, depth + 1));
}

/** A part that takes other fields as well; what stands in its fields stays as it is. */
function withoutEnd(content: JsonObject, part: unknown, depth: number): unknown {
  const schema = stated(content, part);
  if (schema === undefined || !isClosed(content, schema, depth)) return part;
  const { additionalProperties, unevaluatedProperties, ...rest } = schema;
  return {
    ...rest,
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(unevaluatedProperties === undefined || unevaluatedProperties === false ? {} : { unevaluatedProperties }),
    ...(schema['allOf'] === undefined
      ? {}
      : { allOf: partsOf(schema).map((inner) => withoutEnd(content, inner, depth + 1)) }),
  };
}

/** The schema that a reference names, else the schema itself. */
function stated(content: JsonObject, part: unknown): JsonObject | undefined {
  let at = part;
  for (let hops = 0; isObject(at) && typeof at['$ref'] === 'string'; hops += 1) {
    if (hops > DEPTH) return undefined;
    at = valueAt(content, at['$ref']);
  }
  return isObject(at) ? at : undefined;
}
