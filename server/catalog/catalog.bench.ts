/**
 * `npm run bench:catalog`: what a large installation costs. How long a build and a start take, how much memory a router holds, how
 * fast it finds and looks up, at several sizes (`--sizes 15000,25000` beside the shipped one; `--starts 15` of each). `--json` prints one object last; goals are judged at the first size.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setup as expandDocuments } from '#fake-api/documents';
import { loadConfig } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { openFinder } from '../search/open-finder.ts';
import { SpecIndex } from '../spec-index/look-up.ts';
import { SPEC_INDEX_FILE } from '../spec-index/spec-index-file.ts';
import { type Chart, writeGrowthPage } from '../test/bench/growth-page.ts';
import { type Installation, installationOf } from '../test/bench/large-document.ts';
import { type Started, start } from '../test/bench/measured-process.ts';
import { EXACT, QUESTIONS, TEXT, timings } from '../test/bench/query-timing.ts';
import { median } from '../test/bench/statistics.ts';

const ROUTER = join(import.meta.dirname, '..', 'cli', 'router.mjs');
const CATALOG = join(import.meta.dirname, '..', 'cli', 'catalog.mjs');
const BARE = join(import.meta.dirname, '..', 'test', 'bench', 'bare-server.ts');
const HTTP = { MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' };
const CALLED_TOOLS = 1_000;

/** Most a figure may be, at the size of what we ship and the public document. */
const GOALS = {
  buildMs: 15_000,
  unchangedMs: 300,
  startMs: 300,
  residentOverBareMb: 50,
  residentAfterCallsMb: 150,
  firstFindMs: 50,
  lookupExactP95Ms: 0.15,
  lookupTextP95Ms: 10,
} as const;

const CHARTS: readonly Chart[] = [
  {
    title: 'Building the catalog and the spec index',
    caption: 'The command as an operator runs it, from its start to its end; unchanged inputs are only recognised.',
    unit: 'ms',
    lines: { buildMs: 'changed', unchangedMs: 'unchanged' },
  },
  {
    title: 'From process start to an answered tools/list',
    caption: 'Beside an empty server on the same protocol and HTTP libraries; medians with a warm compile cache.',
    unit: 'ms',
    lines: { startMs: 'router', bareStartMs: 'empty server' },
  },
  {
    title: 'Memory',
    caption: 'Resident memory of the process after its start, beside the empty server, and what a thousand calls add.',
    unit: 'MB',
    lines: {
      residentMb: 'router',
      bareResidentMb: 'empty server',
      residentAfterCallsMb: 'added by 1,000 tools called',
    },
  },
  {
    title: 'Finding and looking up, in process',
    caption: 'Time of one question at the 95th percentile.',
    unit: 'ms',
    lines: { findP95Ms: 'find_tool', lookupTextP95Ms: 'look-up by text', lookupExactP95Ms: 'exact look-up' },
  },
];

type Figures = {
  tools: number;
  documents: number;
  buildMs: number;
  unchangedMs: number;
  startMs: number;
  bareStartMs: number;
  residentMb: number | undefined;
  bareResidentMb: number | undefined;
  residentOverBareMb: number | undefined;
  residentAfterCallsMb: number | undefined;
  firstFindMs: number;
  findP50Ms: number;
  findP95Ms: number;
  lookupExactP95Ms: number;
  lookupTextP50Ms: number;
  lookupTextP95Ms: number;
};

async function measure(operations: number | undefined, starts: number): Promise<Figures> {
  using installation = await installationOf(operations);
  const buildMs = build(installation, true);
  const unchangedMs = median([1, 2, 3, 4, 5].map(() => build(installation, false)));
  const [startMs, bareStartMs] = await startTimes(installation, starts);
  const memory = await memoryOf(installation);
  const config = loadConfig({ env: installation.env });
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const finder = openFinder(config, catalog);
  using index = new SpecIndex(join(catalog.folder, SPEC_INDEX_FILE));
  const platforms = config.platforms.map(({ id }) => id);
  const find = await timings(QUESTIONS, (query) => finder.find({ query, topK: 5 }));
  const exact = await timings(EXACT, (query) => index.lookUp({ query, limit: 10, platforms }));
  const text = await timings(TEXT, (query) => index.lookUp({ query, limit: 10, platforms }));
  const { platformTools, documents } = catalog.summary;
  catalog.close();
  return {
    tools: platformTools,
    documents,
    buildMs,
    unchangedMs,
    startMs,
    bareStartMs,
    ...memory,
    findP50Ms: find.p50,
    findP95Ms: find.p95,
    lookupExactP95Ms: exact.p95,
    lookupTextP50Ms: text.p50,
    lookupTextP95Ms: text.p95,
  };
}

/** The command as an operator runs it, from its start to its end. */
function build(installation: Installation, changed: boolean): number {
  const began = performance.now();
  const words = ['build', '--products', 'all', '--complete-catalog', '--json'];
  const ended = spawnSync(process.execPath, [CATALOG, ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...installation.env },
    encoding: 'utf8',
  });
  const ms = performance.now() - began;
  if (ended.status !== 0) throw new Error(`the build failed: ${ended.stderr}`);
  const { built } = JSON.parse(ended.stdout) as { built: boolean };
  if (built !== changed) throw new Error(`a build should ${changed ? '' : 'not '}have been needed`);
  return ms;
}

/** Both servers by turns, so that a busy moment of the machine falls on both. The first of each only warms the cache. */
async function startTimes(installation: Installation, starts: number): Promise<[router: number, bare: number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i <= starts; i++) {
    const router = await start(ROUTER, ['--json'], { ...installation.env, ...HTTP });
    await router.stop();
    const bare = await start(BARE, [], {});
    await bare.stop();
    if (i === 0) continue;
    times[0].push(router.ms);
    times[1].push(bare.ms);
  }
  return [median(times[0]), median(times[1])];
}

async function memoryOf(
  installation: Installation,
): Promise<
  Pick<Figures, 'residentMb' | 'bareResidentMb' | 'residentOverBareMb' | 'residentAfterCallsMb' | 'firstFindMs'>
> {
  const bare = await start(BARE, [], {});
  const bareResidentMb = bare.residentMb();
  await bare.stop();
  const router = await start(ROUTER, ['--json'], { ...installation.env, ...HTTP });
  const residentMb = router.residentMb();
  const began = performance.now();
  await router.call('find_tool', { query: QUESTIONS[0] });
  const firstFindMs = performance.now() - began;
  await callEach(installation, router);
  const after = router.residentMb();
  await router.stop();
  const over = (mb: number | undefined, than: number | undefined) =>
    mb === undefined || than === undefined ? undefined : mb - than;
  return {
    residentMb,
    bareResidentMb,
    residentOverBareMb: over(residentMb, bareResidentMb),
    residentAfterCallsMb: over(after, residentMb),
    firstFindMs,
  };
}

/** One call of each of many tools: refused for want of arguments or credentials, but checked against its whole schema. */
async function callEach(installation: Installation, router: Started): Promise<void> {
  const { catalog } = openCatalog(loadConfig({ env: installation.env }), { products: 'all', complete: true });
  const names = catalog.names();
  catalog.close();
  const step = Math.max(1, Math.floor(names.length / CALLED_TOOLS));
  const chosen = names.filter((_, i) => i % step === 0).slice(0, CALLED_TOOLS);
  for (const name of chosen) await router.call('invoke_read_tool', { name, arguments: {} });
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Number(value.toPrecision(value < 1 ? 2 : 4));

function judge(figures: Figures) {
  return Object.entries(GOALS).map(([name, goal]) => {
    const got = figures[name as keyof typeof GOALS];
    return { figure: name, got: rounded(got), goal, passed: got === undefined ? null : got <= goal };
  });
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '15000,25000' },
    starts: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = values.sizes
  .split(',')
  .filter((size) => size !== '')
  .map(Number);
const starts = Number(values.starts);
if (sizes.some((size) => !Number.isInteger(size) || size < 9_000) || !Number.isInteger(starts) || starts < 1) {
  process.stderr.write(
    `--sizes should be whole numbers of tools from 9000, --starts a whole number, got "${values.sizes}" and "${values.starts}"\n`,
  );
  process.exit(2);
}

const SHIPPED = loadConfig({
  env: { SVC_MCP_DOTENV: '0', SVC_MCP_CONFIG_DIR: join(import.meta.dirname, '..', 'test', 'bench', 'none') },
});
await expandDocuments();
const shipped = openCatalog(SHIPPED).catalog;
const shippedTools = shipped.summary.platformTools;
shipped.close();

const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
const base = await measure(undefined, starts);
const goals = judge(base);
say(
  `${base.tools} tools (what we ship and one public document of 1,223 operations), ${availableParallelism()} cores, Node ${process.version}`,
);
for (const { figure, got, goal, passed } of goals)
  say(
    `  ${passed === false ? 'MISSED' : passed ? 'ok    ' : 'not measured here'} ${figure} ${got ?? ''} (goal ${goal})`,
  );
say(`  a bare server starts in ${rounded(base.bareStartMs)} ms and holds ${rounded(base.bareResidentMb)} MB`);
const growth: Figures[] = [];
for (const size of sizes) {
  const figures = await measure(size - shippedTools, Math.min(5, starts));
  growth.push(figures);
  say(
    `${figures.tools} tools: ${Object.entries(figures)
      .filter(([name]) => name !== 'tools')
      .map(([name, value]) => `${name} ${rounded(value)}`)
      .join(', ')}`,
  );
}
const PAGE = join(loadConfig({ env: { SVC_MCP_DOTENV: '0' } }).root, 'var', 'bench', 'catalog.html');
await writeGrowthPage(PAGE, 'npm run bench:catalog', CHARTS, [base, ...growth]);
say(`page: ${PAGE}`);
const passed = goals.every((goal) => goal.passed !== false);
const plain = (figures: Figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]));
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ bench: 'catalog', node: process.version, cores: availableParallelism(), passed, goals, base: plain(base), growth: growth.map(plain) })}\n`,
  );
process.exitCode = passed ? 0 : 1;
