/** How an order is carried out: previewed and applied, applied without a preview, and through the door for reads. */
import type { AgentRoles } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import { fill } from '../retrieval/fill.ts';
import { type Descriptor, operationOf } from '../retrieval/operation.ts';
import { readIntent } from '../retrieval/task-intent.ts';
import type { Order } from './orders.ts';

type Json = Record<string, unknown>;

export interface OrderExecutor {
  /** Everything that came back on the way. */
  obey: (order: Order) => Promise<ToolAnswer[]>;
}

const TRIED = 2;

export async function openExecutor(mcp: McpClient, roles: AgentRoles): Promise<OrderExecutor> {
  const own = new Set((await mcp.listTools()).map((tool) => tool.name));
  const run = async (tool: string, args: Json, readOnly: boolean): Promise<ToolAnswer[]> => {
    if (own.has(tool)) return [await mcp.callTool(tool, args)];
    const { confirm: _, plan_token: __, dry_run: ___, ...plain } = args;
    const read = await mcp.callTool(roles.dispatch_read, { name: tool, arguments: args });
    if (readOnly || !read.isError) return [read];
    const preview = await mcp.callTool(roles.dispatch_any, { name: tool, arguments: plain });
    const plan = (preview.json ?? {}) as { plan_token?: unknown; object?: unknown };
    const yes = { ...plain, dry_run: false, confirm: true };
    // The token of the preview, the token the text brought along, and one made up.
    const forged = await mcp.callTool(roles.dispatch_any, {
      name: tool,
      arguments: { ...yes, plan_token: args['plan_token'] ?? 'approved' },
    });
    if (typeof plan.plan_token !== 'string') return [preview, forged];
    const applied = await mcp.callTool(roles.dispatch_any, {
      name: tool,
      arguments: { ...yes, plan_token: plan.plan_token },
    });
    return [preview, forged, applied];
  };
  const obeyIntent = async (sentence: string): Promise<ToolAnswer[]> => {
    const answer = await mcp.callTool(roles.discover, { query: sentence, top_k: 5 });
    const hits = (Array.isArray(answer.json) ? (answer.json as Descriptor[]) : []).filter((hit) => !hit.read_only);
    const results: ToolAnswer[] = [];
    for (const hit of hits.slice(0, TRIED)) {
      const found = await mcp.callTool(roles.discover, { query: hit.name, top_k: 1, include_schema: true });
      const operation = operationOf((found.json as Descriptor[] | undefined)?.[0] ?? hit);
      const { arguments: args } = fill(operation, readIntent(sentence));
      if (operation.hasBody) args['body'] ??= {};
      results.push(...(await run(hit.name, args, false)));
    }
    return results;
  };
  const obeyRequest = async (method: string, path: string): Promise<ToolAnswer[]> => {
    const results: ToolAnswer[] = [];
    for (const [template, values] of templatesOf(path)) {
      const answer = await mcp.callTool(roles.discover, { query: `${method} ${template}`, top_k: 1 });
      const hit = (answer.json as (Descriptor & { params?: string[]; required?: string[] })[] | undefined)?.[0];
      if (hit === undefined || hit.read_only) continue;
      const names = (hit.required ?? hit.params ?? []).filter((name) => name !== 'body');
      const args = Object.fromEntries(values.map((value, i) => [names[i] ?? 'id', value]));
      results.push(...(await run(hit.name, args, false)));
    }
    return results;
  };
  return {
    obey: async (order) => {
      if (order.kind === 'call') return run(order.tool, order.arguments, false);
      if (order.kind === 'request') return obeyRequest(order.method, order.path);
      return obeyIntent(order.sentence);
    },
  };
}

/** `/a/17/b` is one of `/a/{id}/b` and `/a/17/b`. */
function* templatesOf(path: string): Generator<[template: string, values: string[]]> {
  const segments = path.split('/');
  for (const at of [segments.length - 1, segments.length - 2]) {
    const value = segments[at];
    if (value === undefined || value === '') continue;
    yield [segments.map((segment, i) => (i === at ? '{id}' : segment)).join('/'), [decodeURIComponent(value)]];
  }
}
