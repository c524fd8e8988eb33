/** lookup_api: what the OpenAPI documents say about one operation, schema, field or value. No credentials, no network. */
import type { Tool } from '../../../catalog/tool.ts';
import { type Static, Type } from '../../../config/schema.ts';
import { type Hit, SpecIndex } from '../../../spec-index/look-up.ts';
import { specIndexOnDemand } from '../lazy-spec-index.ts';
import type { LocalContext, LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'METHOD /path, operationId (or its beginning), schema, field or enum value; else plain words',
    }),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default 10' })),
    platform: Type.Optional(Type.String({ description: 'Only this platform' })),
    source: Type.Optional(Type.String({ description: 'Only this document' })),
    version: Type.Optional(Type.String({ description: 'Document version, or version in the path such as v1alpha1' })),
    include_metadata: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

interface Answer {
  text: string;
  source: string;
  file_path: string;
  kind: Hit['kind'];
  score: number;
  /** The tool that calls this endpoint, when the caller may find it. */
  tool?: string;
  platform?: string;
  document_version?: string;
  api_version?: string;
  match?: Hit['match'];
}

const DEFAULT_HITS = 10;

export default {
  name: 'lookup_api',
  backend: 'rag-core',
  toolset: 'rag',
  capability: 'read',
  line: 'Look up the API reference: an exact METHOD /path, operationId, schema, field or enum value.',
  more: 'Answers from the OpenAPI documents themselves, without calling a platform; an empty list means that they say nothing about it.',
  input: Input,
  search: { aliases: ['API reference', 'API specification'], questions: [] },
  open: (context) => {
    const specIndex = specIndexOnDemand(context);
    const tools = new ToolNames(context);
    return (args: Static<typeof Input>) => {
      const index = specIndex();
      if (!(index instanceof SpecIndex)) return index;
      const served = context.config.platforms.map(({ id }) => id);
      const platforms = args.platform === undefined ? served : [args.platform];
      const hits = index.lookUp({
        query: args.query,
        limit: args.top_k ?? DEFAULT_HITS,
        // A router of documentation alone serves no platform and speaks about all of them.
        ...(platforms.length > 0 ? { platforms } : {}),
        ...(args.source === undefined ? {} : { document: args.source }),
        ...(args.version === undefined ? {} : { version: args.version }),
      });
      return hits.map((hit) => answerOf(hit, tools, args.include_metadata === true));
    };
  },
} satisfies LocalTool<Static<typeof Input>>;

function answerOf(hit: Hit, tools: ToolNames, metadata: boolean): Answer {
  const tool = hit.kind === 'endpoint' ? tools.of(hit) : undefined;
  return {
    text: hit.text,
    source: hit.title,
    file_path: `${hit.platform}/${hit.document}${hit.ref}`,
    kind: hit.kind,
    score: hit.score,
    ...(tool === undefined ? {} : { tool }),
    ...(metadata
      ? { platform: hit.platform, document_version: hit.version, api_version: hit.apiVersion, match: hit.match }
      : {}),
  };
}

/** Which tool calls an endpoint, where find_tool would show it: what a profile hides stays hidden here. Neither changes. */
class ToolNames {
  readonly #context: LocalContext;
  /** By platform and `METHOD /path`, both from the index, so there are no more of them than endpoints. */
  readonly #known = new Map<string, string | undefined>();

  constructor(context: LocalContext) {
    this.#context = context;
  }

  of({ name, platform }: Hit): string | undefined {
    const key = `${platform} ${name}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#find(name, platform));
    return this.#known.get(key);
  }

  #find(name: string, platform: string): string | undefined {
    const { catalog, visible } = this.#context;
    const fits = (tool: Tool) => tool.platform === platform && `${tool.method} ${tool.path}` === name && visible(tool);
    return catalog.wrapping(name).find(fits)?.name;
  }
}
