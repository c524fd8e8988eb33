/** Answers of a foreign platform as bytes: in the declared media type, errors in the declared error body. */
import { stringify } from 'yaml';
import type { Rendered, Where } from '../engine/http/conventions.ts';
import { isJson, negotiatedMedia } from '../engine/http/media-type.ts';
import type { Done, Refusal } from '../engine/http/platform-answer.ts';
import { outcomeOf, successOf } from '../engine/openapi/declared-outcome.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject, own } from '../engine/state/json-value.ts';
import { refusalOutcome } from './declared-outcomes.ts';
import { drawFitting } from './drawn-values.ts';

export function rendered(answer: Done, operation: Operation | null, accept: string): Rendered {
  const { status, body, media: stated, encoding } = answer;
  if (body !== undefined && stated !== undefined)
    return { status, media: concrete(stated), body: textOf(stated, body), ...(encoding ? { encoding } : {}) };
  if (body === undefined || operation === null) return { status, media: null, body: '' };
  const isDeclared = operation.responses[String(status)] !== undefined;
  const { response } = isDeclared ? outcomeOf(operation, String(status), status) : successOf(operation);
  const media = concrete(negotiatedMedia(Object.keys(response?.content ?? {}), accept));
  return { status, media, body: media === null ? '' : textOf(media, body) };
}

const OF_RANGE: Readonly<Record<string, string>> = {
  'image/*': 'image/png',
  'audio/*': 'audio/mpeg',
  'video/*': 'video/mp4',
  'text/*': 'text/plain',
  'font/*': 'font/woff2',
  'model/*': 'model/stl',
};

/** A type of a range of media types; JSON where the range has it. */
function concrete(media: string | null): string | null {
  return media?.includes('*') === true ? (OF_RANGE[media] ?? 'application/json') : media;
}

function textOf(media: string, value: unknown): string {
  if (isJson(media)) return JSON.stringify(value);
  if (/event-stream/.test(media))
    return [1, 2, 3].map((id) => `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`).join('');
  if (/csv/.test(media)) return csvOf(value);
  if (/yaml/.test(media)) return typeof value === 'string' ? value : stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function csvOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const rows = (Array.isArray(value) ? value : [value]).filter(isObject);
  const names = Object.keys(rows[0] ?? {});
  const cell = (entry: unknown): string =>
    `"${String(typeof entry === 'object' ? JSON.stringify(entry) : entry).replaceAll('"', '""')}"`;
  return [names.map(cell), ...rows.map((row) => names.map((name) => cell(own(row, name) ?? '')))]
    .map((line) => line.join(','))
    .join('\r\n');
}

/** Names under which platforms say what went wrong; an error schema takes those it declares. */
function words(status: number, message: string): Record<string, unknown> {
  return {
    message,
    error: message,
    detail: message,
    details: message,
    msg: message,
    errorMessage: message,
    error_message: message,
    title: message,
    description: message,
    error_description: message,
    reason: message,
    status,
    code: status,
    statusCode: status,
    errors: [message],
  };
}

/** In a list of errors, one that has the words for which an entry has names. */
function inErrorBody(document: OpenApiDocument, schema: Schema, said: Record<string, unknown>): unknown {
  const at = flat(document, schema);
  if (!typesOf(at).includes('array')) return said;
  const names = new Set(Object.keys(propertiesOf(document, at.items ?? {})));
  return [Object.fromEntries(Object.entries(said).filter(([name]) => names.has(name)))];
}

export function renderedRefusal(refusal: Refusal, operation: Operation | null, where: Where): Rendered {
  const { status, response, media, schema } = refusalOutcome(operation, refusal);
  if (operation === null || response === null)
    return { status, media: 'application/json', body: JSON.stringify({ message: refusal.message, status }) };
  const type = concrete(media);
  if (type === null || schema === null) return { status, media: null, body: '' };
  const { platform, state, sequence } = where;
  const of = {
    document: operation.document,
    origin: [state.seed, platform.id, 'error', sequence],
    nowMs: state.clock.ms,
    direction: 'response' as const,
    sparse: true,
  };
  const said = words(status, refusal.message);
  const { value } = drawFitting(of, schema, inErrorBody(operation.document, schema, said));
  return { status, media: type, body: textOf(type, value) };
}
