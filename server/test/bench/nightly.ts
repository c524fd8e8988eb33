/**
 * `npm run nightly`: the jobs of `server/test/bench/nightly/jobs`, one after the other, each as a process. `--list` names them,
 * `--only R1,soak` selects, `--shard 2/5` distributes them by their minutes, `--sabotage` breaks the program for each job, which
 * must notice, `--resume` skips jobs that passed at this commit, `--within 180` limits the minutes, `--day 20000` sets the day for jobs
 * that run one part a day, `--record` adds the figures to `reports/nightly.json` and writes them into the table of
 * `docs/reliability.md`, `--page` draws the page from stored outcomes. Exit 0 only when every selected job passed,
 * 130 when stopped.
 * `--json` prints one object last; `--jobs`, `--folder` and `--history` name the folders of jobs and results and the file of figures.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../support/child-process.ts';
import { withCells } from './nightly/nightly-cells.ts';
import { readHistory, runOf, withRun, writeHistory } from './nightly/nightly-history.ts';
import { dayOf, goalText, JOBS, loadJobs, type NightlyJob } from './nightly/nightly-job.ts';
import { nightlyPage } from './nightly/nightly-page.ts';
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
    jobs: { type: 'string', default: JOBS },
    folder: { type: 'string', default: join(ROOT, 'var', 'nightly') },
    history: { type: 'string', default: HISTORY },
  },
});

const kind: Kind = values.sabotage ? 'sabotage' : 'job';
const results = join(values.folder, 'results');

/** A signal stops the whole run. The current job gets the same signal. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const jobs = (): NightlyJob[] => loadJobs(values.jobs, Number(values.day));

/** The selected jobs, in the order of the folder. */
function chosenJobs(): NightlyJob[] {
  const all = jobs();
  const ids = values.only?.split(',');
  const unknown = ids?.filter((id) => all.every((job) => job.id !== id)) ?? [];
  if (unknown.length > 0)
    throw new Error(`--only names no job: ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}`);
  const picked = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
  if (values.shard === undefined) return picked;
  const lasting = picked.map((job) => ({ id: job.id, minutes: minutesOf(job), job }));
  return shardOf(lasting, ...parseShard(values.shard)).map(({ job }) => job);
}

const minutesOf = (job: NightlyJob): number => (kind === 'job' ? job.minutes : job.sabotage.minutes);

function commitHere(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : `${git('rev-parse', 'HEAD')}-changed`;
  } catch {
    return 'unknown';
  }
}

const fileOf = (id: string, of: Kind): string => join(results, `${id}.${of}.json`);
const storedOutcome = (file: string): Outcome | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome) : undefined;

/** Builds the documents and the catalog, which all jobs need and none of them tests. */
function buildCatalog(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'catalog.ts')], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`npm run catalog, which the jobs start from, ended with ${status}: ${stderr.trim()}`);
}

async function playAll(jobs: readonly NightlyJob[], commit: string): Promise<Outcome[]> {
  const until = performance.now() + Number(values.within) * 60_000;
  const outcomes: Outcome[] = [];
  mkdirSync(results, { recursive: true });
  for (const [at, job] of jobs.entries()) {
    const before = values.resume ? storedOutcome(fileOf(job.id, kind)) : undefined;
    const isDone = before?.state === 'passed' && before.key === keyOf(job, commit);
    if (!isDone)
      console.error(
        `${at + 1} of ${jobs.length}: ${job.id}, about ${minutesOf(job)} min, its output in ${relative(ROOT, join(values.folder, 'logs'))}`,
      );
    const outcome = isDone
      ? before
      : performance.now() > until
        ? late(job, commit)
        : await play(job, kind, commit, join(values.folder, 'logs'));
    // A stopped job has neither passed nor failed.
    if (stop.signal.aborted) break;
    writeFileSync(fileOf(job.id, kind), JSON.stringify(outcome));
    outcomes.push(outcome);
    if (!values.json) print(outcome, isDone);
  }
  return outcomes;
}

/** The stored outcome of every job. A job without one counts as not run. */
function allOf(jobs: readonly NightlyJob[], commit: string): Outcome[] {
  const there = new Map(
    gathered(commit)
      .filter((outcome) => outcome.kind === kind)
      .map((outcome) => [outcome.id, outcome]),
  );
  return jobs.map(
    (job) => there.get(job.id) ?? { ...late(job, commit), state: 'not-run', reason: 'no stored outcome' },
  );
}

const late = (job: NightlyJob, commit: string): Outcome => ({
  id: job.id,
  kind,
  title: job.title,
  state: 'failed',
  reason: `no time was left of ${values.within} minutes`,
  figures: [],
  seconds: 0,
  at: new Date().toISOString(),
  key: keyOf(job, commit),
});

/** Outcomes of this commit, from this machine or collected from others. */
function gathered(commit: string): Outcome[] {
  if (!existsSync(results)) return [];
  const all = jobs();
  const files = readdirSync(results).filter((name) => name.endsWith('.json'));
  const outcomes = files.map((name) => storedOutcome(join(results, name)) as Outcome);
  return all.flatMap((job) => outcomes.filter(({ id, key }) => id === job.id && key === keyOf(job, commit)));
}

/** Adds the figures to the history. Only the repository's own history also changes its page. */
function record(commit: string): void {
  const runs = withRun(readHistory(values.history), runOf(gathered(commit), commit, availableParallelism()));
  writeHistory(values.history, runs);
  if (values.history === HISTORY) writeFileSync(TABLE, withCells(readFileSync(TABLE, 'utf8'), jobs(), runs));
}

async function drawPage(commit: string): Promise<string> {
  const file = join(values.folder, 'index.html');
  mkdirSync(values.folder, { recursive: true });
  writeFileSync(file, await nightlyPage(gathered(commit), readHistory(values.history), commit));
  return file;
}

function print({ id, title, state, reason, figures, seconds }: Outcome, isOld: boolean): void {
  const verdict = { passed: kind === 'job' ? 'holds' : 'noticed', failed: 'FAILS', 'not-run': 'NOT RUN' }[state];
  console.log(
    `${id} ${title}: ${verdict} (${isOld ? 'stored' : `${seconds} s`})${reason === undefined ? '' : ` - ${reason}`}`,
  );
  for (const { name, value, unit = '', goal, held } of figures)
    console.log(`   ${held ? ' ' : '!'} ${name}: ${value ?? 'not printed'} ${unit} (goal ${goalText(goal)})`);
}

function list(jobs: readonly NightlyJob[]): void {
  const listed = jobs.map((job) => ({ id: job.id, title: job.title, minutes: minutesOf(job) }));
  if (values.json) {
    console.log(JSON.stringify({ bench: 'nightly', lines: listed }));
    return;
  }
  for (const job of jobs) console.log(`${job.id.padEnd(24)} ${String(minutesOf(job)).padStart(4)} min  ${job.title}`);
  console.log(`${jobs.length} jobs, ${jobs.reduce((sum, job) => sum + minutesOf(job), 0)} minutes`);
}

async function main(): Promise<number> {
  const asked = chosenJobs();
  if (values.list) {
    list(asked);
    return 0;
  }
  const commit = commitHere();
  if (!values.page && values.jobs === JOBS) buildCatalog();
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
