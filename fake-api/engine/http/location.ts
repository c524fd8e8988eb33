/** Headers of an answer that say where an object is and which revision of it was read. */
import { successOf } from '../openapi/declared-outcome.ts';
import { filled } from '../openapi/route-template.ts';
import type { Operation } from '../openapi/served-operation.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { type Row, rowParts } from '../state/collection.ts';
import { digestOf } from '../state/json-value.ts';
import type { Subject } from '../state/platform-behaviour.ts';
import type { Call } from './accepted-call.ts';

export function declaresHeader(operation: Operation, name: string): boolean {
  return Object.hasOwn(operation.responses[String(successOf(operation).status)]?.headers ?? {}, name);
}

/** Path of an object, where the operation declares to answer with it. */
export function locationHeader(call: Call, resource: Resource, id: string): Record<string, string> {
  if (resource.itemTemplate === null || !declaresHeader(call.operation, 'Location')) return {};
  return { location: filled(resource.itemTemplate, rowParts(id)) };
}

export function itemLocation(call: Call, subject: Subject | null, id: string): Record<string, string> | undefined {
  return subject === null ? undefined : locationHeader(call, subject.resource, id);
}

/** The tag of a row follows from its content, so two equal rows have equal tags, whatever happened in between. */
export function tagOf(row: Pick<Row, 'value' | 'secrets'>): string {
  return `"${digestOf([row.value, row.secrets]).slice('sha256:'.length, 'sha256:'.length + 20)}"`;
}

/** Whether a condition such as `If-Match` names the tag (RFC 9110 §13.1.1). */
export function namesTag(condition: string, tag: string): boolean {
  const named = condition.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return condition.trim() === '*' || named.includes(tag);
}

export function tagHeader(operation: Operation, row: Row | undefined): Record<string, string> {
  return row !== undefined && declaresHeader(operation, 'ETag') ? { etag: tagOf(row) } : {};
}
