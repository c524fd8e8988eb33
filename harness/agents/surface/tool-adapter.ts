/**
 * The three roles over a subject that has none: discovery is the subject's own search, or plain BM25 over its tool list, and
 * a call goes to the subject's tool in the subject's form. It knows no subject: what it does is data of the subject's file.
 */
import type { AgentRoles, AgentSurface } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import type { Json } from '../retrieval/operation.ts';
import { compact, wordsOf } from '../retrieval/words.ts';
import { answerOf, jsonIn } from './answer.ts';
import { bm25, type Rank } from './bm25.ts';
import { descriptorOf, type Hit, hitOf } from './hit.ts';
import { filledIn, toAgent, toSubject, withoutControl } from './surface-arguments.ts';

export const SURFACE_ROLES: AgentRoles = { discover: 'discover', dispatch_read: 'read', dispatch_any: 'any' };
/** Of a query that is asked for word by word. */
const WORDS_ASKED = 4;
const HITS_ASKED = 50;
const PREVIEWED = { status: 'preview', plan_token: 'none: this subject has no preview' };

interface Shelf {
  hits: Hit[];
  rank: Rank;
}

export function throughSurface(mcp: McpClient, surface: AgentSurface): McpClient {
  const known = new Map<string, Hit>();
  const asked = new Map<string, Hit[]>();
  let whole: Promise<Shelf> | undefined;

  const shelve = (hits: Hit[]): Shelf => ({ hits, rank: bm25(hits.map((hit) => `${hit.name} ${hit.description}`)) });
  const remember = (hits: Hit[]): Hit[] => {
    for (const hit of hits) if (!known.has(hit.name)) known.set(hit.name, hit);
    return hits;
  };
  const listEverything = async (): Promise<Shelf> => {
    const { search } = surface;
    const entries =
      search === undefined ? await mcp.listTools() : hitsIn(await mcp.callTool(search.tool, {}), search.hits);
    return shelve(remember(entries.flatMap((entry) => hitOf(entry as unknown as Json) ?? [])));
  };
  const everything = (): Promise<Shelf> => {
    whole ??= listEverything();
    return whole;
  };
  const ask = async (text: string): Promise<Hit[]> => {
    const before = asked.get(text);
    const { tool, query = '', limit, hits } = surface.search!;
    if (before !== undefined) return before;
    const answer = await mcp.callTool(tool, { [query]: text, ...(limit === undefined ? {} : { [limit]: HITS_ASKED }) });
    const found = remember(hitsIn(answer, hits).flatMap((entry) => hitOf(entry) ?? []));
    asked.set(text, found);
    return found;
  };
  const searched = async (query: string, count: number): Promise<Hit[]> => {
    const { search } = surface;
    if (search?.query === undefined) return best(await everything(), query, count);
    if (search.words !== 'one') return (await ask(query)).slice(0, count);
    // A search that matches a text as a whole is asked for the longest words, and what comes is ranked here.
    const words = [...new Set(wordsOf(query))].filter((word) => word.length > 3).sort((a, b) => b.length - a.length);
    const found = new Map<string, Hit>();
    for (const word of words.slice(0, WORDS_ASKED)) for (const hit of await ask(word)) found.set(hit.name, hit);
    return best(shelve([...found.values()]), query, count);
  };
  /** An operation that is named: by its tool, or as METHOD /path. */
  const named = async (query: string): Promise<Hit | undefined> => {
    if (known.has(query)) return known.get(query);
    const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(query) ?? [];
    const isIt = (hit: Hit) => hit.method === method && hit.path === path;
    if (surface.search?.query === undefined) {
      const { hits } = await everything();
      return known.get(query) ?? (path === undefined ? undefined : hits.find(isIt));
    }
    const found = path === undefined ? undefined : (await ask(path)).find(isIt);
    return found === undefined ? undefined : known.get(found.name);
  };
  /** A name that the harness knows; such a tool can be called even where a search for its words does not bring it up. */
  const unlisted = async (name: string): Promise<Hit | undefined> => {
    if (surface.names === undefined || !/^\w+$/.test(name)) return undefined;
    await ask(name);
    if (!known.has(name)) await ask(wordsOf(name).join(' '));
    return remember([known.get(name) ?? { name, description: '' }])[0];
  };
  const described = async (hit: Hit): Promise<Hit> => {
    const { describe } = surface;
    if (describe === undefined || hit.schema !== undefined) return hit;
    const answer = await mcp.callTool(describe.tool, filledIn(describe.arguments, hit as unknown as Json));
    const schema = schemaIn(jsonIn(answer.texts.join('\n')).json, hit);
    const full = schema === undefined ? hit : { ...hit, schema };
    known.set(hit.name, full);
    return full;
  };
  const discover = async ({ query, top_k, include_schema }: Json): Promise<ToolAnswer> => {
    const one = (await named(String(query))) ?? (await unlisted(String(query)));
    const found = one === undefined ? await searched(String(query), Number(top_k ?? 8)) : [one];
    const first = found[0];
    const full = first === undefined || include_schema !== true ? found : [await described(first), ...found.slice(1)];
    return local(full.map((hit) => descriptorOf(hit.schema ? { ...hit, schema: toAgent(hit.schema) } : hit)));
  };
  /** Also a tool that a text names as another subject would spell it. */
  const operationNamed = async (name: string): Promise<Hit | undefined> => {
    const exact = await named(name);
    if (exact !== undefined) return exact;
    const all = surface.search?.query === undefined ? (await everything()).hits : [...known.values()];
    return all.find((hit) => compact(hit.name) === compact(name)) ?? (await searched(wordsOf(name).join(' '), 1))[0];
  };
  const run = async (name: string, args: Json): Promise<ToolAnswer> => {
    if (surface.previews !== true && args['dry_run'] === true) return local(PREVIEWED);
    const operation = await operationNamed(name);
    if (operation === undefined) return { isError: true, texts: [`no tool ${name}`], json: undefined };
    const { schema } = await described(operation);
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
      return run(String(args['name']), (args['arguments'] ?? {}) as Json);
    },
  };
}

const local = (json: unknown): ToolAnswer => ({ isError: false, texts: [JSON.stringify(json)], json });

/** A subject that speaks of previews speaks the form that agents know. */
const answered = (answer: ToolAnswer, surface: AgentSurface): ToolAnswer =>
  surface.previews === true ? answer : answerOf(answer, surface.answer);

const takenBy = (schema: Json | undefined, args: Json = {}): Json => {
  const properties = (schema?.['properties'] ?? {}) as Json;
  return Object.fromEntries(Object.entries(args).filter(([name]) => name in properties));
};

const best = ({ hits, rank }: Shelf, query: string, count: number): Hit[] =>
  rank(query, count).flatMap((at) => hits[at] ?? []);

function hitsIn(answer: ToolAnswer, field: string | undefined): Json[] {
  const { json } = jsonIn(answer.texts.join('\n'));
  if (field === undefined && !Array.isArray(json)) return blocksOf(answer);
  const list = field === undefined ? json : (json as Json | undefined)?.[field];
  return Array.isArray(list) ? list.filter((entry): entry is Json => typeof entry === 'object' && entry !== null) : [];
}

/** Some return each hit in a block of its own. */
const blocksOf = ({ texts }: ToolAnswer): Json[] =>
  texts.map((text) => jsonIn(text).json).filter((json): json is Json => typeof json === 'object' && json !== null);

/** A tool's input schema, or one made of the OpenAPI operations that are described. */
function schemaIn(json: unknown, { method }: Hit): Json | undefined {
  const described = (json ?? {}) as { inputSchema?: Json; schema?: Json; operations?: Json[] };
  if (described.inputSchema !== undefined) return described.inputSchema;
  if (described.schema !== undefined) return described.schema;
  const operation = described.operations?.find((one) => String(one['method']).toUpperCase() === method);
  if (operation === undefined) return undefined;
  const parameters = (operation['parameters'] ?? []) as {
    name: string;
    required?: boolean;
    schema?: Json;
    description?: string;
  }[];
  const body = (operation['requestBody'] as { content?: Record<string, { schema?: Json }> } | null)?.content;
  const bodySchema = Object.values(body ?? {})[0]?.schema;
  const properties = parameters.map(({ name, schema, description }) => [name, { ...schema, description }]);
  return {
    type: 'object',
    properties: Object.fromEntries([...properties, ...(bodySchema === undefined ? [] : [['body', bodySchema]])]),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}
