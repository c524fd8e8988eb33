/**
 * `npm run nightly`: the lines of `server/test/bench/nightly/jobs`, one after the other, each as a process. `--list` names them,
 * `--only R1,soak` picks, `--shard 2/5` shares them out by their minutes, `--sabotage` breaks the program for each line, which
 * must notice, `--resume` keeps what passed at this commit, `--within 180` is the time there is, `--day 20000` another day than today for lines
 * that play a part a night, `--record` adds the figures to `reports/nightly.json` and writes them into the table of
 * `docs/reliability.md`, `--page` draws the page from what there is. Exit 0 only when every line that was asked for passed,
 * 130 when stopped.
 * `--json` prints one object last; `--lines`, `--folder` and `--history` are where lines, results and figures lie.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../support/child-process.ts';
import { withCells } from './nightly/nightly-cells.ts';
import { nightOf, readHistory, withNight, writeHistory } from './nightly/nightly-history.ts';
import { dayOf, goalText, LINES, type Line, loadLines } from './nightly/nightly-job.ts';
import { nightPage } from './nightly/nightly-page.ts';
import { type Kind, keyOf, type Outcome, play } from './nightly/nightly-run.ts';
import { parseShard, shardOf } from './nightly/nightly-shards.ts';

const USAGE = 2;
const INTERRUPTED = 130;
const HISTORY = join(ROOT, 'reports', 'nightly.json');
const TABLE = join(ROOT, 'docs', 'reliability.md');
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    shard: { type: 'string' },
    list: { type: 'boolean', default: false },
    sabotage: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    within: { type: 'string', default: '180' },
    day: { type: 'string', default: String(dayOf(new Date())) },
    lines: { type: 'string', default: LINES },
    folder: { type: 'string', default: join(ROOT, 'var', 'nightly') },
    history: { type: 'string', default: HISTORY },
  },
});

const kind: Kind = values.sabotage ? 'sabotage' : 'line';
const results = join(values.folder, 'results');

/** Who stops the night stops all of it; the line under way ends by the same signal. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const lines = (): Line[] => loadLines(values.lines, Number(values.day));

/** What was asked for, in the order of the folder. */
function chosen(): Line[] {
  const all = lines();
  const ids = values.only?.split(',');
  const unknown = ids?.filter((id) => all.every((line) => line.id !== id)) ?? [];
  if (unknown.length > 0)
    throw new Error(`--only names no line: ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}`);
  const picked = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
  if (values.shard === undefined) return picked;
  const lasting = picked.map((line) => ({ id: line.id, minutes: minutesOf(line), line }));
  return shardOf(lasting, ...parseShard(values.shard)).map(({ line }) => line);
}

const minutesOf = (line: Line): number => (kind === 'line' ? line.minutes : line.sabotage.minutes);

function commitHere(): string {
  try {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : `${git('rev-parse', 'HEAD')}-changed`;
  } catch {
    return 'unknown';
  }
}

const fileOf = (id: string, of: Kind): string => join(results, `${id}.${of}.json`);
const kept = (file: string): Outcome | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome) : undefined;

/** What lines start from and none of them is about: the documents, and the catalog made of them. */
function buildCatalog(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'catalog.ts')], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`npm run catalog, which the lines start from, ended with ${status}: ${stderr.trim()}`);
}

async function playAll(lines: readonly Line[], commit: string): Promise<Outcome[]> {
  const until = performance.now() + Number(values.within) * 60_000;
  const outcomes: Outcome[] = [];
  mkdirSync(results, { recursive: true });
  for (const line of lines) {
    const before = values.resume ? kept(fileOf(line.id, kind)) : undefined;
    const isDone = before?.state === 'passed' && before.key === keyOf(line, commit);
    const outcome = isDone
      ? before
      : performance.now() > until
        ? late(line, commit)
        : await play(line, kind, commit, join(values.folder, 'logs'));
    // What was stopped has neither held nor failed.
    if (stop.signal.aborted) break;
    writeFileSync(fileOf(line.id, kind), JSON.stringify(outcome));
    outcomes.push(outcome);
    if (!values.json) print(outcome, isDone);
  }
  return outcomes;
}

/** Of every line the outcome that is there; a line that nobody played is one that could not be run. */
function allOf(lines: readonly Line[], commit: string): Outcome[] {
  const there = new Map(
    gathered(commit)
      .filter((outcome) => outcome.kind === kind)
      .map((outcome) => [outcome.id, outcome]),
  );
  return lines.map(
    (line) => there.get(line.id) ?? { ...late(line, commit), state: 'not-run', reason: 'nobody played it' },
  );
}

const late = (line: Line, commit: string): Outcome => ({
  id: line.id,
  kind,
  title: line.title,
  state: 'failed',
  reason: `no time was left of ${values.within} minutes`,
  figures: [],
  seconds: 0,
  at: new Date().toISOString(),
  key: keyOf(line, commit),
});

/** Of this commit, from this machine or gathered from others. */
function gathered(commit: string): Outcome[] {
  if (!existsSync(results)) return [];
  const all = lines();
  const files = readdirSync(results).filter((name) => name.endsWith('.json'));
  const outcomes = files.map((name) => kept(join(results, name)) as Outcome);
  return all.flatMap((line) => outcomes.filter(({ id, key }) => id === line.id && key === keyOf(line, commit)));
}

/** Figures that are kept elsewhere are not those that the repository's own page tells. */
function record(commit: string): void {
  const nights = withNight(readHistory(values.history), nightOf(gathered(commit), commit, availableParallelism()));
  writeHistory(values.history, nights);
  if (values.history === HISTORY) writeFileSync(TABLE, withCells(readFileSync(TABLE, 'utf8'), lines(), nights));
}

async function drawPage(commit: string): Promise<string> {
  const file = join(values.folder, 'index.html');
  mkdirSync(values.folder, { recursive: true });
  writeFileSync(file, await nightPage(gathered(commit), readHistory(values.history), commit));
  return file;
}

function print({ id, title, state, reason, figures, seconds }: Outcome, isOld: boolean): void {
  const verdict = { passed: kind === 'line' ? 'holds' : 'noticed', failed: 'FAILS', 'not-run': 'NOT RUN' }[state];
  console.log(
    `${id} ${title}: ${verdict} (${isOld ? 'kept' : `${seconds} s`})${reason === undefined ? '' : ` - ${reason}`}`,
  );
  for (const { name, value, unit = '', goal, held } of figures)
    console.log(`   ${held ? ' ' : '!'} ${name}: ${value ?? 'not printed'} ${unit} (goal ${goalText(goal)})`);
}

function list(lines: readonly Line[]): void {
  const told = lines.map((line) => ({ id: line.id, title: line.title, minutes: minutesOf(line) }));
  if (values.json) {
    console.log(JSON.stringify({ bench: 'nightly', lines: told }));
    return;
  }
  for (const line of lines)
    console.log(`${line.id.padEnd(24)} ${String(minutesOf(line)).padStart(4)} min  ${line.title}`);
  console.log(`${lines.length} lines, ${lines.reduce((sum, line) => sum + minutesOf(line), 0)} minutes`);
}

async function main(): Promise<number> {
  const asked = chosen();
  if (values.list) {
    list(asked);
    return 0;
  }
  const commit = commitHere();
  if (!values.page && values.lines === LINES) buildCatalog();
  const outcomes = values.page ? allOf(asked, commit) : await playAll(asked, commit);
  if (stop.signal.aborted) return INTERRUPTED;
  if (values.record) record(commit);
  const page = await drawPage(commit);
  const passed = outcomes.length > 0 && outcomes.every(({ state }) => state === 'passed');
  if (values.json) process.stdout.write(`${JSON.stringify({ bench: 'nightly', kind, commit, outcomes, passed })}\n`);
  else
    console.log(
      `${outcomes.filter(({ state }) => state === 'passed').length} of ${outcomes.length} passed; ${relative(ROOT, page)}`,
    );
  return passed ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return USAGE;
});
