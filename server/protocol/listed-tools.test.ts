/** Pages of `tools/list`: no tool twice, none missing, each page within its bytes. */
import { expect, test } from 'vitest';
import type { PublicTool } from '../tools/public/public-tool.ts';
import { ListedTools } from './listed-tools.ts';

const tool = (name: string, length = 100): PublicTool =>
  ({ definition: { name, description: 'x'.repeat(length), inputSchema: { type: 'object' } } }) as PublicTool;
const TOOLS = Array.from({ length: 50 }, (_, at) => tool(`mgmt_list_${String(at * 7919).padStart(7, '0')}`));

function walk(listed: ListedTools): string[][] {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = listed.page(cursor);
    pages.push(tools.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

test('without a bound the list is one page, sorted, whatever cursor is given', () => {
  const listed = new ListedTools(TOOLS.toReversed());
  const names = TOOLS.map(({ definition }) => definition.name);
  expect(walk(listed)).toEqual([names]);
  expect(listed.page('odd').tools).toHaveLength(50);
});

test('with one, every tool stands on exactly one page, and no page is longer', () => {
  const listed = new ListedTools(TOOLS, 2_000);
  const pages = walk(listed);
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flat()).toEqual(TOOLS.map(({ definition }) => definition.name));
  let cursor: string | undefined;
  for (let at = 0; at < pages.length; at++) {
    const page = listed.page(cursor);
    expect(Buffer.byteLength(JSON.stringify(page.tools))).toBeLessThanOrEqual(2_001);
    cursor = page.nextCursor;
  }
});

test('a tool that is longer than a page is a page of its own', () => {
  expect(walk(new ListedTools([tool('a'), tool('b', 5_000), tool('c')], 1_000))).toEqual([['a'], ['b'], ['c']]);
});

test('a page goes on behind the same name when tools came or went in between', () => {
  const before = new ListedTools(TOOLS, 2_000).page(undefined);
  const last = before.tools.at(-1)?.name ?? '';
  const after = new ListedTools([tool('aaa'), ...TOOLS.filter(({ definition }) => definition.name !== last)], 2_000);
  expect(after.page(before.nextCursor).tools[0]?.name).toBe(TOOLS[before.tools.length]?.definition.name);
});

test.each(['', 'odd!', 'bWdtdA==', Buffer.from('a b').toString('base64url'), Buffer.from('ü').toString('base64url')])(
  'a cursor that no page gave is refused: %j',
  (cursor) => {
    expect(() => new ListedTools(TOOLS, 2_000).page(cursor)).toThrow(
      expect.objectContaining({
        code: -32602,
        message: expect.stringContaining('nextCursor of an earlier tools/list'),
      }),
    );
  },
);
