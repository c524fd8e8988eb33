import { expect, test } from 'vitest';
import { readListLayout } from './list-layout.ts';
import type { ApiDocument } from './platform-document.ts';

const port = { type: 'object', properties: { speed: { type: 'integer' } } };
const map = (entry: object) => ({ type: 'object', additionalProperties: entry });
const schemas = { Port: port, Ports: map({ $ref: '#/components/schemas/Port' }) };

function layoutOf(path: string, schema: object, method = 'GET') {
  const document = { id: 'switch', content: { components: { schemas } } } as unknown as ApiDocument;
  const operation = { responses: { 200: { content: { 'application/json': { schema } } } } };
  return readListLayout(document, method, path, operation);
}

test.each([
  ['/ports', map(port), { property: null, keyed: true }],
  ['/ports', { $ref: '#/components/schemas/Ports' }, { property: null, keyed: true }],
  ['/switch/{id}/switch-ports', { type: 'object', properties: { switchPorts: map(port) } }, { property: 'switchPorts', keyed: true }],
  ['/ports', { type: 'object', properties: { data: map(port), count: { type: 'integer' } } }, { property: 'data', keyed: true }],
  ['/ports', { type: 'object', properties: { ports: { type: 'array' } } }, { property: 'ports' }],
])('%s with entries in %j is a list', (path, schema, layout) => {
  expect(layoutOf(path, schema)).toEqual(layout);
}); // biome-ignore format: a case a line

test.each([
  ['one thing', '/ports/{id}', map(port)],
  ['names with plain values', '/labels', map({ type: 'string' })],
  ['a thing with other fields', '/ports', { ...map(port), properties: { id: { type: 'string' } } }],
  ['a map that is called otherwise', '/ports', { type: 'object', properties: { extra: map(port) } }],
])('%s is none', (_, path, schema) => {
  expect(layoutOf(path, schema)).toBeUndefined();
});

test('what a POST answers is none', () => {
  expect(layoutOf('/ports', map(port), 'POST')).toBeUndefined();
});
