/** Answers of a foreign platform as bytes: in the declared media type, errors in the declared error body. */
import { stringify } from 'yaml';
import type { EngineResponse } from '../engine/http/request-pipeline.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { isJson, outcomeOf, refusalOutcome, successOutcome } from './declared-outcomes.ts';
import { drawFitting } from './drawn-values.ts';
import type { ForeignDone, ForeignRefusal } from './foreign-call.ts';
import type { ForeignOperation } from './foreign-operations.ts';
import type { ForeignPlatform } from './foreign-platform.ts';

export function rendered(operation: ForeignOperation, said: ForeignDone, accept: string): EngineResponse {
  if (said.value === undefined) return { status: said.status, headers: said.headers, body: '' };
  const outcome =
    operation.responses[String(said.status)] === undefined
      ? successOutcome(operation)
      : outcomeOf(operation, String(said.status), said.status);
  const declared = Object.keys(outcome.response?.content ?? {});
  const asked = declared.find((media) => accept.split(',').some((entry) => entry.split(';')[0]?.trim() === media));
  const media = asked !== undefined && (isJson(asked) || outcome.media === asked) ? asked : outcome.media;
  if (media === null) return { status: said.status, headers: said.headers, body: '' };
  const type = media === '*/*' || media.includes('*') ? 'application/json' : media;
  return { status: said.status, headers: { ...said.headers, 'content-type': type }, body: textOf(type, said.value) };
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
  return [names.map(cell), ...rows.map((row) => names.map((name) => cell(row[name] ?? '')))]
    .map((line) => line.join(','))
    .join('\r\n');
}

/** Names under which platforms say what went wrong; an error schema takes those it declares. */
function words(status: number, message: string): Record<string, unknown> {
  return {
    message,
    error: message,
    detail: message,
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

export function renderedRefusal(
  platform: ForeignPlatform,
  state: State,
  operation: ForeignOperation | null,
  said: ForeignRefusal,
  sequence: number,
): EngineResponse {
  const outcome = refusalOutcome(operation, said.status, said.mayMove);
  const headers = { ...said.headers };
  const plain = JSON.stringify({ message: said.message, status: outcome.status });
  if (operation === null || outcome.response === null)
    return { status: outcome.status, headers: { ...headers, 'content-type': 'application/json' }, body: plain };
  if (outcome.media === null || outcome.schema === null) return { status: outcome.status, headers, body: '' };
  const of = {
    document: operation.document,
    origin: [state.seed, platform.id, 'error', sequence],
    nowMs: state.clock.ms,
    direction: 'response' as const,
    sparse: true,
  };
  const given = words(outcome.status, said.message);
  const { value } = drawFitting(of, outcome.schema, given);
  const type = outcome.media.includes('*') ? 'application/json' : outcome.media;
  return { status: outcome.status, headers: { ...headers, 'content-type': type }, body: textOf(type, value) };
}
