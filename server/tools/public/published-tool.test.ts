/** A backend tool under its own name: where its arguments go. */
import { expect, test } from 'vitest';
import type { Call, Invoker } from '../../dispatch/dispatch-call.ts';
import { toolOf } from '../../test/support/tools-in-memory.ts';
import type { Caller } from './public-tool.ts';
import { publishedTool } from './published-tool.ts';

const query = (name: string) => ({
  argument: name,
  name,
  in: 'query' as const,
  required: false,
  style: 'form',
  explode: true,
});

/** Where calls go: each is kept, and succeeds. */
function recording(calls: Call[], properties: Record<string, object>): Invoker {
  return {
    schema: () => ({ type: 'object', properties }),
    invoke: async (call) => {
      calls.push(call);
      return { kind: 'done', result: {}, outcome: 'success' };
    },
  };
}

test.each([
  ['limit', 'page_cursor', { limit: 5 }],
  ['page_cursor', 'router_page_cursor', { page_cursor: 'of the platform' }],
])('a list that takes %s goes on by %s, and its platform gets its own', async (own, cursor, args) => {
  const { tool } = toolOf({ name: 'shop_list_orders', list: { property: null }, parameters: [query(own)] });
  const calls: Call[] = [];
  const published = publishedTool(recording(calls, { [own]: {} }), tool, 'elicit');
  expect(Object.keys(published.definition.inputSchema.properties ?? {})).toEqual([own, cursor]);
  await published.run(args, {} as Caller);
  await published.run({ ...args, [cursor]: 'of the router' }, {} as Caller);
  expect(calls.map((call) => [call.arguments, call.cursor])).toEqual([
    [args, undefined],
    [args, 'of the router'],
  ]);
});

test.each([
  ['read', ['of the router', {}]],
  ['write', [undefined, { page_cursor: 'of the router' }]],
] as const)('of a %s that is no list the cursor is %j', async (capability, expected) => {
  const { tool } = toolOf({ name: 'shop_get_report', parameters: [], capability });
  const calls: Call[] = [];
  const published = publishedTool(recording(calls, {}), tool, 'elicit');
  expect(Object.keys(published.definition.inputSchema.properties ?? {})).not.toContain('page_cursor');
  await published.run({ page_cursor: 'of the router' }, {} as Caller);
  expect(calls.map((call) => [call.cursor, call.arguments])).toEqual([expected]);
});
