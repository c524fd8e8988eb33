import { expect, test } from 'vitest';
import { definitionOf } from './proxy-definition.ts';

const ID = 'https://proxy.example/1';

function judged(schema: object): unknown {
  const responses = { 200: { description: '', content: { 'application/json': { schema } } } };
  const document = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: { '/a': { get: { responses } } } };
  const { paths } = definitionOf(document, ID) as unknown as {
    paths: { '/a': { get: { responses: { 200: { content: { 'application/json': { schema: unknown } } } } } } };
  };
  return paths['/a'].get.responses[200].content['application/json'].schema;
}

test.each([
  [{ type: 'array', items: { type: 'string' }, enum: ['a'] }, { type: 'array', items: { type: 'string', enum: ['a'] } }],
  [{ type: 'array', enum: [['a'], []] }, { type: 'array', enum: [['a'], []] }],
  [{ type: 'string', pattern: '/^a$/' }, { type: 'string', pattern: '^a$' }],
  [{ type: 'string', pattern: '/^a$/i' }, { type: 'string' }],
  [{ type: 'string', pattern: '/a/' }, { type: 'string', pattern: '/a/' }],
  [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a'] }],
  [{ type: 'integer', enum: ['1', '2'] }, {}],
  [{ type: 'integer', enum: [1, '2'] }, { type: 'integer', enum: [1, '2'] }],
])('%o is judged as %o: what no value fits is read as its author means it, and nothing else is', (written, read) => {
  expect(judged(written)).toEqual(read);
}); // biome-ignore format: a case a line
