/**
 * `npm run bench:knowledge`: the retrieval exam for ours and for plain BM25, exact operations against the spec index, and the
 * time of ingestion and of a query. `--json` prints one object. A hybrid figure needs an embedder, and there is none yet.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { EmbeddedStore } from '../knowledge/embedded-store.ts';
import { ingest } from '../knowledge/ingest.ts';
import { readQuestion } from '../knowledge/question.ts';
import { openCatalog } from '../open-catalog.ts';
import { SPEC_INDEX_FILE } from '../spec-index/build.ts';
import { SpecIndex } from '../spec-index/look-up.ts';
import { CORPUS, type ExamQuestion, readExam, type Score, scoreOf } from './knowledge/exam.ts';
import { plainBm25 } from './knowledge/plain-bm25.ts';

const COPIES = 26;
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'bench-knowledge-'));
try {
  const report = await measure();
  if (values.json) console.log(JSON.stringify(report));
  else print(report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure() {
  using store = new EmbeddedStore(join(folder, 'exam.sqlite'));
  await ingest([CORPUS], { store, collection: 'default' });
  const rank = (question: string) => addresses(store, question, 10);
  const texts = new Map(
    [...store.passages('default')].map(({ facts, section, heading, text }) => [
      `${facts.path}#${section}`,
      `${facts.title} ${heading} ${text}`,
    ]),
  );
  const bm25 = plainBm25(texts);
  const prose = readExam().filter(({ kind }) => kind !== 'api');
  const by = (questions: ExamQuestion[]) => ({
    ours: scoreOf(questions, rank),
    plain_bm25: scoreOf(questions, (question) => bm25(question, 10)),
  });
  return {
    passages: texts.size,
    all: by(prose),
    dev: by(prose.filter(({ part }) => part === 'dev')),
    published: by(prose.filter(({ part }) => part === 'published')),
    exact_api: exactApi(readExam().filter(({ kind }) => kind === 'api')),
    hybrid: 'not run: there is no embedder',
    time: await times(prose),
  };
}

function addresses(store: EmbeddedStore, question: string, limit: number): string[] {
  return store
    .search(readQuestion(question), { limit, collection: 'default' })
    .map(({ facts, section }) => `${facts.path}#${section}`);
}

/** Exact names as ask_docs looks them up: the right operation must come first. */
function exactApi(questions: ExamQuestion[]): Score {
  const { catalog } = openCatalog(loadConfig({ env: { SVC_MCP_PRODUCTS: 'all' } }));
  using index = new SpecIndex(join(catalog.folder, SPEC_INDEX_FILE));
  const score = scoreOf(questions, (question) => {
    const [query = question] =
      /\b(GET|POST|PUT|PATCH|DELETE) \/[^\s,?]+/.exec(question) ?? /\b[a-z]+[A-Z][A-Za-z0-9]+\b/.exec(question) ?? [];
    return index.lookUp({ query, limit: 5 }).map(({ platform, name }) => `${platform} ${name}`);
  });
  catalog.close();
  return score;
}

/** The corpus over and over, until there are ten thousand passages. */
async function times(questions: readonly ExamQuestion[]) {
  using store = new EmbeddedStore(join(folder, 'large.sqlite'));
  const started = performance.now();
  let passages = 0;
  for (let copy = 0; copy < COPIES; copy++)
    passages += (await ingest([CORPUS], { store: renamed(store, copy), collection: 'default' })).passages;
  const seconds = (performance.now() - started) / 1000;
  const each = questions.map(({ question }) => {
    const from = performance.now();
    addresses(store, question, 5);
    return performance.now() - from;
  });
  const sorted = each.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] as number) * 100) / 100;
  return {
    passages,
    ingested_per_second: Math.round(passages / seconds),
    query_p50_ms: at(0.5),
    query_p95_ms: at(0.95),
  };
}

/** The same store, in which every document has another path per copy. */
function renamed(store: EmbeddedStore, copy: number): EmbeddedStore {
  return Object.assign(Object.create(store) as EmbeddedStore, {
    hashOf: () => undefined,
    put: (collection: string, hash: string, document: Parameters<EmbeddedStore['put']>[2]) =>
      store.put(collection, hash, {
        ...document,
        facts: { ...document.facts, path: `${copy}/${document.facts.path}` },
      }),
  });
}

function print(report: Awaited<ReturnType<typeof measure>>): void {
  const line = (name: string, { asked, hit1, hit5, mrr }: Score) =>
    console.log(
      `${name.padEnd(24)} ${String(asked).padStart(4)}   ${hit1.toFixed(3)}   ${hit5.toFixed(3)}   ${mrr.toFixed(3)}`,
    );
  console.log(`${report.passages} passages${' '.repeat(12)}asked   hit@1   hit@5     MRR`);
  for (const part of ['all', 'dev', 'published'] as const) {
    line(`ours, ${part}`, report[part].ours);
    line(`plain BM25, ${part}`, report[part].plain_bm25);
  }
  line('exact operations', report.exact_api);
  console.log(`hybrid: ${report.hybrid}`);
  const { passages, ingested_per_second, query_p50_ms, query_p95_ms } = report.time;
  console.log(
    `${passages} passages: taken in at ${ingested_per_second} a second; query p50 ${query_p50_ms} ms, p95 ${query_p95_ms} ms`,
  );
}
