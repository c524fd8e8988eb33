/** Which tool of a subject is meant: found by the subject's own search, or by BM25 over its tool list, and by its name. */
import type { AgentSurface } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import { compact, wordsOf } from '../retrieval/name-words.ts';
import type { Json } from '../retrieval/operation.ts';
import { jsonIn } from './answer.ts';
import { type Hit, hitOf } from './hit.ts';
import { filledIn } from './surface-arguments.ts';
import { bm25, type Rank } from './surface-bm25.ts';

/** Of a query that is asked for word by word. */
const WORDS_ASKED = 4;
const HITS_ASKED = 50;

interface Shelf {
  hits: Hit[];
  rank: Rank;
}

/** For one run; remembers what the subject said, so that nothing is asked twice. */
export class ToolFinder {
  readonly #mcp: McpClient;
  readonly #surface: AgentSurface;
  /** Name → what was found first under it, with its schema once it was described. */
  readonly #known = new Map<string, Hit>();
  /** Query → what the subject's search brought. */
  readonly #asked = new Map<string, Hit[]>();
  #whole: Promise<Shelf> | undefined;

  constructor(mcp: McpClient, surface: AgentSurface) {
    this.#mcp = mcp;
    this.#surface = surface;
  }

  async search(query: string, count: number): Promise<Hit[]> {
    const { search } = this.#surface;
    if (search?.query === undefined) return best(await this.#everything(), query, count);
    if (search.words !== 'one') return (await this.#ask(query)).slice(0, count);
    // A search that matches a text as a whole is asked for the longest words, and what comes is ranked here.
    const words = [...new Set(wordsOf(query))].filter((word) => word.length > 3).sort((a, b) => b.length - a.length);
    const found = new Map<string, Hit>();
    for (const word of words.slice(0, WORDS_ASKED)) for (const hit of await this.#ask(word)) found.set(hit.name, hit);
    return best(shelve([...found.values()]), query, count);
  }

  /** An operation that is named: by its tool, or as METHOD /path. */
  async named(query: string): Promise<Hit | undefined> {
    if (this.#known.has(query)) return this.#known.get(query);
    const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(query) ?? [];
    const isIt = (hit: Hit) => hit.method === method && hit.path === path;
    if (this.#surface.search?.query === undefined) {
      const { hits } = await this.#everything();
      return this.#known.get(query) ?? (path === undefined ? undefined : hits.find(isIt));
    }
    const found = path === undefined ? undefined : (await this.#ask(path)).find(isIt);
    return found === undefined ? undefined : this.#known.get(found.name);
  }

  /** A name that the harness knows; such a tool can be called even where a search for its words does not bring it up. */
  async unlisted(name: string): Promise<Hit | undefined> {
    if (this.#surface.names === undefined || !/^\w+$/.test(name)) return undefined;
    await this.#ask(name);
    if (!this.#known.has(name)) await this.#ask(wordsOf(name).join(' '));
    return this.#remember([this.#known.get(name) ?? { name, description: '' }])[0];
  }

  /** Also a tool that a text names as another subject would spell it. */
  async closestTo(name: string): Promise<Hit | undefined> {
    const exact = await this.named(name);
    if (exact !== undefined) return exact;
    const all = this.#surface.search?.query === undefined ? (await this.#everything()).hits : [...this.#known.values()];
    return all.find((hit) => compact(hit.name) === compact(name)) ?? (await this.search(wordsOf(name).join(' '), 1))[0];
  }

  /** With its schema, where the subject tells it. */
  async described(hit: Hit): Promise<Hit> {
    const { describe } = this.#surface;
    if (describe === undefined || hit.schema !== undefined) return hit;
    const answer = await this.#mcp.callTool(describe.tool, filledIn(describe.arguments, hit as unknown as Json));
    const { json } = jsonIn(answer.texts.join('\n'));
    const schema = describe.schema === undefined ? schemaIn(json, hit) : at(json, describe.schema.split('.'));
    const full = schema === undefined ? hit : { ...hit, schema };
    this.#known.set(hit.name, full);
    return full;
  }

  #everything(): Promise<Shelf> {
    this.#whole ??= this.#listEverything();
    return this.#whole;
  }

  async #listEverything(): Promise<Shelf> {
    const { search } = this.#surface;
    const entries =
      search === undefined
        ? await this.#mcp.listTools()
        : hitsIn(await this.#mcp.callTool(search.tool, search.arguments ?? {}), search.hits);
    return shelve(this.#remember(entries.flatMap((entry) => hitOf(entry as unknown as Json) ?? [])));
  }

  async #ask(text: string): Promise<Hit[]> {
    const before = this.#asked.get(text);
    const { tool, query = '', limit, hits, arguments: fixed } = this.#surface.search!;
    if (before !== undefined) return before;
    const args = { ...fixed, [query]: text, ...(limit === undefined ? {} : { [limit]: HITS_ASKED }) };
    const found = this.#remember(
      hitsIn(await this.#mcp.callTool(tool, args), hits).flatMap((entry) => hitOf(entry) ?? []),
    );
    this.#asked.set(text, found);
    return found;
  }

  #remember(hits: Hit[]): Hit[] {
    for (const hit of hits) if (!this.#known.has(hit.name)) this.#known.set(hit.name, hit);
    return hits;
  }
}

const shelve = (hits: Hit[]): Shelf => ({ hits, rank: bm25(hits.map((hit) => `${hit.name} ${hit.description}`)) });

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

function at(json: unknown, [name, ...rest]: string[]): Json | undefined {
  const inner = name === undefined ? json : (json as Json | undefined)?.[name];
  return rest.length === 0 || inner === undefined || inner === null ? (inner as Json | undefined) : at(inner, rest);
}

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
