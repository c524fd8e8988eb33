/** Reads the facts of a step from its result: from the object, from one row of a list, or from all its rows. */
import type { AgentRoles, AgentStep, FactSource } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import { objectIn } from '../mcp/confirmed-write.ts';

type Json = Record<string, unknown>;
const MOST_PAGES = 40;

export async function readFacts(
  step: AgentStep,
  result: ToolAnswer & { tool?: string },
  roles: AgentRoles,
  mcp: McpClient,
): Promise<Json> {
  const whole = await allPages(step, { ...result, json: objectIn(result.json) }, roles, mcp);
  const from = step.row === undefined ? whole : rowOf(step, whole, step.row);
  return Object.fromEntries(
    Object.entries(step.facts ?? {}).map(([fact, source]) => [fact, factOf(step, source, from)]),
  );
}

/** A list that goes on is read to its end: a fact may stand on any page. */
async function allPages(
  step: AgentStep,
  first: ToolAnswer & { tool?: string },
  roles: AgentRoles,
  mcp: McpClient,
): Promise<unknown> {
  const items = listIn(first.json);
  if (items === undefined) return first.json;
  const all = [...items];
  let { json } = first;
  for (let page = 1; page < MOST_PAGES; page++) {
    const { next_cursor } = (json ?? {}) as Json;
    const tool = first.tool;
    if (typeof next_cursor !== 'string' || tool === undefined) break;
    const next = await mcp.callTool(roles.dispatch_read, {
      name: tool,
      arguments: step.arguments ?? {},
      cursor: next_cursor,
    });
    if (next.isError) throw new Error(`${step.call}: page ${page + 1} should be read, got: ${next.texts[0]}`);
    json = next.json;
    all.push(...(listIn(json) ?? []));
  }
  return Array.isArray(first.json) ? all : { ...(first.json as Json), items: all };
}

function rowOf(step: AgentStep, result: unknown, row: Record<string, unknown>): Json {
  const rows = listIn(result) ?? [];
  const found = rows.filter((item) =>
    Object.entries(row).every(([field, value]) => isSame(fieldOf(item, field), value)),
  );
  if (found.length !== 1)
    throw new Error(`${step.call}: one row should be ${JSON.stringify(row)}, got ${found.length} of ${rows.length}`);
  return found[0] as Json;
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i;

/** A moment is the same in another zone. */
function isSame(a: unknown, b: unknown): boolean {
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  return [a, b].every((one) => MOMENT.test(String(one))) && Date.parse(String(a)) === Date.parse(String(b));
}

function factOf(step: AgentStep, source: FactSource, from: unknown): unknown {
  if (typeof source === 'string') return valueAt(step, from, source);
  if ('path' in source) return JSON.stringify(foundAt(from, source.path)) === JSON.stringify(source.equals);
  const path = 'count' in source ? source.count : source.each;
  const rows = path === '' ? listIn(from) : foundAt(from, path);
  if (!Array.isArray(rows)) throw new Error(`${step.call}: a list should stand at "${path}", got none`);
  if ('count' in source) return rows.length;
  const { fields } = source;
  return rows.map((row) =>
    typeof fields === 'string'
      ? valueAt(step, row, fields)
      : Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueAt(step, row, field)])),
  );
}

function valueAt(step: AgentStep, from: unknown, path: string): unknown {
  const value = foundAt(from, path);
  if (value === undefined) throw new Error(`${step.call}: a value should stand at ${path}, got none`);
  return value;
}

/** At the path, or there in the one object of an envelope that a server put around it: `{ success, error, result: { … } }`. */
function foundAt(from: unknown, path: string): unknown {
  const own = fieldOf(from, path);
  if (own !== undefined || typeof from !== 'object' || from === null || Array.isArray(from)) return own;
  const [only, ...others] = Object.values(from).filter((value) => typeof value === 'object' && value !== null);
  return others.length > 0 || Array.isArray(only) ? undefined : foundAt(only, path);
}

function listIn(value: unknown): unknown[] | undefined {
  const list = Array.isArray(value) ? value : (value as { items?: unknown } | null | undefined)?.items;
  return Array.isArray(list) ? list : undefined;
}

/** `a.b.0`; a field whose own name has dots wins. */
function fieldOf(object: unknown, path: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  if (Object.hasOwn(object, path)) return (object as Json)[path];
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : fieldOf((object as Json)[path.slice(0, dot)], path.slice(dot + 1));
}
