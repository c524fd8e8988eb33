/** What a reference to a path item or an operation brings: its known fields, copied for each place that names it. */
import { METHODS } from '../catalog/operation-source.ts';
import type { JsonObject } from '../catalog/platform-document.ts';
import { RouterError } from '../errors.ts';

/** Where the parts of a document from other files stand in it. */
export const PARTS = 'x-svc-parts';
/** Fields of an operation and of a path item (OpenAPI 3.1, 4.8.9 and 4.8.10): what a reference to one may bring. */
export const OPERATION = new Set(
  'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers'.split(
    ' ',
  ),
);
const PATH_ITEM = new Set([...METHODS, 'trace', 'query', 'summary', 'description', 'servers', 'parameters']);
/** Many operations may refer to one; a document whose operations grow beyond this is an attack on its reader. */
const MAX_FOLLOWED = 64 * 1024 * 1024;

/** Copies values, as long as all of them together stay within a bound. */
export function boundedCopies(file: string): (value: JsonObject) => JsonObject {
  let size = 0;
  return (value) => {
    const text = JSON.stringify(value);
    size += text.length;
    if (size > MAX_FOLLOWED)
      throw new RouterError(
        'DOCUMENT_INVALID',
        `${file}: operations that are references should hold at most ${MAX_FOLLOWED} bytes together`,
      );
    return JSON.parse(text) as JsonObject;
  };
}

export function fieldsOf(node: JsonObject, fields: ReadonlySet<string>): JsonObject {
  const known = ([key]: [string, unknown]) => fields.has(key) || (key.startsWith('x-') && key !== PARTS);
  return Object.fromEntries(Object.entries(node).filter(known));
}

/** A path item with the fields beside its reference, which win; a parameter named twice is the later one. */
export function joinedItem(target: JsonObject, { $ref: _, ...beside }: JsonObject): JsonObject {
  const parameters = [target['parameters'], beside['parameters']].flatMap((list) => (Array.isArray(list) ? list : []));
  const joined = { ...fieldsOf(target, PATH_ITEM), ...beside };
  return parameters.length > 0 ? { ...joined, parameters } : joined;
}
