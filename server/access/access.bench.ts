/**
 * `npm run bench:access`: the truth table of access and confirmation. Every cell is carried out by the router's own parts
 * and held against a reference that knows none of them. `--brief` makes whole calls for one tool in 32, for every change
 * (`--tools-one-in N` for one in N, `--subjects FILE` for those it names, `--callers server|principals` for part of the settings,
 * `--until LAYER` ends with the first deviation in it). Then the corpus of misleading documents is added as a
 * user would and called every way with the gates shut (`--documents` for this alone, `--settings N` under N settings at most);
 * Then it is attempted to get something sent that nobody approved (`--approvals` for this alone), and every kind of access token meets
 * every kind of call over HTTP (`--tokens` for this alone, with `--brief` over one transport; `--brief` without it leaves this out).
 * `--http N` repeats at least N cells over HTTP against the running router; `--mutants` shows that each guard taken out
 * gives deviations (with `--documents`, `--approvals`, `--tokens` or `--tests` those alone); `--json` prints one object last. Exit 1
 * on any deviation.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { setup as expandDocuments } from '#fake-api/documents';
import { packageRoot } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { ACCESS_MUTANTS, survivors } from '../test/access/access-mutants.ts';
import { overHttp } from '../test/access/access-over-http.ts';
import type { Cell } from '../test/access/access-reference.ts';
import { add, emptyTally, isDrawn, type TableOptions, type Tally } from '../test/access/access-table.ts';
import { configOf } from '../test/access/access-testbed.ts';
import { type ApprovalProbes, approvalProbes } from '../test/access/approval-probes.ts';
import { type OriginTally, overDocuments } from '../test/access/document-origin.ts';
import { type SubjectTool, type SubjectTools, subjectTools } from '../test/access/subject-tool.ts';
import { type Setting, settings } from '../test/access/table-settings.ts';
import { type TokenTally, tokenMatrix } from '../test/access/token-matrix.ts';

const { values } = parseArgs({
  options: {
    brief: { type: 'boolean', default: false },
    'tools-one-in': { type: 'string', default: '1' },
    subjects: { type: 'string' },
    callers: { type: 'string', default: 'all' },
    until: { type: 'string' },
    documents: { type: 'boolean', default: false },
    approvals: { type: 'boolean', default: false },
    tokens: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    settings: { type: 'string', default: '0' },
    mutants: { type: 'boolean', default: false },
    http: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const toolsOneIn = wholeNumber('tools-one-in', 1);

const httpCells = wholeNumber('http', 0);
const BRIEF_CALLS_ONE_IN = 32;
/** Tools of a mutant's table. */
const MUTANT_TOOLS_ONE_IN = 64;

const LEAST_TOKEN_CELLS = 10_000;

const settingsAtMost = wholeNumber('settings', 0) || Number.POSITIVE_INFINITY;

function wholeNumber(name: 'tools-one-in' | 'http' | 'settings', least: number): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < least)
    usage(`--${name} should be a whole number from ${least}, got "${values[name]}"`);
  return value;
}

function callersIn(text: string): TableOptions['callers'] {
  if (text === 'all' || text === 'server' || text === 'principals') return text;
  return usage(`--callers should be all, server or principals, got "${text}"`);
}

function layerIn(text: string | undefined): Cell['layer'] | undefined {
  if (text === undefined || text === 'list' || text === 'find' || text === 'dispatch' || text === 'outbound')
    return text;
  return usage(`--until should be list, find, dispatch or outbound, got "${text}"`);
}

const read = (file: string): SubjectTools => JSON.parse(readFileSync(file, 'utf8'));
const told = (count: number) => count.toLocaleString('en');

function usage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

await expandDocuments();
if (values.mutants) {
  const asked = { documents: values.documents, approval: values.approvals, token: values.tokens, tests: values.tests };
  const only = Object.entries(asked).flatMap(([layer, isAsked]) => (isAsked ? [layer] : []));
  const mutants = ACCESS_MUTANTS.filter(({ layer }) => only.length === 0 || only.includes(layer));
  const survived = await survivors(MUTANT_TOOLS_ONE_IN, (line) => process.stdout.write(`${line}\n`), mutants);
  process.exit(survived.length === 0 ? 0 : 1);
}
const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);
if (values.documents) {
  const tally = await overDocuments({ brief: values.brief, most: settingsAtMost });
  sayDocuments(tally);
  const { deviations } = tally;
  const layers = deviations > 0 ? ['documents'] : [];
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ deviations, deviating_layers: layers, by_origin: { user: figuresOf(tally) } })}\n`,
    );
  process.exit(holds(tally) ? 0 : 1);
}
if (values.approvals) {
  const probes = await approvalProbes();
  sayProbes(probes);
  const deviations = probes.deviations.length;
  if (values.json)
    process.stdout.write(`${JSON.stringify({ deviations, deviating_layers: deviations > 0 ? ['approval'] : [] })}\n`);
  process.exit(deviations === 0 ? 0 : 1);
}
if (values.tokens) {
  const tokens = await tokenMatrix({ brief: values.brief });
  sayTokens(tokens);
  const { deviations, upstreamCalls } = tokens;
  const wrong = deviations + upstreamCalls;
  const told = { cells: tokens.cells, deviations: wrong, deviating_layers: wrong > 0 ? ['token'] : [] };
  if (values.json) process.stdout.write(`${JSON.stringify(told)}\n`);
  process.exit(wrong === 0 && tokens.cells >= LEAST_TOKEN_CELLS ? 0 : 1);
}
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-access-'));
try {
  const config = configOf(settings()[0] as Setting, folder);
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const every = values.subjects ? read(values.subjects) : await subjectTools(catalog, config.platforms, packageRoot);
  const { uncalled } = every;
  const tools = every.tools.filter(({ name }) => isDrawn(name, toolsOneIn));
  const tally = await filled(tools);
  const http = httpCells > 0 ? await overHttp({ folder, tools, catalog, cells: httpCells }) : undefined;
  catalog.close();
  const documents =
    values.subjects === undefined ? await overDocuments({ brief: values.brief, most: settingsAtMost }) : undefined;
  const probes = values.subjects === undefined ? await approvalProbes() : undefined;
  const tokens = values.subjects === undefined && !values.brief ? await tokenMatrix() : undefined;
  const seconds = Math.round((performance.now() - started) / 1000);
  const { cells, ofPrincipals, deviations, upstreamCalls, byLayer } = tally;
  const result = {
    cells,
    of_principals: ofPrincipals,
    deviations,
    upstream_calls: upstreamCalls,
    by_layer: byLayer,
    deviating_layers: Object.entries(tally.deviationsByLayer).flatMap(([layer, count]) => (count > 0 ? [layer] : [])),
    tools: tools.length,
    not_in_the_table: uncalled,
    by_origin: {
      shipped: { tools: tools.length, cells, deviations, upstream_calls: upstreamCalls },
      ...(documents ? { user: figuresOf(documents) } : {}),
    },
    ...(tokens
      ? { tokens: { cells: tokens.cells, deviations: tokens.deviations, upstream_calls: tokens.upstreamCalls } }
      : {}),
    ...(probes ? { approvals: { attempts: probes.attempts, deviations: probes.deviations.length } } : {}),
    ...(http
      ? {
          http: {
            cells: http.cells,
            must_refuse: http.mustRefuse,
            deviations: http.deviations,
            upstream_calls: http.upstreamCalls,
          },
        }
      : {}),
    seconds,
  };
  for (const example of [...tally.examples, ...(http?.examples ?? [])]) say(JSON.stringify(example));
  say(
    `${told(cells)} cells over ${told(tools.length)} tools, ${told(ofPrincipals)} of them of seven principals: ${deviations} deviations, ${upstreamCalls} calls sent that should not be`,
  );
  if (http)
    say(
      `${told(http.cells)} of them over HTTP, ${told(http.mustRefuse)} of these must send nothing: ${http.deviations} deviations, ${http.upstreamCalls} calls other than reads in the ledger`,
    );
  if (documents) sayDocuments(documents);
  if (probes) sayProbes(probes);
  if (tokens) sayTokens(tokens);
  for (const name of uncalled) say(`${name}: no valid call is known, so it is not in the table`);
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  const wrong = deviations + upstreamCalls + uncalled.length + (http ? http.deviations + http.upstreamCalls : 0);
  const enough =
    (cells >= 100_000 || toolsOneIn > 1 || values.subjects !== undefined) &&
    (http === undefined || http.cells >= httpCells);
  const isGuarded = tokens === undefined || tokens.deviations + tokens.upstreamCalls === 0;
  const attempted = probes === undefined || probes.deviations.length === 0;
  process.exitCode =
    wrong === 0 && enough && attempted && isGuarded && (documents === undefined || holds(documents)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function sayTokens({ cells, deviations, upstreamCalls, refused, examples }: TokenTally): void {
  for (const example of examples) say(example);
  say(
    `${told(cells)} cells of access tokens, ${told(refused)} of which must be refused: ${deviations} deviations, ${upstreamCalls} requests sent that should not be`,
  );
}

function sayProbes({ attempts, deviations }: ApprovalProbes): void {
  for (const deviation of deviations.slice(0, 10)) say(deviation.slice(0, 500));
  say(`${attempts} attempts to send a request without approval: ${deviations.length} succeeded`);
}

function figuresOf({ changingWhenOpen, examples: _, ...figures }: OriginTally) {
  return { ...figures, changing_when_open: changingWhenOpen };
}

function sayDocuments(tally: OriginTally): void {
  const { cells, documents, operations, changing, deviations, changingWhenOpen, unread } = tally;
  for (const example of tally.examples) say(example);
  say(
    `${told(cells)} cells over ${documents} misleading documents of a user, ${operations} operations labelled by hand, ${changing} of them changing: ${deviations} requests or names that should not be; with the gates open ${changingWhenOpen} of the changing ones arrive`,
  );
  for (const id of unread) say(`${id}: none of its reads arrived, so it proves nothing`);
}

/** Nothing arrived that should not, and enough did that should. */
function holds({ deviations, documents, unread, changingWhenOpen }: OriginTally): boolean {
  return deviations === 0 && documents >= 60 && unread.length === 0 && changingWhenOpen > 0;
}

/** One thread per core, each with every n-th tool. */
async function filled(tools: readonly SubjectTool[]): Promise<Tally> {
  const of = availableParallelism();
  const until = layerIn(values.until);
  const seen = new Int32Array(new SharedArrayBuffer(4));
  const shares = Array.from({ length: of }, (_, share) =>
    inThread({
      folder,
      tools,
      share,
      of,
      callsOneIn: values.brief && toolsOneIn === 1 && values.subjects === undefined ? BRIEF_CALLS_ONE_IN : 1,
      brief: values.brief,
      callers: callersIn(values.callers),
      until: until && { layer: until, seen },
    }),
  );
  return (await Promise.all(shares)).reduce(add, emptyTally());
}

function inThread(options: TableOptions): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../test/access/access-table-worker.ts', import.meta.url), {
      workerData: options,
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
