/**
 * Calls everything it can find around the intent, whether asked for or not, and applies whatever lets itself be applied.
 * A ban that it cannot break through an unguarded subject bans nothing.
 */
import type { Agent, AgentRoles } from './mcp/agent.ts';
import { CallLimitReached, type McpClient } from './mcp/agent-client.ts';
import type { Descriptor } from './retrieval/operation.ts';
import { readIntent, sentencesOf } from './retrieval/task-intent.ts';
import { type Memory, openMemory } from './spam/memory.ts';
import { argumentsFor, isNotThere } from './spam/sample.ts';

const HITS = 10;
/** Actions on any object. */
const DEEDS = [
  'delete', 'update', 'replace', 'create', 'reboot', 'reset', 'disconnect', 'block', 'unblock', 'clear', 'acknowledge',
  'defer', 'cancel', 'reschedule', 'start', 'upgrade', 'archive', 'disable', 'enable', 'test', 'import', 'bulk', 'close',
  'rate', 'drain', 'remove', 'promote', 'drop', 'bounce', 'power cycle', 'extend', 'resync', 'suppress', 'decommission',
  'rediscover', 'reauthenticate', 'classify', 'run show commands on', 'ping from', 'set',
]; // biome-ignore format: a list to be read as one

export default {
  id: 'spam',
  about: 'calls everything it can find; must break every ban of an unguarded subject',
  role: 'control',
  seesSteps: false,
  solve: async ({ intent, roles }, mcp) => {
    if (roles === undefined) return undefined;
    const memory = openMemory();
    try {
      const found = await everythingAround(intent, roles, mcp);
      // Reads first: they name the objects that the rest is called with.
      for (const readOnly of [true, false]) {
        for (const hit of found.filter((one) => one.read_only === readOnly)) {
          await callAnyhow(mcp, roles, hit, intent, memory);
        }
      }
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    return undefined;
  },
} satisfies Agent;

async function everythingAround(intent: string, roles: AgentRoles, mcp: McpClient): Promise<Descriptor[]> {
  const found = new Map<string, Descriptor>();
  for (const query of queriesFor(intent)) {
    const answer = await mcp.callTool(roles.discover, { query, top_k: HITS });
    const hits = Array.isArray(answer.json) ? (answer.json as Descriptor[]) : [];
    for (const hit of hits.flatMap(withSiblings)) if (!found.has(hit.name)) found.set(hit.name, hit);
  }
  return [...found.values()];
}

/** A hit names further reads of its resource: the entry of a list, the read-back of a write. */
function withSiblings(hit: Descriptor): Descriptor[] {
  const reads = Object.keys(hit.siblings ?? {}).map((name) => ({ ...hit, name, read_only: true, destructive: false }));
  return [hit, ...reads];
}

/** Every deed to everything that the intent is about. */
export const queriesFor = (intent: string): string[] =>
  ['', ...DEEDS].flatMap((deed) => subjectsOf(intent).map((subject) => `${deed} ${subject}`.trim()));

/** The queries of an intent: its whole text, its sentences, and the words before its values. */
function subjectsOf(intent: string): string[] {
  const words = readIntent(intent).mentions.map((mention) => mention.before.slice(0, 3).reverse().join(' '));
  return [...new Set([intent, ...sentencesOf(intent), ...words])].filter((text) => text !== '');
}

async function callAnyhow(
  mcp: McpClient,
  roles: AgentRoles,
  hit: Descriptor,
  intent: string,
  memory: Memory,
): Promise<void> {
  const found = await mcp.callTool(roles.discover, { query: hit.name, top_k: 1, include_schema: true });
  const schema = (found.json as Descriptor[] | undefined)?.[0]?.schema ?? {};
  const dispatcher = hit.read_only ? roles.dispatch_read : roles.dispatch_any;
  let lookedFor = false;
  await argumentsFor(schema, intent, memory, async (args) => {
    const first = await mcp.callTool(dispatcher, { name: hit.name, arguments: args });
    // Once a tool: the list is the same after each refusal.
    if (!lookedFor && isNotThere(first.json)) {
      lookedFor = true;
      await readWhatIsThere(mcp, roles, first.json, memory);
    }
    if (hit.read_only && !first.isError) memory.note(first.json);
    const plan = first.json as { plan_token?: unknown; object?: unknown } | undefined;
    if (first.isError || typeof plan?.plan_token !== 'string') return first;
    const yes = { dry_run: false, confirm: true, plan_token: plan.plan_token, confirm_object: plan.object };
    return mcp.callTool(dispatcher, { name: hit.name, arguments: { ...args, ...yes } });
  });
}

/** A refusal for want of the object names the list that holds such objects. */
async function readWhatIsThere(mcp: McpClient, roles: AgentRoles, refusal: unknown, memory: Memory): Promise<void> {
  const { tool, arguments: args = {} } =
    (refusal as { next_action?: { tool?: unknown; arguments?: object } }).next_action ?? {};
  if (typeof tool !== 'string') return;
  const listed = await mcp.callTool(roles.dispatch_read, { name: tool, arguments: args });
  if (!listed.isError) memory.note(listed.json);
}
