/** The second question set by words and meaning, where a real embedder answers; a figure without one would be made up. */
import { loadConfig } from '../../../config/config.ts';
import { corpusFile, openSemantic } from '../../../knowledge/corpus.ts';
import { EmbeddedStore } from '../../../knowledge/embedded-store.ts';
import { ingest } from '../../../knowledge/ingest.ts';
import { makeVectors } from '../../../knowledge/make-vectors.ts';
import { retrieve } from '../../../knowledge/retrieve.ts';
import { CORPUS, type Score, type SecondQuestion, scoreOf } from './knowledge-questions.ts';

/** The score, or why there is none. */
export async function answerHybridQuestions(
  url: string | undefined,
  folder: string,
  questions: readonly SecondQuestion[],
): Promise<Score | string> {
  if (url === undefined) return 'not run: OLLAMA_URL names no embedder';
  const model = process.env['SVC_MCP_RAG_EMBED_MODEL'];
  const config = loadConfig({
    env: {
      SVC_MCP_DOTENV: '0',
      OLLAMA_URL: url,
      SVC_MCP_STATE_DIR: folder,
      ...(model ? { SVC_MCP_RAG_EMBED_MODEL: model } : {}),
    },
    cwd: folder,
  });
  using store = new EmbeddedStore(corpusFile(folder));
  await using semantic = await openSemantic(config, store);
  if (semantic === undefined) return 'not run: no embedder';
  await ingest([CORPUS], { store, collection: 'default' });
  const { problem } = await makeVectors({ store, semantic, collection: 'default' });
  if (problem !== undefined) return `not run: ${problem}`;
  const ranked = new Map<string, string[]>();
  for (const { question } of questions) {
    const { passages, how } = await retrieve({ store, semantic }, question, {}, { limit: 10, collection: 'default' });
    if (how.retrieval !== 'hybrid') return `not run: ${how.degraded}`;
    ranked.set(
      question,
      passages.map(({ metadata, section }) => `${metadata.path}#${section}`),
    );
  }
  return scoreOf(questions, (question) => ranked.get(question) ?? []);
}
