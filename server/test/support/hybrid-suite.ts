/** Words and meaning together, through svc-mcp-ingest and retrieval, with an embedder that comes and goes: for each place of vectors. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, packageRoot } from '../../config/config.ts';
import { corpusFile, openCorpus, openSemantic } from '../../knowledge/corpus.ts';
import { EmbeddedStore } from '../../knowledge/embedded-store.ts';
import { ingest } from '../../knowledge/ingest.ts';
import { makeVectors, type VectorsMade } from '../../knowledge/make-vectors.ts';
import { type Knowledge, type Retrieved, retrieve } from '../../knowledge/retrieve.ts';
import { type OllamaServerOptions, ollamaServer } from './ollama-server.ts';
import { startProcess } from './running-process.ts';
import type { VectorRedis } from './vector-redis.ts';

const closing: (() => unknown)[] = [];
/** Done when a test ends, last first. */
export const later = (close: () => unknown): number => closing.push(close);
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** A corpus of birds, and questions that share no word with it. */
export const ALIKE = { budgie: 'parrot', feathered: 'bird', pet: 'bird', eats: 'feed', lunch: 'feed', seeds: 'grain' };

export async function testbed(options: OllamaServerOptions = {}, redis?: VectorRedis) {
  const folder = mkdtempSync(join(tmpdir(), 'hybrid-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'docs'));
  const ollama = await ollamaServer({ alike: ALIKE, ...options });
  later(ollama.close);
  const environment = (more: Record<string, string> = {}) => ({
    OLLAMA_URL: ollama.url,
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    ...(redis
      ? {
          SVC_MCP_RAG_BACKEND: 'redis',
          SVC_MCP_REDIS_URL: redis.url,
          SVC_MCP_REDIS_PASSWORD_PATH: redis.address.passwordPath,
        }
      : {}),
    ...more,
  });
  const write = (path: string, text: string) => writeFileSync(join(folder, 'docs', path), text);
  write('parrots.md', '# Parrot\n\n## Feed\n\nGrain, twice daily.\n');
  write('owls.md', '# Owl\n\n## Sleep\n\nThe whole day long.\n');
  write('herons.md', '# Heron\n\n## Fishing\n\nIn shallow water.\n');
  const take = async (more: Record<string, string> = {}): Promise<VectorsMade | undefined> => {
    const config = loadConfig({ env: environment(more), cwd: folder });
    using store = new EmbeddedStore(corpusFile(config.stateDir));
    await ingest([join(folder, 'docs')], { store, collection: 'default', prune: true });
    await using semantic = await openSemantic(config, store);
    return semantic && (await makeVectors({ store, semantic, collection: 'default' }));
  };
  const ask = async (question: string, more: Record<string, string> = {}): Promise<Retrieved> => {
    const knowledge = (await openCorpus(loadConfig({ env: environment(more), cwd: folder }))()) as Knowledge;
    try {
      return await retrieve(knowledge, question, {}, { limit: 3, collection: 'default' });
    } finally {
      await knowledge.semantic?.[Symbol.asyncDispose]();
      knowledge.store[Symbol.dispose]();
    }
  };
  return { folder, ollama, environment, write, take, ask };
}

export const first = ({ passages }: Retrieved) => passages[0] && `${passages[0].metadata.path}#${passages[0].section}`;

type Testbed = Awaited<ReturnType<typeof testbed>>;

export function testsOfHybrid(
  backend: 'embedded' | 'redis',
  open: (options?: OllamaServerOptions) => Promise<Testbed>,
): void {
  test('a question that shares no word with its answer finds it, and a change is followed', async () => {
    const { take, ask, write, folder } = await open();
    expect(await take()).toEqual({ embedder: 'nomic-embed-text', backend, made: 3, waiting: 0, skipped: [] });
    const found = await ask('budgie lunch seeds');
    expect([first(found), found.how]).toEqual([
      'parrots.md#feed',
      { retrieval: 'hybrid', embedder: 'nomic-embed-text' },
    ]);
    expect(first(await ask('shallow water fishing'))).toBe('herons.md#fishing');
    expect(await take()).toMatchObject({ made: 0, waiting: 0 });
    // The answer moves to another document, and the first one goes.
    rmSync(join(folder, 'docs', 'parrots.md'));
    write('aviary.md', '# Aviary\n\n## Parrot feed\n\nGrain at noon.\n');
    expect(await take()).toMatchObject({ made: 1, waiting: 0 });
    const moved = await ask('budgie lunch seeds');
    expect(moved.passages.map(({ metadata }) => metadata.path)).not.toContain('parrots.md');
    expect(first(moved)).toBe('aviary.md#parrot-feed');
  });

  test('without its embedder words answer alone and say so; vectors are made later', async () => {
    const { ollama, take, ask } = await open();
    ollama.fault = { status: 503, error: 'server busy' };
    expect(await take()).toMatchObject({
      made: 0,
      waiting: 3,
      problem: `the embedder at ${ollama.url} answered 503: server busy`,
    });
    expect((await ask('shallow water fishing')).how).toMatchObject({
      retrieval: 'lexical',
      degraded: expect.stringContaining('take them in again'),
    });
    ollama.fault = undefined;
    expect(await take()).toMatchObject({ made: 3, waiting: 0 });
    await ollama.close();
    const alone = await ask('shallow water fishing');
    expect([first(alone), alone.how]).toEqual([
      'herons.md#fishing',
      { retrieval: 'lexical', embedder: 'nomic-embed-text', degraded: `the embedder at ${ollama.url} does not answer` },
    ]);
  });
}

export function testOfKills(open: (options?: OllamaServerOptions) => Promise<Testbed>): void {
  test('killed at any point, an ingestion ends with one vector a passage', async () => {
    const { folder, environment, write, ollama } = await open();
    for (let i = 0; i < 40; i++) write(`${i}.md`, `# Document ${i}\n\n## One\n\nword${i}\n\n## Two\n\nother${i}\n`);
    const run = () =>
      startProcess(process.execPath, ['server/cli/ingest.mjs', join(folder, 'docs'), '--quiet', '--json'], {
        cwd: packageRoot,
        env: { ...process.env, ...environment() },
      });
    for (const requests of [1, 12, 25]) {
      const before = ollama.asked.length;
      const child = run();
      while (child.isRunning() && ollama.asked.length < before + requests)
        await new Promise((next) => setTimeout(next, 2));
      await child.stop('SIGKILL');
    }
    const last = await run().ended;
    expect(JSON.parse(last.stdout)).toMatchObject({ ok: true, unchanged: 43, vectors: { waiting: 0, skipped: [] } });
    const config = loadConfig({ env: environment(), cwd: folder });
    using store = new EmbeddedStore(corpusFile(config.stateDir));
    await using semantic = await openSemantic(config, store);
    expect(await semantic!.vectors.count('default')).toBe(83);
    expect(store.marks!.counts('default', semantic!.mark)).toEqual({ passages: 83, marked: 83 });
    expect(store.marks!.outdated(semantic!.mark)).toEqual([]);
  }, 120_000);
}
