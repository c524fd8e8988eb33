/** The three roles, used: look for tools, read, run. The agent knows no tool by name but what it is told here. */
import type { AgentRoles } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import { objectIn, previewAndApply } from '../mcp/confirmed-write.ts';
import { followPoll } from '../mcp/poll.ts';
import type { Evidence } from './fill-answer.ts';
import { type Descriptor, type Json, type Operation, operationOf } from './operation.ts';

export interface Toolbox {
  search: (query: string, count: number) => Promise<Descriptor[]>;
  /** The tool with its schema; asked for once. */
  open: (descriptor: Descriptor) => Promise<Operation>;
  read: (tool: string, args: Json) => Promise<ToolAnswer>;
  run: (operation: Operation, args: Json) => Promise<ToolAnswer>;
  /** What the calls so far brought, in their order. */
  evidence: () => Evidence[];
}

export function openToolbox(mcp: McpClient, roles: AgentRoles): Toolbox {
  const opened = new Map<string, Operation>();
  const searched = new Map<string, Descriptor[]>();
  // Nothing is read twice before something is changed, and an agent run changes one thing, last.
  const reads = new Map<string, ToolAnswer>();
  const about = new Map<string, string>();
  const evidence: Evidence[] = [];
  const note = (tool: string, { isError, json }: ToolAnswer) => {
    if (!isError) evidence.push({ json: objectIn(json), source: `${tool} ${about.get(tool) ?? ''}`, isAnswer: false });
  };
  const search = async (query: string, count: number) => {
    const key = `${count} ${query}`;
    const known = searched.get(key);
    if (known !== undefined) return known;
    const answer = await mcp.callTool(roles.discover, { query, top_k: count, include_schema: true });
    const found = Array.isArray(answer.json) ? (answer.json as Descriptor[]).flatMap(withSiblings) : [];
    searched.set(key, found);
    for (const { name, description } of found) about.set(name, description);
    return found;
  };
  return {
    search,
    open: async (descriptor) => {
      const known = opened.get(descriptor.name);
      if (known !== undefined) return known;
      // Only the first hit of a search carries a schema; a search for the exact name makes it the first.
      const full = descriptor.schema === undefined ? (await search(descriptor.name, 1))[0] : descriptor;
      const operation = operationOf(full?.name === descriptor.name ? full : descriptor);
      opened.set(descriptor.name, operation);
      return operation;
    },
    evidence: () => evidence,
    read: async (tool, args) => {
      const key = `${tool} ${JSON.stringify(args)}`;
      const known = reads.get(key);
      if (known !== undefined) return known;
      const answer = await mcp.callTool(roles.dispatch_read, { name: tool, arguments: args });
      reads.set(key, answer);
      note(tool, answer);
      return answer;
    },
    run: async (operation, args) => {
      const answer = await carryOut(mcp, roles, operation, args);
      note(operation.name, answer);
      return answer;
    },
  };
}

/** Tools of the same thing stand in one hit; each can be called like a hit of its own. */
function withSiblings(hit: Descriptor): Descriptor[] {
  const others = Object.keys(hit.siblings ?? {}).filter((name) => name !== hit.name && hit.read_only);
  const { description, destructive } = hit;
  return [hit, ...others.map((name) => ({ name, description, read_only: true, destructive }))];
}

async function carryOut(mcp: McpClient, roles: AgentRoles, operation: Operation, args: Json): Promise<ToolAnswer> {
  if (operation.read_only) return mcp.callTool(roles.dispatch_read, { name: operation.name, arguments: args });
  if (operation.capability === 'diagnostic') {
    const started = await mcp.callTool(roles.dispatch_any, { name: operation.name, arguments: args });
    return started.isError ? started : followPoll(mcp, roles.dispatch_read, started);
  }
  const change = await previewAndApply(mcp, roles.dispatch_any, operation.name, args);
  if (change.applied === undefined) return { ...change.preview, isError: true };
  return change.applied.isError ? change.applied : followPoll(mcp, roles.dispatch_read, change.applied);
}
