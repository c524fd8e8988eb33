/** ask_docs: an answer put together from excerpts, each with its citation. No platform is called. */
import { type Static, Type } from '../../../config/schema.ts';
import type { Excerpt, Sources } from '../../../knowledge/answer-question.ts';
import type { OpenedCorpus } from '../../../knowledge/corpus.ts';
import type { Hit } from '../../../spec-index/look-up.ts';
import { apiLookUp, ToolNames } from '../api-index.ts';
import { corpusOnDemand, SourceList, sourcesOf } from '../lazy-corpus.ts';
import type { LocalContext, LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 500 }),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: 'Default 3' })),
    source: SourceList,
    context: Type.Optional(
      Type.String({ maxLength: 2000, description: 'What the question is about, such as the error seen' }),
    ),
  },
  { additionalProperties: false },
);

export default {
  name: 'ask_docs',
  backend: 'rag-core',
  toolset: 'rag',
  capability: 'read',
  line: 'Ask the documentation a question: excerpts with citations, from the API documents, the hardware catalogue or the corpus.',
  more: 'No model writes the answer: it is excerpts, and a caveat where their versions differ. Provenance names the index that answered.',
  input: Input,
  search: { aliases: ['documentation question', 'how-to question', 'ask the manual'], questions: [] },
  open: (context) => {
    const corpus = corpusOnDemand(context.config);
    const lookUp = apiLookUp(context);
    const tools = new ToolNames(context);
    const api: Sources['api'] = (question, limit) => {
      const hits = lookUp({ query: question, limit, ...served(context) });
      return 'degraded' in hits ? hits : hits.map((hit) => excerptOf(hit, tools.of(hit)));
    };
    return async ({ question, top_k = 3, source, context: about = '' }: Static<typeof Input>) => {
      const { askDocs } = await import('../../../knowledge/answer-question.ts');
      const rest = await otherSources(context, await corpus(), `${question} ${about}`.trim(), sourcesOf(source));
      return askDocs(question, top_k, { api, ...rest });
    };
  },
} satisfies LocalTool<Static<typeof Input>>;

async function otherSources(
  { config }: LocalContext,
  corpus: OpenedCorpus,
  asked: string,
  sources: { sources?: string[] },
): Promise<Omit<Sources, 'api'>> {
  const [{ searchDocs }, { hardwareExcerpts }] = await Promise.all([
    import('../../../knowledge/search-passages.ts'),
    import('../../../hardware/excerpts.ts'),
  ]);
  const { platforms } = config;
  return {
    // Who names a source wants that one.
    hardware: (question, limit) => ('sources' in sources ? [] : hardwareExcerpts(question, limit)),
    docs: (_, limit) => searchDocs(corpus, { question: asked, limit, collection: 'default', platforms, ...sources }),
  };
}

function served({ config }: LocalContext): { platforms?: string[] } {
  const platforms = config.platforms.map(({ id }) => id);
  return platforms.length > 0 ? { platforms } : {};
}

function excerptOf(hit: Hit, tool: string | undefined): Excerpt {
  return {
    text: tool === undefined ? hit.text : `${hit.text} Tool: ${tool}.`,
    file_path: `${hit.platform}/${hit.document}${hit.ref}`,
    source: hit.title,
    doc_type: `API ${hit.kind}`,
    score: hit.score,
    version: hit.version,
  };
}
