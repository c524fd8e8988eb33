import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';

/** The responses that are successes, by status; `default` where the operation declares no other status below 400 (OpenAPI 3.1, 4.8.16). */
export function successesOf(document: ApiDocument, operation: JsonObject): JsonObject[] {
  const responses = isObject(operation['responses']) ? operation['responses'] : {};
  const statuses = Object.keys(responses);
  const stated = statuses.filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  const found = statuses.some((status) => /^[1-3]/.test(status)) ? stated : statuses.filter((one) => one === 'default');
  return found.map((status) => resolveRef(document, responses[status]));
}
