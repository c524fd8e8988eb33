/** Hits of a corpus in the form of search_docs and ask_docs. Text of a document is always a quotation. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { type Degraded, noCorpus, type OpenedCorpus } from './corpus.ts';
import type { StoredPassage } from './corpus-store.ts';
import { type How, retrieve } from './retrieve.ts';

export const EXCERPT = 600;

export interface DocHit {
  text: string;
  source: string;
  doc_type: string;
  /** Document and section, as `path#section`. */
  file_path: string;
  title: string;
  score: number;
  platform?: string;
  version?: string;
  /** The document that replaced this one. */
  superseded_by?: string;
  /** Where the same words stand as well. */
  also_in?: string[];
}

export interface DocQuery {
  question: string;
  limit: number;
  collection: string;
  sources?: readonly string[];
  platforms: readonly Pick<PlatformDefinition, 'id' | 'words'>[];
}

export interface DocHits {
  items: DocHit[];
  provenance: How;
}

/** More than shown, because doubles are put together. */
const READ = 4;

export async function searchDocs(
  corpus: OpenedCorpus,
  { question, limit, collection, sources, platforms }: DocQuery,
): Promise<DocHits | Degraded> {
  if (corpus !== undefined && 'degraded' in corpus) return corpus;
  if (corpus === undefined || !corpus.store.has(collection)) return noCorpus(collection);
  const words = Object.fromEntries(platforms.map(({ id, words: own }) => [id, own]));
  const wanted = { limit: limit * READ, collection, ...(sources ? { sources } : {}) };
  const [identifier] = /\b[A-Z]{2,10}-\d{4}-\d{2,7}\b/i.exec(question) ?? [];
  const named = identifier === undefined ? [] : corpus.store.named(identifier, wanted);
  const { passages, how } = await retrieve(corpus, question, words, wanted);
  const hits = named.length > 0 ? byQuestion(named, passages) : passages;
  return { items: together(hits).slice(0, limit), provenance: how };
}

/** Of what bears the identifier, what fits the rest of the question first. */
function byQuestion(named: readonly StoredPassage[], ranked: readonly StoredPassage[]): StoredPassage[] {
  const place = (passage: StoredPassage) => {
    const at = ranked.findIndex(
      ({ metadata, section }) => metadata.path === passage.metadata.path && section === passage.section,
    );
    return at < 0 ? ranked.length : at;
  };
  return [...named].sort(
    (a, b) => Number(a.metadata.superseded_by !== '') - Number(b.metadata.superseded_by !== '') || place(a) - place(b),
  );
}

function together(passages: readonly StoredPassage[]): DocHit[] {
  const hits = new Map<string, DocHit>();
  for (const passage of passages) {
    const key = passage.text.replaceAll(/\s+/g, ' ').toLowerCase();
    const known = hits.get(key);
    if (known) known.also_in = [...(known.also_in ?? []), addressOf(passage)];
    else hits.set(key, hitOf(passage));
  }
  return [...hits.values()];
}

const addressOf = ({ metadata, section }: StoredPassage) => `${metadata.path}#${section}`;

function hitOf(passage: StoredPassage): DocHit {
  const { metadata, text, score } = passage;
  const { source, doc_type, title, platform, version, superseded_by } = metadata;
  return {
    text: excerpt(text),
    source,
    doc_type,
    file_path: addressOf(passage),
    title,
    score: Math.round(score * 10_000) / 10_000,
    ...(platform ? { platform } : {}),
    ...(version ? { version } : {}),
    ...(superseded_by ? { superseded_by } : {}),
  };
}

/** Ends at a word, and says that it goes on. */
export function excerpt(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  if (plain.length <= EXCERPT) return plain;
  const cut = plain.slice(0, EXCERPT - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT / 2))}…`;
}
