/** Vectors by an Ollama, through its own client: one request brings those of many texts. */
import type { Ollama } from 'ollama';
import { Egress } from '../../egress/egress.ts';
import { type Embedder, normal, Refused, Unavailable } from '../embedder.ts';

export interface OllamaOptions {
  /** http://host[:port] */
  url: string;
  model: string;
  /** Most time for one answer. Ollama may first have to load the model. */
  answerMs: number;
  egress?: Egress;
}

/** What models of a family want to read before a text. */
const PREFIXES: readonly { family: RegExp; passage: string; question: string }[] = [
  { family: /^nomic-embed-text/, passage: 'search_document: ', question: 'search_query: ' },
  { family: /^mxbai-embed/, passage: '', question: 'Represent this sentence for searching relevant passages: ' },
];

export function ollamaEmbedder({ url, model, answerMs, egress = new Egress() }: OllamaOptions): Embedder {
  const prefixes = PREFIXES.find(({ family }) => family.test(model));
  let client: Promise<Ollama> | undefined;
  return {
    model,
    embed: async (texts, as) => {
      client ??= connect(url, answerMs, egress);
      const input = texts.map((text) => `${prefixes?.[as] ?? ''}${text}`);
      const answer = await askOf(await client, { model, input }, url);
      return vectorsOf(answer.embeddings, texts.length, url);
    },
  };
}

/** The package is optional, as are those that read documents. */
async function connect(host: string, answerMs: number, egress: Egress): Promise<Ollama> {
  const { Ollama } = await import('ollama').catch((cause) => {
    throw new Unavailable('the package "ollama" is not installed', { cause });
  });
  const named = new Set([new URL(host).origin]);
  const patient: typeof fetch = (input, init) =>
    egress.fetch(
      input instanceof Request ? input.url : String(input),
      { ...init, redirect: 'error', signal: AbortSignal.timeout(answerMs) },
      { named },
    );
  return new Ollama({ host, fetch: patient });
}

async function askOf(client: Ollama, request: { model: string; input: string[] }, url: string) {
  try {
    return await client.embed({ ...request, truncate: true });
  } catch (cause) {
    const status = (cause as { status_code?: number }).status_code;
    const said = cause instanceof Error ? cause.message.slice(0, 160) : 'no reason';
    if (status === 400) throw new Refused(`the embedder does not take it: ${said}`, { cause });
    throw new Unavailable(
      status === undefined
        ? `the embedder at ${url} does not answer`
        : `the embedder at ${url} answered ${status}: ${said}`,
      { cause },
    );
  }
}

function vectorsOf(embeddings: unknown, expected: number, url: string): Float32Array[] {
  const vectors = Array.isArray(embeddings) ? embeddings.flatMap((values) => vectorOf(values) ?? []) : [];
  if (vectors.length === expected && new Set(vectors.map(({ length }) => length)).size === 1) return vectors;
  throw new Unavailable(`the embedder at ${url} should answer ${expected} vectors of one length, got something else`);
}

function vectorOf(values: unknown): Float32Array | undefined {
  return Array.isArray(values) && values.every((value) => typeof value === 'number') ? normal(values) : undefined;
}
