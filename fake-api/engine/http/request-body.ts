/** The request body: media type, JSON, schema. Unknown fields are refused with the pointer that failed. */

import type { OpenApiDocument, Schema } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { strictCheck } from '../openapi/validators.ts';
import { type Answer, refuse, refuseAt } from './platform-answer.ts';

export interface ReadBody {
  kind: 'body';
  value: unknown;
}

export function readBody(operation: Operation, media: string | undefined, bytes: Buffer | null): ReadBody | Answer {
  const { body } = operation;
  if (bytes === null || bytes.length === 0) {
    if (body?.required !== true) return { kind: 'body', value: undefined };
    return refuse(400, 'MISSING_BODY', 'request body: expected a JSON document, got nothing');
  }
  if (body === null)
    return refuse(400, 'UNEXPECTED_BODY', `request body: expected none for this operation, got ${bytes.length} bytes`);
  const declared = Object.keys(body.content);
  const sent = (media ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const accepted = declared.find((entry) => entry === sent) ?? (isJson(sent) ? declared.find(isJson) : undefined);
  if (accepted === undefined) {
    const got = sent === '' ? 'no content-type' : `"${sent}"`;
    return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', `content-type: expected ${declared.join(' or ')}, got ${got}`);
  }
  const read = parseBody(accepted, bytes.toString('utf8'));
  if (read.kind !== 'body') return read;
  return invalidField(operation.document, body.content[accepted]?.schema, read.value) ?? read;
}

function invalidField(document: OpenApiDocument, schema: Schema | undefined, value: unknown): Answer | null {
  const found = schema === undefined ? null : strictCheck(document, schema)(value);
  if (found === null) return null;
  const code = found.got.startsWith('field "') ? 'UNKNOWN_FIELD' : 'INVALID_FIELD';
  const message = `request body at ${found.pointer || '/'}: expected ${found.expected}, got ${found.got}`;
  return refuseAt(found.pointer.slice(1), 400, code, message);
}

function parseBody(media: string, text: string): ReadBody | Answer {
  if (media === 'application/x-www-form-urlencoded')
    return { kind: 'body', value: Object.fromEntries(new URLSearchParams(text)) };
  try {
    return { kind: 'body', value: JSON.parse(text) };
  } catch (cause) {
    const at = /position \d+/.exec((cause as Error).message)?.[0] ?? 'an unknown position';
    return refuse(400, 'INVALID_JSON', `request body: expected JSON, got text that fails at ${at}`);
  }
}

function isJson(media: string): boolean {
  return media === 'application/json' || media.endsWith('+json');
}
