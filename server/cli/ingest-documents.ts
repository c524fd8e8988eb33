/** Takes documents into the local corpus. Started by `ingest.mjs`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { COLLECTIONS, corpusFile, openSemantic } from '../knowledge/corpus.ts';
import { EmbeddedStore } from '../knowledge/embedded-store.ts';
import { type Ingested, ingest, type Progress } from '../knowledge/ingest.ts';
import { makeVectors, type VectorsMade } from '../knowledge/make-vectors.ts';
import { runCommand } from './run-command.ts';

interface Options {
  directory: string;
  collection: string;
  licence?: string;
  prune?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const program = new Command('svc-mcp-ingest')
  .description(
    'Take Markdown, HTML, PDF and text files into the corpus that search_docs and ask_docs answer from. Nothing is fetched.',
  )
  .version(version)
  .argument('<paths...>', 'files or folders')
  .option('--collection <name>', 'internal for search_internal_docs', COLLECTIONS.docs)
  .option('--licence <name>', 'licence of documents that state none')
  .option('--prune', 'take out documents that are no longer there')
  .option('--quiet', 'no progress')
  .option('--directory <path>', 'the folder with the .env of the router', '.')
  .option('--json', 'print one JSON object')
  .action(async (paths: string[], { directory, collection, licence, prune, json, quiet }: Options) => {
    if (!/^[a-z][a-z0-9_-]{0,40}$/.test(collection))
      throw new RouterError('USAGE', `--collection should be a word in lower case, got ${JSON.stringify(collection)}`);
    const missing = paths.find((path) => !existsSync(path));
    if (missing !== undefined)
      throw new RouterError('USAGE', `${missing} should be a file or folder, got nothing there`);
    const config = loadConfig({ env: process.env, cwd: resolve(directory) });
    const corpus = corpusFile(config.stateDir);
    using store = new EmbeddedStore(corpus);
    const shown = quiet === true ? {} : { progress: shownOn(process.stderr) };
    const result = await ingest(
      paths.map((path) => resolve(path)),
      {
        store,
        collection,
        prune: prune === true,
        ...(licence === undefined ? {} : { licence }),
        ...shown,
      },
    );
    await using semantic = await openSemantic(config, store);
    const vectors = semantic && (await makeVectors({ store, semantic, collection, ...shown }));
    const isRead = result.skipped.length === 0 || result.taken_in + result.unchanged > 0;
    if (!isRead) process.exitCode = EXIT_NOTHING_READ;
    process.stdout.write(
      json === true
        ? `${JSON.stringify({ ok: isRead, corpus, ...result, vectors: vectors ?? { embedder: 'none' } })}\n`
        : summaryOf(result, vectors),
    );
  });

/** Every file was skipped. */
const EXIT_NOTHING_READ = 1;

/** One line that is written over on a terminal; elsewhere every hundredth document. */
function shownOn(stream: NodeJS.WriteStream): (progress: Progress) => void {
  return ({ done, total, path, outcome }) => {
    if (stream.isTTY) stream.write(`\r\u001B[K${done}/${total} ${outcome} ${path}${done === total ? '\n' : ''}`);
    else if (done % 100 === 0 || done === total) stream.write(`${done}/${total}\n`);
  };
}

function summaryOf({ taken_in, unchanged, removed, passages, skipped }: Ingested, vectors?: VectorsMade): string {
  const lines = [
    `ingested ${taken_in} documents (${passages} passages), unchanged ${unchanged}, removed ${removed}, skipped ${skipped.length}`,
    ...[...skipped, ...(vectors?.skipped ?? [])].map(({ path, reason }) => `  skipped ${path}: ${reason}`),
    ...aboutVectors(vectors),
  ];
  return `${lines.join('\n')}\n`;
}

function aboutVectors(vectors: VectorsMade | undefined): string[] {
  if (vectors === undefined) return ['no vectors: no embedder is configured, so documents are found by their words'];
  const { embedder, backend, made, waiting, problem } = vectors;
  const rest = waiting > 0 ? [`  ${waiting} documents have none yet; the same command continues with them`] : [];
  return [`vectors of ${made} passages by ${embedder} (${backend})`, ...(problem ? [`  ${problem}`] : []), ...rest];
}

await runCommand(program);
