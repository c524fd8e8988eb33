/** The request body: media type, JSON, schema. Unknown fields are refused with the pointer that failed. */

import type { Operation } from '../openapi/served-operation.ts';
import { strictCheck } from '../openapi/validators.ts';
import { type Answer, refuse, refuseAt } from './platform-answer.ts';

export interface ReadBody {
  kind: 'body';
  value: unknown;
}

export function readBody(operation: Operation, media: string | undefined, bytes: Buffer | null): ReadBody | Answer {
  const empty = bytes === null || bytes.length === 0;
  if (operation.body === null) {
    if (empty) return { kind: 'body', value: undefined };
    return refuse(400, 'UNEXPECTED_BODY', `request body: expected none for this operation, got ${bytes.length} bytes`);
  }
  if (empty) {
    if (!operation.body.required) return { kind: 'body', value: undefined };
    return refuse(400, 'MISSING_BODY', 'request body: expected a JSON document, got nothing');
  }
  const declared = Object.keys(operation.body.content);
  const sent = (media ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const accepted = declared.find((entry) => entry === sent) ?? (isJson(sent) && declared.find(isJson)) ?? undefined;
  if (accepted === undefined || accepted === false) {
    const got = sent === '' ? 'no content-type' : `"${sent}"`;
    return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', `content-type: expected ${declared.join(' or ')}, got ${got}`);
  }
  let value: unknown;
  if (accepted === 'application/x-www-form-urlencoded') {
    value = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  } else {
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch (cause) {
      const at = /position \d+/.exec((cause as Error).message)?.[0] ?? 'an unknown position';
      return refuse(400, 'INVALID_JSON', `request body: expected JSON, got text that fails at ${at}`);
    }
  }
  const schema = operation.body.content[accepted]?.schema;
  const found = schema === undefined ? null : strictCheck(operation.document, schema)(value);
  if (found === null) return { kind: 'body', value };
  const code = found.got.startsWith('field "') ? 'UNKNOWN_FIELD' : 'INVALID_FIELD';
  const message = `request body at ${found.pointer || '/'}: expected ${found.expected}, got ${found.got}`;
  return refuseAt(found.pointer.slice(1), 400, code, message);
}

function isJson(media: string): boolean {
  return media === 'application/json' || media.endsWith('+json');
}
