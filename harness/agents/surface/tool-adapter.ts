/**
 * The three roles over a subject that has none: discovery is the subject's own search, or plain BM25 over its tool list, and
 * a call goes to the subject's tool in the subject's form. It knows no subject: what it does is data of the subject's file.
 */
import type { AgentRoles, AgentSurface } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import type { Json } from '../retrieval/operation.ts';
import { answerOf } from './answer.ts';
import { descriptorOf } from './hit.ts';
import { filledIn, outerOf, toAgent, toSubject, withoutControl } from './surface-arguments.ts';
import { ToolFinder } from './tool-finder.ts';

export const SURFACE_ROLES: AgentRoles = { discover: 'discover', dispatch_read: 'read', dispatch_any: 'any' };
const PREVIEWED = { status: 'preview', plan_token: 'none: this subject has no preview' };

export function throughSurface(mcp: McpClient, surface: AgentSurface): McpClient {
  const finder = new ToolFinder(mcp, surface);
  const discover = async ({ query, top_k, include_schema }: Json): Promise<ToolAnswer> => {
    const one = (await finder.named(String(query))) ?? (await finder.unlisted(String(query)));
    const found = one === undefined ? await finder.search(String(query), Number(top_k ?? 8)) : [one];
    const first = found[0];
    const full =
      first === undefined || include_schema !== true ? found : [await finder.described(first), ...found.slice(1)];
    return local(full.map((hit) => descriptorOf(hit.schema ? { ...hit, schema: toAgent(hit.schema) } : hit)));
  };
  const run = async (name: string, args: Json): Promise<ToolAnswer> => {
    if (surface.previews !== true && args['dry_run'] === true) return local(PREVIEWED);
    const operation = await finder.closestTo(name);
    if (operation === undefined) return { isError: true, texts: [`no tool ${name}`], json: undefined };
    const { schema } = await finder.described(operation);
    const wanted = surface.previews === true ? args : { ...withoutControl(args), ...takenBy(schema, surface.apply) };
    const own = toSubject(wanted, schema);
    const { invoke } = surface;
    if (invoke === undefined) return answered(await mcp.callTool(operation.name, own), surface);
    const values = { ...operation, arguments: own };
    return answered(await mcp.callTool(invoke.tool, filledIn(invoke.arguments, values as unknown as Json)), surface);
  };
  return {
    instructions: mcp.instructions,
    get calls() {
      return mcp.calls;
    },
    listTools: mcp.listTools,
    callTool: async (name, args) => {
      if (name === SURFACE_ROLES.discover) return discover(args);
      if (name !== SURFACE_ROLES.dispatch_read && name !== SURFACE_ROLES.dispatch_any) return mcp.callTool(name, args);
      // The cursor is the platform's, and no argument of these roles has a place for it: the same page would come again.
      if (surface.previews !== true && args['cursor'] !== undefined) return local({ items: [] });
      return run(String(args['name']), (args['arguments'] ?? {}) as Json);
    },
  };
}

const local = (json: unknown): ToolAnswer => ({ isError: false, texts: [JSON.stringify(json)], json });

/** A subject with previews already uses the form that agents know. */
const answered = (answer: ToolAnswer, surface: AgentSurface): ToolAnswer =>
  surface.previews === true ? answer : answerOf(answer, surface.answer);

/** Those of the arguments that a tool takes. */
export const takenBy = (schema: Json | undefined, args: Json = {}): Json => {
  const properties = ((outerOf(schema)?.schema ?? schema)?.['properties'] ?? {}) as Record<string, Json>;
  return Object.fromEntries(Object.entries(args).filter(([name]) => properties[name] !== undefined));
};
