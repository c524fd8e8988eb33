/**
 * `allOf` of parts that are closed: each part refuses the fields of the others, so that no value with fields of two parts fits (JSON
 * Schema 2020-12, 10.3.2.3). What is sent is taken as the author means it: the fields of all parts and no others.
 */
import { type OpenApiDocument, resolve, type Schema } from '../engine/openapi/openapi-document.ts';

const DEPTH = 12;

/** The same schema, or a copy with its parts open and the whole closed. */
export function withOpenParts(document: OpenApiDocument, schema: Schema): Schema {
  const { allOf, additionalProperties, ...rest } = schema;
  if (allOf === undefined || !Array.isArray(allOf)) return schema;
  const beside = schema.properties !== undefined || schema.oneOf !== undefined || schema.anyOf !== undefined;
  if ((allOf.length < 2 && !beside) || !allOf.some((part) => isClosed(document, part, 0))) return schema;
  return {
    ...rest,
    ...withoutEnd({ additionalProperties } as Schema),
    allOf: allOf.map((part) => opened(document, part, 0)),
    unevaluatedProperties: false,
  } as Schema;
}

const isEnd = (value: unknown): boolean => value === undefined || value === false;

function withoutEnd({ additionalProperties, unevaluatedProperties, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(isEnd(additionalProperties) ? {} : { additionalProperties }),
    ...(isEnd(unevaluatedProperties) ? {} : { unevaluatedProperties }),
  } as Schema;
}

function isClosed(document: OpenApiDocument, part: Schema, depth: number): boolean {
  if (depth > DEPTH) return false;
  const at = resolve(document, part);
  if (at.additionalProperties === false || at.unevaluatedProperties === false) return true;
  return (at.allOf ?? []).some((inner) => isClosed(document, inner, depth + 1));
}

/** A part that takes other fields as well; what stands in its fields stays as it is. */
function opened(document: OpenApiDocument, part: Schema, depth: number): Schema {
  if (!isClosed(document, part, depth)) return part;
  const open = withoutEnd(resolve(document, part));
  return open.allOf === undefined
    ? open
    : { ...open, allOf: open.allOf.map((inner) => opened(document, inner, depth + 1)) };
}
