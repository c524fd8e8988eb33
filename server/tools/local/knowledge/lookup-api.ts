/** lookup_api: what the OpenAPI documents say about one operation, schema, field or value. No credentials, no network. */
import { type Static, Type } from '../../../config/schema.ts';
import type { Hit } from '../../../spec-index/look-up.ts';
import { apiLookUp, ToolNames } from '../api-index.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'METHOD /path, operationId (or its beginning), resource, schema, field or enum value; else plain words',
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
    const lookUp = apiLookUp(context);
    const tools = new ToolNames(context);
    return (args: Static<typeof Input>) => {
      const served = context.config.platforms.map(({ id }) => id);
      const platforms = args.platform === undefined ? served : [args.platform];
      const hits = lookUp({
        query: args.query,
        limit: args.top_k ?? DEFAULT_HITS,
        // A router of documentation alone serves no platform and speaks about all of them.
        ...(platforms.length > 0 ? { platforms } : {}),
        ...(args.source === undefined ? {} : { document: args.source }),
        ...(args.version === undefined ? {} : { version: args.version }),
      });
      if ('degraded' in hits) return hits;
      return hits.map((hit) => answerOf(hit, tools, args.include_metadata === true));
    };
  },
} satisfies LocalTool<Static<typeof Input>>;

function answerOf(hit: Hit, tools: ToolNames, metadata: boolean): Answer {
  const tool = tools.of(hit);
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
