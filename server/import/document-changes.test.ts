import { expect, test } from 'vitest';
import type { Capability } from '../access/access-policy.ts';
import { changeLines, changesBetween, type VersionedTool } from './document-changes.ts';

const tool = (operation: string, capability: Capability = 'read', schema = {}, name = operation): VersionedTool => {
  const [method = '', path = ''] = operation.split(' ');
  return { tool: { name, method, path, capability }, schema };
};

test('operations are new, gone, or checked by another schema', () => {
  const before = [tool('GET /a'), tool('GET /b', 'read', { properties: { x: { type: 'string' } } })];
  const after = [tool('GET /b', 'read', { properties: { x: { type: 'integer' } } }), tool('POST /a', 'write')];
  expect(changesBetween(before, after)).toEqual({
    added: ['POST /a'],
    removed: ['GET /a'],
    schemas: ['GET /b'],
    renamed: [],
    classes: [],
  });
});

test('a class that rose or fell is named, however many there are', () => {
  const many = Array.from({ length: 8 }, (_, at) => `GET /jobs/${at}/disable`);
  const changes = changesBetween(
    [...many.map((operation) => tool(operation)), tool('POST /search', 'write')],
    [...many.map((operation) => tool(operation, 'destructive')), tool('POST /search', 'read')],
  );
  const lines = changeLines(changes);
  expect(lines).toHaveLength(9);
  expect(lines[0]).toBe('the class of GET /jobs/0/disable rose from read to destructive');
  expect(lines[8]).toBe('the class of POST /search fell from write to read');
});

test('long lists are counted and begun', () => {
  const changes = changesBetween(
    [],
    Array.from({ length: 7 }, (_, at) => tool(`GET /x${at}`)),
  );
  expect(changeLines(changes)).toEqual(['7 operations new: GET /x0, GET /x1, GET /x2, GET /x3, GET /x4 and 2 more']);
});

test('the same documents change nothing', () => {
  const same = [tool('GET /a'), tool('PUT /a', 'write', { type: 'object' })];
  expect(changeLines(changesBetween(same, structuredClone(same)))).toEqual([]);
});

test('a tool of the same operation with another name is told', () => {
  expect(changesBetween([tool('GET /a', 'read', {}, 'x_a')], [tool('GET /a', 'read', {}, 'x_b')]).renamed).toEqual([
    'x_a → x_b',
  ]);
});
