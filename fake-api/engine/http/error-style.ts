/** How refusals of a platform look: their media type, and which property tells what. */
import type { OpenApiDocument } from '../openapi/openapi-document.ts';
import { isObject } from '../state/json-value.ts';

export type ErrorMeaning =
  | 'status'
  | 'code'
  | 'message'
  | 'title'
  | 'type'
  | 'debug-id'
  | 'fields'
  | 'field-list'
  | 'pointer';

export interface ErrorStyle {
  media: string;
  /** Property → what it tells; null where a refusal is its message and nothing else. */
  body: Record<string, ErrorMeaning> | null;
}

const USUAL: ErrorStyle = {
  media: 'application/json',
  body: { httpStatusCode: 'status', errorCode: 'code', message: 'message', debugId: 'debug-id' },
};

export function errorStyleOf(documents: readonly OpenApiDocument[]): ErrorStyle {
  const stated = documents.map((document) => document['x-svc-errors']).find(isObject);
  return stated === undefined ? USUAL : (stated as unknown as ErrorStyle);
}
