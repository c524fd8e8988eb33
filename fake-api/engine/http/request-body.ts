/** The request body: media type, content, schema. Unknown fields are refused with the pointer that failed. */
import { flat } from '../openapi/flattened-schema.ts';
import { type MediaObject, type OpenApiDocument, type Schema, typesOf } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { strictCheck } from '../openapi/validators.ts';
import { parsedBody } from './body-content.ts';
import type { BodyConventions, SchemaCheck } from './conventions.ts';
import { acceptedMedia, isJson, mediaTypeOf, preferredMedia } from './media-type.ts';
import { type Refusal, refuse, refuseAt } from './platform-answer.ts';

export interface ReadBody {
  kind: 'body';
  value: unknown;
  schema: Schema | null;
  media: string;
}

const NO_BODY: ReadBody = { kind: 'body', value: undefined, schema: null, media: '' };
/** The media type has to be stated, and names that the schema does not declare are refused. */
export const STRICT_BODY: BodyConventions = { check: strictCheck, isLenient: false };

export function readBody(
  operation: Operation,
  contentType: string,
  bytes: Buffer | null,
  conventions: BodyConventions,
): ReadBody | Refusal {
  const { body, document } = operation;
  if (bytes === null || bytes.length === 0) return body?.required === true ? missingBody(body.content) : NO_BODY;
  if (body === null) return unexpectedBody(bytes, conventions);
  const sent = mediaTypeOf(contentType);
  const accepted = acceptedEntry(body.content, sent, conventions);
  if (accepted === null) {
    const got = sent === '' ? 'no content-type' : `"${sent}"`;
    const expected = Object.keys(body.content).join(' or ');
    return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', `content-type: expected ${expected}, got ${got}`);
  }
  const { schema, media } = accepted;
  const read = parsedBody({ document, schema, media, contentType, bytes });
  if (!read.ok) return refuse(400, isJson(media) ? 'INVALID_JSON' : 'INVALID_BODY', `request body: ${read.problem}`);
  const judged = isUnread(document, schema, media, read.value) ? null : schema;
  return (
    invalidField(document, judged, read.value, conventions.check) ?? { kind: 'body', value: read.value, schema, media }
  );
}

/** A text such as XML, whose schema says what its elements are: it is taken as it is. */
function isUnread(document: OpenApiDocument, schema: Schema | null, media: string, value: unknown): boolean {
  if (schema === null || typeof value !== 'string' || isJson(media) || media.includes('yaml')) return false;
  const types = typesOf(flat(document, schema));
  return types.length > 0 && !types.includes('string');
}

function missingBody(content: Record<string, MediaObject>): Refusal {
  const declared = Object.keys(content);
  const expected = declared.every(isJson) ? 'a JSON document' : declared.join(' or ');
  return refuse(400, 'MISSING_BODY', `request body: expected ${expected}, got nothing`);
}

function unexpectedBody(bytes: Buffer, { isLenient }: BodyConventions): ReadBody | Refusal {
  if (isLenient && bytes.toString('utf8').trim() === '{}') return NO_BODY;
  const message = `request body: expected none for this operation, got ${bytes.length} bytes`;
  return refuse(400, 'UNEXPECTED_BODY', message);
}

/** The media type to read the body as, with its declared schema; null for one that is not declared. */
function acceptedEntry(
  content: Record<string, MediaObject>,
  sent: string,
  { isLenient }: BodyConventions,
): { schema: Schema | null; media: string } | null {
  const declared = Object.keys(content);
  if (isLenient && declared.length === 0) return { schema: null, media: sent };
  const accepted = isLenient && sent === '' ? preferredMedia(declared) : acceptedMedia(declared, sent);
  if (accepted === null) return null;
  return { schema: content[accepted]?.schema ?? null, media: sent === '' ? mediaTypeOf(accepted) : sent };
}

function invalidField(
  document: OpenApiDocument,
  schema: Schema | null,
  value: unknown,
  check: SchemaCheck,
): Refusal | null {
  const found = schema === null ? null : check(document, schema)(value);
  if (found === null) return null;
  const code = found.got.startsWith('field "') ? 'UNKNOWN_FIELD' : 'INVALID_FIELD';
  const message = `request body at ${found.pointer || '/'}: expected ${found.expected}, got ${found.got}`;
  return refuseAt(found.pointer.slice(1), 400, code, message);
}
