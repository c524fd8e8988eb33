/** Words and meaning together, vectors in the corpus file; and what happens when embedder, model or form of the file change. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { ALIKE, closeAll, first, later, testbed, testsOfHybrid } from '../test/support/hybrid-suite.ts';
import { type OllamaServer, ollamaServer } from '../test/support/ollama-server.ts';
import { corpusFile, openCorpus } from './corpus.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { corpusProvenance } from './provenance.ts';
import { type Knowledge, retrieve } from './retrieve.ts';

afterEach(closeAll);

describe('with vectors in the corpus file', () => testsOfHybrid('embedded', testbed));

test('a text that the embedder refuses is named, and the others get vectors', async () => {
  const { take, write, ask } = await testbed({ refuses: 'endless' });
  write('long.md', '# Long\n\n## Story\n\nThis is endless.\n');
  expect(await take()).toMatchObject({
    made: 3,
    waiting: 1,
    skipped: [{ path: 'long.md', reason: expect.stringContaining('the embedder does not take it') }],
  });
  expect((await ask('story of long')).how).toMatchObject({
    retrieval: 'hybrid',
    degraded: '1 of 4 documents have no vectors yet',
  });
});

test('vectors of another model are never compared: they are made again', async () => {
  const { take, ask, ollama } = await testbed();
  await take();
  const other: OllamaServer = await ollamaServer({ model: 'all-minilm', dimensions: 32, alike: ALIKE });
  later(other.close);
  const changed = { OLLAMA_URL: other.url, SVC_MCP_RAG_EMBED_MODEL: 'all-minilm' };
  expect((await ask('budgie lunch seeds', changed)).how).toMatchObject({
    retrieval: 'lexical',
    embedder: 'all-minilm',
  });
  expect(await take(changed)).toMatchObject({ embedder: 'all-minilm', made: 3 });
  expect(first(await ask('budgie lunch seeds', changed))).toBe('parrots.md#feed');
  expect(ollama.asked.length).toBeGreaterThan(0);
});

test('one that did not answer is left alone for a while', async () => {
  const { take, ollama, environment, folder } = await testbed();
  await take();
  ollama.fault = { status: 500, error: 'out of memory' };
  const knowledge = (await openCorpus(loadConfig({ env: environment(), cwd: folder }))()) as Knowledge;
  const ask = () => retrieve(knowledge, 'owl sleep', {}, { limit: 3, collection: 'default' });
  expect((await ask()).how.degraded).toContain('answered 500');
  ollama.fault = undefined;
  const before = ollama.asked.length;
  expect((await ask()).how.degraded).toContain('answered 500');
  expect(ollama.asked.length).toBe(before);
  await knowledge.semantic![Symbol.asyncDispose]();
  knowledge.store[Symbol.dispose]();
});

test('a corpus of the earlier format is searched by words, and the next write renews it', async () => {
  const { take, ask, folder, environment } = await testbed();
  const config = loadConfig({ env: environment(), cwd: folder });
  mkdirSync(join(folder, 'state', 'knowledge'), { recursive: true });
  const earlier = new DatabaseSync(corpusFile(config.stateDir));
  earlier.exec(`
    CREATE TABLE document (
      id INTEGER PRIMARY KEY, collection TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, ingested_at TEXT NOT NULL,
      title TEXT NOT NULL, source TEXT NOT NULL, doc_type TEXT NOT NULL, platform TEXT NOT NULL, version TEXT NOT NULL,
      date TEXT NOT NULL, licence TEXT NOT NULL, superseded_by TEXT NOT NULL, UNIQUE (collection, path));
    CREATE TABLE passage (
      id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      section TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL);
    CREATE INDEX passage_document ON passage (document);
    CREATE VIRTUAL TABLE words USING fts5 (place, title, heading, body, tokenize = "unicode61 tokenchars '.'");
    INSERT INTO document VALUES (1, 'default', 'geese.md', 'x', '2026-01-01', 'Goose', 'notes', 'notes', '', '', '', '', '');
    INSERT INTO passage VALUES (1, 1, 'gaggle', 'Gaggle', 'Geese fly in a wedge.');
    INSERT INTO words (rowid, place, title, heading, body) VALUES (1, 'c.default s.notes p.none', 'goos', 'gaggl', 'gees fly wedg');`);
  earlier.close();
  expect(await ask('wedge')).toMatchObject({
    passages: [{ metadata: { path: 'geese.md' } }],
    how: { retrieval: 'lexical' },
  });
  const knowledge = (await openCorpus(config)()) as Knowledge;
  expect(corpusProvenance(knowledge)).toMatchObject({
    retrieval: 'lexical',
    vector_store: 'embedded',
    sources: [{ documents_with_vectors: 0 }],
  });
  await knowledge.semantic![Symbol.asyncDispose]();
  knowledge.store[Symbol.dispose]();
  {
    using store = new EmbeddedStore(corpusFile(config.stateDir));
    expect(store.paths('default')).toEqual(['geese.md']);
  }
  expect(first(await ask('wedge'))).toBe('geese.md#gaggle');
  expect(await take()).toMatchObject({ made: 3, waiting: 0 });
});
