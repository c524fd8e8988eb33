import { expect, test } from 'vitest';
import type { McpClient, ToolAnswer } from './agent-client.ts';
import { followPoll } from './poll.ts';

const answer = (json: unknown): ToolAnswer => ({ isError: false, texts: [JSON.stringify(json)], json });

/** A subject that answers one reading after the other. */
function readings(...states: unknown[]): McpClient & { left: () => number } {
  const waiting = [...states];
  return {
    calls: 0,
    left: () => waiting.length,
    listTools: async () => [],
    callTool: async () => answer(waiting.shift()),
  };
}

test.each([
  ['status', 'RUNNING', 'COMPLETED'],
  ['state', 'pending', 'failed'],
  ['phase', 'RUNNING', 'DONE'],
  ['phase', 'WAITING', 'EXPIRED'],
])('a task is followed until its %s leaves %s for %s, and no further', async (field, running, end) => {
  const mcp = readings({ [field]: running }, { [field]: end }, { [field]: 'never read' });
  const last = await followPoll(mcp, 'read', answer({ poll: { tool: 'get_result', arguments: {} } }));
  expect(last.json).toEqual({ [field]: end });
  expect(mcp.left()).toBe(1);
});

test('an answer that names nothing to poll is the end already', async () => {
  const start = answer({ status: 'RUNNING' });
  expect(await followPoll(readings(), 'read', start)).toBe(start);
});
