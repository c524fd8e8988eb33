/** corpus_provenance: what the documentation tools answer from, under which terms, and how old it is. */
import { join } from 'node:path';
import { type Static, Type } from '../../../config/schema.ts';
import { SPEC_INDEX_FILE } from '../../../spec-index/spec-index-file.ts';
import { corpusOnDemand } from '../lazy-corpus.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  { detail: Type.Optional(Type.Boolean({ description: 'Every document of the spec index as well' })) },
  { additionalProperties: false },
);

export default {
  name: 'corpus_provenance',
  backend: 'rag-core',
  toolset: 'rag',
  capability: 'read',
  line: 'Provenance of the documentation: which documents are indexed, how many, under which terms and since when.',
  more: 'Covers the spec index behind lookup_api, the document corpus behind ask_docs and search_docs, and the hardware catalogue.',
  input: Input,
  search: { aliases: ['what is indexed', 'documentation sources', 'corpus statistics'], questions: [] },
  open: ({ config, catalog }) => {
    const corpus = corpusOnDemand(config);
    return async ({ detail = false }: Static<typeof Input>) => {
      const [{ noCorpus }, { corpusProvenance }, { specDocuments }, { MODELS }] = await Promise.all([
        import('../../../knowledge/corpus.ts'),
        import('../../../knowledge/provenance.ts'),
        import('../../../knowledge/spec-provenance.ts'),
        import('../../../hardware/models.ts'),
      ]);
      const opened = (await corpus()) ?? noCorpus('default');
      return {
        spec_index: specDocuments(join(catalog.folder, SPEC_INDEX_FILE), detail),
        document_corpus: 'degraded' in opened ? opened : corpusProvenance(opened),
        hardware_catalogue: {
          models: MODELS.length,
          licence: 'that of this repository',
          origin: 'written for this repository',
        },
      };
    };
  },
} satisfies LocalTool<Static<typeof Input>>;
