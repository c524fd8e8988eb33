/**
 * An Ollama as its API documents it (POST /api/embed), for tests: texts that share words, or words that the test calls alike,
 * get vectors that lie close together. It is no model, and no figure about retrieval may come from it.
 */
import { createHash } from 'node:crypto';
import Fastify from 'fastify';

export interface OllamaServer extends AsyncDisposable {
  url: string;
  /** Texts of each request, in their order. */
  asked: string[][];
  /** Answers this instead, until it is undefined again. */
  fault: { status: number; error: string } | undefined;
  close: () => Promise<void>;
}

export interface OllamaServerOptions {
  model?: string;
  dimensions?: number;
  /** Words that mean the same, by the word that stands for them. */
  alike?: Readonly<Record<string, string>>;
  /** Texts with this in them are refused as too long. */
  refuses?: string;
  port?: number;
}

export async function ollamaServer(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const { model = 'nomic-embed-text', dimensions = 128, alike = {}, refuses, port = 0 } = options;
  const asked: string[][] = [];
  const app = Fastify({ bodyLimit: 50_000_000, forceCloseConnections: true });
  const server = { url: '', asked, fault: undefined as OllamaServer['fault'] };
  app.post<{ Body: { model?: string; input?: string | string[] } }>('/api/embed', async ({ body }, reply) => {
    if (server.fault) return reply.code(server.fault.status).send({ error: server.fault.error });
    if (!body.model) return reply.code(400).send({ error: 'model is required' });
    if (body.model !== model && body.model !== `${model}:latest`)
      return reply.code(404).send({ error: `model "${body.model}" not found, try pulling it first` });
    const texts = typeof body.input === 'string' ? [body.input] : (body.input ?? []);
    if (refuses !== undefined && texts.some((text) => text.includes(refuses)))
      return reply.code(400).send({ error: 'the input length exceeds the context length' });
    asked.push(texts);
    return {
      model: body.model,
      embeddings: texts.map((text) => embed(text, dimensions, alike)),
      total_duration: 14_143_917,
      load_duration: 1_019_500,
      prompt_eval_count: texts.join(' ').split(/\s+/).length,
    };
  });
  server.url = await app.listen({ port, host: '127.0.0.1' });
  const close = () => app.close().then(() => undefined);
  return Object.assign(server, { close, [Symbol.asyncDispose]: close });
}

function embed(text: string, dimensions: number, alike: Readonly<Record<string, string>>): number[] {
  const sum = new Float64Array(dimensions);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    for (const [at, value] of wordVector(alike[word] ?? word, dimensions).entries()) sum[at]! += value;
  const length = Math.hypot(...sum) || 1;
  return [...sum].map((value) => value / length);
}

function wordVector(word: string, dimensions: number): number[] {
  const values: number[] = [];
  for (let block = 0; values.length < dimensions; block++)
    values.push(...createHash('sha256').update(`${block} ${word}`).digest());
  return values.slice(0, dimensions).map((byte) => byte - 127.5);
}
