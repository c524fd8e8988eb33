/** Follows an asynchronous operation: the answer names the tool that reads its state, until the state is final. */
import type { McpClient, ToolAnswer } from './agent-client.ts';

const FINAL = /^(completed?|succeeded|success|done|finished|failed|error|time(d_?)?out|cancell?ed|expired)$/i;
const MAX_POLLS = 8;

interface Poll {
  tool: string;
  arguments: Record<string, unknown>;
}

/** The answer that says where to poll, or undefined. */
export function pollOf(answer: ToolAnswer): Poll | undefined {
  const poll = (answer.json as { poll?: Partial<Poll> } | undefined)?.poll;
  return typeof poll?.tool === 'string' ? { tool: poll.tool, arguments: poll.arguments ?? {} } : undefined;
}

export async function followPoll(mcp: McpClient, dispatcher: string, start: ToolAnswer): Promise<ToolAnswer> {
  const poll = pollOf(start);
  if (poll === undefined) return start;
  let last = start;
  for (let i = 0; i < MAX_POLLS; i++) {
    last = await mcp.callTool(dispatcher, { name: poll.tool, arguments: poll.arguments });
    if (last.isError || isFinal(last.json)) return last;
  }
  return last;
}

/** Some top-level field named after a state says that the work has ended. */
function isFinal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const state = Object.entries(value).find(([name]) => /^(status|state|phase)$/i.test(name))?.[1];
  return typeof state !== 'string' || FINAL.test(state);
}
