/** The three roles, used: look for tools, read, run. The agent knows no tool by name but what it is told here. */
import type { AgentRoles } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import { objectIn, previewAndApply } from '../mcp/confirmed-write.ts';
import { followPoll } from '../mcp/poll.ts';
import { type Descriptor, type Json, type Operation, operationOf } from './operation.ts';
import { type Platforms, platformsOf } from './platforms.ts';

/** What one call brought. */
export interface Evidence {
  json: unknown;
  /** Name and description of the tool, whose words say where the answer is from. */
  source: string;
  platform: string | undefined;
  /** How well the places of the tool in all searches speak for it; grows with each search. */
  credit: Credit;
  /** Values that the call was made with. */
  asked: string;
  /** `change`: what the platform answered to it; `after`: read once something was changed. */
  when: 'before' | 'change' | 'after';
}

export interface Credit {
  points: number;
}

export interface Toolbox {
  platforms: Platforms;
  search: (query: string, only?: Only) => Promise<Descriptor[]>;
  /** The tool with its schema; asked for once. */
  open: (descriptor: Descriptor) => Promise<Operation>;
  read: (tool: string, args: Json, cursor?: string) => Promise<ToolAnswer>;
  run: (operation: Operation, args: Json) => Promise<ToolAnswer>;
  /** How well the searches speak for a tool. */
  creditOf: (tool: string) => Credit;
  /** What the calls so far brought, in their order. */
  evidence: () => Evidence[];
  /** One list of all pages, in place of the pages. */
  join: (tool: string, rows: readonly Json[]) => void;
}

export interface Only {
  platform?: string | undefined;
  capability?: 'read' | 'write' | 'diagnostic' | undefined;
}

const HITS = 10;

export async function openToolbox(mcp: McpClient, roles: AgentRoles): Promise<Toolbox> {
  const own = (await mcp.listTools().catch(() => [])).find(({ name }) => name === roles.discover);
  const takes = new Set(Object.keys((own?.inputSchema as { properties?: Json } | undefined)?.properties ?? {}));
  const platforms = platformsOf(own);
  const opened = new Map<string, Operation>();
  const searched = new Map<string, Descriptor[]>();
  // Nothing is read twice before something is changed.
  const reads = new Map<string, ToolAnswer>();
  const about = new Map<string, string>();
  const creditOf = creditsOfTools();
  const evidence: Evidence[] = [];
  let changed = false;
  const note = (tool: string, args: Json, answer: ToolAnswer, when: Evidence['when']) => {
    const from = { source: `${tool} ${about.get(tool) ?? ''}`, platform: platforms.of(tool), credit: creditOf(tool) };
    if (!answer.isError) evidence.push({ json: objectIn(answer.json), ...from, asked: JSON.stringify(args), when });
  };
  const ask = async (query: string, count: number, only: Only): Promise<Descriptor[]> => {
    const args = { query, top_k: count, include_schema: true, ...limitsOf(only, takes) };
    const key = JSON.stringify(args);
    const known = searched.get(key);
    if (known !== undefined) return known;
    const answer = await mcp.callTool(roles.discover, args);
    const found = Array.isArray(answer.json) ? (answer.json as Descriptor[]).flatMap(withSiblings) : [];
    searched.set(key, found);
    platforms.learn(found);
    for (const hit of found) {
      about.set(hit.name, hit.description);
      if (hit.schema !== undefined) opened.set(hit.name, operationOf(hit));
    }
    return found;
  };
  /** Tools that were asked for by their exact name. */
  const asked = new Set<string>();
  return {
    platforms,
    search: (query, only = {}) => ask(query, HITS, only),
    open: async (descriptor) => {
      const known = opened.get(descriptor.name);
      if (known !== undefined && (asked.has(descriptor.name) || !isCut(known.schema))) return known;
      asked.add(descriptor.name);
      // Only the first hit of a search carries a schema; a search for the exact name makes it the first.
      const full = (await ask(descriptor.name, 1, {}))[0];
      const operation = operationOf(full?.name === descriptor.name ? full : (known ?? descriptor));
      opened.set(descriptor.name, operation);
      return operation;
    },
    creditOf,
    evidence: () => evidence,
    join: (tool, rows) => joinPages(evidence, `${tool} ${about.get(tool) ?? ''}`, rows),
    read: async (tool, args, cursor) => {
      const key = `${tool} ${JSON.stringify(args)} ${cursor ?? ''}`;
      const known = reads.get(key);
      if (known !== undefined) return known;
      const more = cursor === undefined ? {} : { cursor };
      const answer = await mcp.callTool(roles.dispatch_read, { name: tool, arguments: args, ...more });
      reads.set(key, answer);
      note(tool, args, answer, changed ? 'after' : 'before');
      return answer;
    },
    run: async (operation, args) => {
      const answer = await carryOut(mcp, roles, operation, args);
      if (!answer.isError) {
        changed = true;
        reads.clear();
      }
      note(operation.name, args, answer, 'change');
      return answer;
    },
  };
}

/** Limits that the discovery tool takes. */
const limitsOf = (only: Only, takes: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(only).filter(([name, value]) => value !== undefined && takes.has(name)));

function creditsOfTools(): (tool: string) => Credit {
  const credits = new Map<string, Credit>();
  return (tool) => {
    const known = credits.get(tool) ?? { points: 0 };
    credits.set(tool, known);
    return known;
  };
}

function joinPages(evidence: Evidence[], source: string, rows: readonly Json[]): void {
  const pages = evidence.filter((one) => one.source === source);
  const [first] = pages;
  if (first === undefined) return;
  for (const page of pages) evidence.splice(evidence.indexOf(page), 1);
  evidence.push({ ...first, json: { items: rows } });
}

/** Tools of the same thing stand in one hit; each can be called like a hit of its own. */
function withSiblings(hit: Descriptor): Descriptor[] {
  const others = Object.entries(hit.siblings ?? {}).filter(([name]) => name !== hit.name && hit.read_only);
  const { description, destructive } = hit;
  return [
    hit,
    ...others.map(([name, required]) => ({ name, description, read_only: true, destructive, required, sibling: true })),
  ];
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

/** Whether a schema among many hits leaves out what its objects hold: there is more room for it alone. */
function isCut(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, properties, items, allOf = [], anyOf = [], oneOf = [], ...rest } = schema as Json;
  const parts = [allOf, anyOf, oneOf, Object.values((properties ?? {}) as Json), items ?? []].flat();
  if (parts.length > 0) return parts.some(isCut);
  const says = ['$ref', 'enum', 'const', 'additionalProperties', 'pattern', 'format'].some(
    (keyword) => keyword in rest,
  );
  return (type === undefined || type === 'object') && properties === undefined && !says;
}
