/** Preview, then apply with the preview's plan token: the two calls a change takes. */
import type { McpClient, ToolAnswer } from './agent-client.ts';

export interface Preview {
  status?: unknown;
  plan_token?: unknown;
  object?: unknown;
}

export interface Change {
  preview: ToolAnswer;
  /** Absent when the preview was refused or carried no token. */
  applied?: ToolAnswer;
  /** The plan token that was used. */
  token?: string;
}

export async function previewAndApply(
  mcp: McpClient,
  dispatcher: string,
  tool: string,
  args: Record<string, unknown>,
): Promise<Change> {
  const preview = await mcp.callTool(dispatcher, { name: tool, arguments: { ...args, dry_run: true } });
  const plan = preview.json as Preview | undefined;
  if (preview.isError || typeof plan?.plan_token !== 'string') return { preview };
  const applied = await applyWith(plan.plan_token, mcp, dispatcher, tool, args);
  return { preview, applied, token: plan.plan_token };
}

/** The second call alone, with a token from elsewhere. */
export function applyWith(
  token: string,
  mcp: McpClient,
  dispatcher: string,
  tool: string,
  args: Record<string, unknown>,
): Promise<ToolAnswer> {
  const confirmation = { dry_run: false, confirm: true, plan_token: token };
  return mcp.callTool(dispatcher, { name: tool, arguments: { ...args, ...confirmation } });
}

/** What the platform answered, where the subject keeps it apart from what it says of the write: `{ object, contract }`. */
export function objectIn(json: unknown): unknown {
  const { object, contract } = (json ?? {}) as { object?: unknown; contract?: unknown };
  return typeof object === 'object' && object !== null && contract !== undefined ? object : json;
}
