import { expect, test } from 'vitest';
import type { Capability } from '../access/access-policy.ts';
import { changeLines, changesBetween, type VersionedTool } from './document-changes.ts';

const tool = (operation: string, capability: Capability = 'read', schema = {}, name = operation): VersionedTool => {
  const [method = '', path = ''] = operation.split(' ');
  return { tool: { name, document: 'api', method, path, capability }, schema };
};

/** An operation behind a fragment, of which calls go to the path before it. */
const behindFragment = (operation: string, capability: Capability): VersionedTool => {
  const { tool: written, schema } = tool(operation, capability);
  return { tool: { ...written, path: written.path.split('#')[0] ?? '', statedPath: written.path }, schema };
};

const of = (document: string, entry: VersionedTool): VersionedTool => ({ ...entry, tool: { ...entry.tool, document } });

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

test('a schema that was stored and read again is no other one', () => {
  const made = { $defs: Object.assign(Object.create(null), { book: { type: 'object' } }) };
  const stored = JSON.parse(JSON.stringify(made));
  expect(changesBetween([tool('GET /a', 'read', stored)], [tool('GET /a', 'read', made)]).schemas).toEqual([]);
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

test('operations of one address are compared each with itself', () => {
  const before = [
    behindFragment('GET /#Action=ListUsers', 'read'),
    behindFragment('GET /#Action=DeleteUser', 'destructive'),
  ];
  expect(changeLines(changesBetween(before, before))).toEqual([]);
  const after = [behindFragment('GET /#Action=ListUsers', 'destructive'), before[1] as VersionedTool];
  expect(changeLines(changesBetween(before, after))).toEqual([
    'the class of GET /#Action=ListUsers rose from read to destructive',
  ]);
});

test('an operation that two documents have is compared within its document', () => {
  const before = [of('a', tool('POST /x', 'read')), of('b', tool('POST /x', 'destructive'))];
  expect(changeLines(changesBetween(before, before.toReversed()))).toEqual([]);
  const after = [of('b', tool('POST /x', 'destructive')), of('a', tool('POST /x', 'write'))];
  expect(changesBetween(before, after).classes).toEqual([{ operation: 'POST /x', from: 'read', to: 'write' }]);
});

test('a class is compared also where the document has another file name, or another document has the operation now', () => {
  const before = [of('shop-1', tool('GET /x')), of('shop-1', tool('GET /y'))];
  const after = [of('shop-2', tool('GET /x', 'destructive')), of('shop-2', tool('GET /y'))];
  expect(changeLines(changesBetween(before, after))).toEqual(['the class of GET /x rose from read to destructive']);
  const added = [...before, of('more', tool('GET /x', 'destructive'))];
  expect(changesBetween(before, added)).toMatchObject({ added: ['GET /x'], removed: [], classes: [] });
});
