/**
 * Responses that are a reference to a schema (`200: {$ref: '#/components/schemas/Device'}`). OpenAPI has a Response Object there, of
 * which such a schema says nothing; what is meant is an answer in JSON that the schema describes.
 */
import { isObject } from '../engine/state/json-value.ts';
import type { Warnings } from './document-warning.ts';

type Fields = Record<string, unknown>;

const SCHEMA = /^#\/components\/schemas\/[^/]+$/;

/** Changes the document. */
export function stateAnswersOfSchemas(content: Fields, warnings: Warnings): void {
  stateIn(['components'], content['components'], warnings);
  for (const [template, item] of Object.entries(content['paths'] as Fields))
    for (const [method, operation] of Object.entries(isObject(item) ? item : {}))
      stateIn(['paths', template, method], operation, warnings);
}

function stateIn(path: readonly string[], holder: unknown, warnings: Warnings): void {
  const responses = isObject(holder) ? holder['responses'] : undefined;
  for (const [name, response] of Object.entries(isObject(responses) ? responses : {})) {
    if (!isObject(response) || typeof response['$ref'] !== 'string' || !SCHEMA.test(response['$ref'])) continue;
    (responses as Fields)[name] = { description: '', content: { 'application/json': { schema: response } } };
    warnings.add(
      [...path, 'responses', name],
      'a reference to a schema is no response, it is taken as an answer in JSON of that schema',
      'put the reference below content/application~1json/schema',
    );
  }
}
