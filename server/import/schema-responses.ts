/**
 * Responses that are a reference to a schema (`200: {$ref: '#/components/schemas/Device'}`). OpenAPI has a Response Object there, of
 * which such a schema says nothing; what is meant is an answer in JSON that the schema describes.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, pointerPart } from '../catalog/platform-document.ts';
import type { Finding } from './import-finding.ts';

const SCHEMA = /^#\/components\/schemas\/[^/]+$/;

/** Changes the document. */
export function stateAnswersOfSchemas(content: JsonObject, document: string, findings: Finding[]): void {
  const components = isObject(content['components']) ? content['components'] : {};
  const changed = [...operationsIn(content), { pointer: '/components', holder: components }].flatMap(
    ({ pointer, holder }) => stateAnswersIn(holder['responses']).map((name) => `${pointer}/responses/${name}`),
  );
  const [first] = changed;
  if (first === undefined) return;
  findings.push({
    document,
    pointer: first,
    message: `a reference to a schema is no response (${changed.length} of them): taken as an answer in JSON of that schema`,
    remedy: 'put the reference below content/application~1json/schema',
  });
}

function operationsIn(content: JsonObject): { pointer: string; holder: JsonObject }[] {
  return Object.entries(content['paths'] as JsonObject).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const holder = isObject(item) ? item[method] : undefined;
      return isObject(holder) ? [{ pointer: `/paths/${pointerPart(path)}/${method}`, holder }] : [];
    }),
  );
}

/** Names of those that were changed. */
function stateAnswersIn(responses: unknown): string[] {
  if (!isObject(responses)) return [];
  const names = Object.keys(responses).filter((name) => {
    const response = responses[name];
    return isObject(response) && typeof response['$ref'] === 'string' && SCHEMA.test(response['$ref']);
  });
  for (const name of names)
    responses[name] = { description: '', content: { 'application/json': { schema: responses[name] } } };
  return names.map(pointerPart);
}
