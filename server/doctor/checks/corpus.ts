/** The documents behind search_docs. The embedder is not asked: whether its vectors are there stands in the corpus. */
import { createRequire } from 'node:module';
import { RouterError } from '../../errors.ts';
import { corpusFile } from '../../knowledge/corpus.ts';
import { type CorpusState, inspectCorpus } from '../../knowledge/inspect-corpus.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';

export default {
  id: 'corpus',
  order: 235,
  inside: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const ingest = command('ingest', 'PATH…');
    const file = corpusFile(config.stateDir);
    try {
      const state = inspectCorpus(file);
      return [
        ...embedderOf(config),
        state === undefined ? without(config, ingest) : documentsOf(state, config, ingest),
      ];
    } catch {
      return [fail('corpus', `${file} cannot be read`, `remove it, then ${again(ingest)}`)];
    }
  },
} satisfies Check;

type Settings = Pick<Exclude<Installation['config'], RouterError>, 'knowledge'>;

function embedderOf({ knowledge: { embedder, backend } }: Settings): Finding[] {
  if (embedder === undefined) return [];
  try {
    createRequire(import.meta.url).resolve('ollama');
  } catch {
    return [fail('embedder', 'the package ollama is not installed', 'npm install ollama, or remove OLLAMA_URL')];
  }
  return [ok('embedder', `${embedder.model} at ${embedder.url}, vectors in ${backend} (it was not called)`)];
}

const again = (ingest: string): string => `${ingest} takes the documents in again`;

function without({ knowledge: { embedder } }: Settings, ingest: string): Finding {
  return embedder === undefined
    ? ok('corpus', `no documents were ingested, and search_docs reports that; ${ingest} ingests some`)
    : warn('corpus', 'there is an embedder and no document', `${ingest} takes documents in`);
}

function documentsOf(
  { form, documents, passages, vectors }: CorpusState,
  { knowledge }: Settings,
  ingest: string,
): Finding {
  const there = `${documents} documents, ${passages} passages`;
  if (form === 'later')
    return fail('corpus', 'was made by a newer version', `use that one, or remove it, then ${again(ingest)}`);
  if (form === 'earlier') return warn('corpus', `${there}, in a form of an earlier version`, again(ingest));
  const { embedder, backend } = knowledge;
  if (embedder === undefined) return ok('corpus', `${there}, found by their words: OLLAMA_URL is not set`);
  const having = vectors.get(`${backend}/${embedder.model}`) ?? 0;
  return having < documents
    ? warn(
        'corpus',
        `${documents - having} of ${documents} documents have no vectors of ${embedder.model} in ${backend}`,
        again(ingest),
      )
    : ok('corpus', `${there}, all with vectors`);
}
