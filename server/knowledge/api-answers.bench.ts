/**
 * `npm run bench:api-answers`: 120 questions to lookup_api and ask_docs, written from the OpenAPI documents, each with the
 * passages that answer it. It prints how often a right passage comes first, and among those shown. `--json` prints one object,
 * `--misses` the questions without one. It fails below the goals.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setup as expandDocuments } from '#fake-api/documents';
import { decideFor } from '../access/access-policy.ts';
import { loadConfig } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { openFinder } from '../search/open-finder.ts';
import askDocs from '../tools/local/knowledge/ask-docs.ts';
import lookupApi from '../tools/local/knowledge/lookup-api.ts';
import type { LocalContext } from '../tools/local/registry.ts';

interface Question {
  id: string;
  tool: 'lookup_api' | 'ask_docs';
  kind: string;
  question: string;
  /** `platform METHOD /path`, `platform Schema` or `platform Schema.field`. */
  gold: string[];
}

const FILE = join(import.meta.dirname, '..', 'test', 'bench', 'knowledge', 'api-questions.jsonl');
const GOALS = { first: 0.8, shown: 0.9 };
const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, misses: { type: 'boolean', default: false } },
});

await expandDocuments();
const folder = mkdtempSync(join(tmpdir(), 'bench-api-answers-'));
try {
  const config = loadConfig({
    env: {
      SVC_MCP_DOTENV: '0',
      SVC_MCP_TOOLSETS: 'all',
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_ACCESS_PROFILE: 'full-read-write',
      SVC_MCP_CATALOG_DIR: folder,
      SVC_MCP_CONFIG_DIR: join(folder, 'none'),
    },
  });
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const finder = openFinder(config, catalog);
  const context: LocalContext = {
    config,
    catalog,
    visible: ({ platform, capability }) => decideFor(config, platform, capability).visible,
    choose: (hint, most) =>
      finder.find({ query: hint, topK: most }).hits.map(({ tool: { name, capability, params }, score }) => ({
        name,
        score,
        capability,
        params,
        open: true,
      })),
  };
  const look = lookupApi.open(context);
  const ask = askDocs.open(context);
  const passagesFor = async ({ tool, question }: Question): Promise<readonly { file_path: string }[]> => {
    const answer = tool === 'lookup_api' ? look({ query: question }) : await ask({ question });
    if (Array.isArray(answer)) return answer;
    // Nothing was found: ask_docs then says that there is no corpus.
    return 'citations' in answer ? answer.citations : [];
  };
  const questions = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line): Question => JSON.parse(line));
  const positions: { question: Question; position: number }[] = [];
  for (const question of questions) {
    const passages = await passagesFor(question);
    const position = passages.findIndex(({ file_path }) => question.gold.includes(named(file_path))) + 1;
    positions.push({ question, position });
  }
  report(positions);
  catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** `mgmt/config#/paths/~1a~1{id}/get` → `mgmt GET /a/{id}`; `…/schemas/Radio#band` → `mgmt Radio.band`. */
function named(passage: string): string {
  const [place = '', pointer = '', field] = passage.split('#');
  const platform = place.slice(0, place.indexOf('/'));
  const parts = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (parts[1] === 'paths') return `${platform} ${parts[3]?.toUpperCase()} ${parts[2]}`;
  return `${platform} ${[parts.at(-1), field].filter(Boolean).join('.')}`;
}

function report(all: readonly { question: Question; position: number }[]): void {
  const share = (own: typeof all, is: (position: number) => boolean) =>
    own.filter(({ position }) => is(position)).length / Math.max(1, own.length);
  const figuresOf = (own: typeof all) => ({
    asked: own.length,
    first: share(own, (position) => position === 1),
    shown: share(own, (position) => position > 0),
  });
  const kinds = Map.groupBy(all, ({ question }) => `${question.tool} ${question.kind}`);
  const figures = {
    all: figuresOf(all),
    ...Object.fromEntries([...kinds].map(([kind, own]) => [kind, figuresOf(own)])),
  };
  const passed = figures.all.first >= GOALS.first && figures.all.shown >= GOALS.shown;
  if (values.json) process.stdout.write(`${JSON.stringify({ ...figures, passed })}\n`);
  else
    for (const [kind, { asked, first, shown }] of Object.entries(figures))
      process.stdout.write(
        `${kind.padEnd(22)} asked ${asked}, first ${(100 * first).toFixed(1)} %, shown ${(100 * shown).toFixed(1)} %\n`,
      );
  if (values.misses)
    for (const { question, position } of all.filter((one) => one.position !== 1))
      process.stdout.write(`${question.id} [${position}] ${question.question}: ${question.gold.join(' or ')}\n`);
  process.exitCode = passed ? 0 : 1;
}
