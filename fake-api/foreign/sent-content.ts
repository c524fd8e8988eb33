/** Content that a call put at a path as a whole, bytes or text: a read of that path gives it back as it was. */
import type { Call } from '../engine/http/accepted-call.ts';
import { isJson } from '../engine/http/media-type.ts';
import type { Answer, Done } from '../engine/http/platform-answer.ts';
import type { Outcome } from '../engine/openapi/declared-outcome.ts';
import { flat } from '../engine/openapi/flattened-schema.ts';

interface Content {
  media: string;
  /** One character for each byte. */
  bytes: string;
}

/** Types whose content has a structure that the fake writes and reads. */
const STRUCTURED = /json|xml|yaml|csv|event-stream|x-www-form-urlencoded|^multipart\//i;

/** Whether an answer is bytes or text: its type has no structure, and its schema has none either. */
export function isUnstructured({ operation: { document } }: Call, { media, schema }: Outcome): boolean {
  if (media === null || media === '*/*' || STRUCTURED.test(media)) return false;
  const { properties, items } = flat(document, schema ?? {});
  return properties === undefined && items === undefined;
}

const noteOf = ({ platform }: Call, path: string): string => `content ${platform.id} ${path}`;

/** Keeps what a successful call sent: at the path of what it made, else at its own; what is removed takes its content along. */
export function keepContent(call: Call, answer: Answer): void {
  if (answer.kind !== 'done' || answer.status >= 300) return;
  const { body, bodyMedia, operation, state } = call;
  if (operation.method === 'DELETE') state.notes.delete(noteOf(call, call.concretePath));
  if (typeof body !== 'string' || isJson(bodyMedia)) return;
  const bytes = bodyMedia.startsWith('text/') ? Buffer.from(body).toString('latin1') : body;
  const content: Content = { media: bodyMedia, bytes };
  state.notes.set(noteOf(call, answer.headers?.['location'] ?? call.concretePath), content);
}

/** The content of the path of a call in its declared type; undefined where nobody put one there, or the answer is of another kind. */
export function keptContent(call: Call, { status, media }: Outcome): Done | undefined {
  if (media === null || isJson(media) || call.operation.method !== 'GET') return undefined;
  const kept = call.state.notes.get(noteOf(call, call.concretePath)) as Content | undefined;
  if (kept === undefined) return undefined;
  return {
    kind: 'done',
    status,
    media: media.includes('*') ? kept.media : media,
    body: kept.bytes,
    encoding: 'latin1',
  };
}
