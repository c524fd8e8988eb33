/** `compare`: the same scenarios through several servers, at several sizes of what they are given. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { measureCell } from '../../compare/cell.ts';
import {
  type CellJournal,
  dropCells,
  noteRuntime,
  openCell,
  readCell,
  readRuntime,
} from '../../compare/compare-journal.ts';
import { comparisonFiles, writeComparison } from '../../compare/compare-report.ts';
import type { Asked, Measured } from '../../compare/server-comparison.ts';
import { SIZES, type Size, scenariosAt } from '../../compare/size.ts';
import { readComparison, storeComparison } from '../../compare/stored.ts';
import { headCommit, uncommitted } from '../../execution/commit.ts';
import { selectScenarios } from '../../execution/matrix.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { METHODOLOGY } from '../../grading/baseline.ts';
import { didYouMean, got, HarnessError } from '../../harness-errors.ts';
import { type Endpoint, type Environment, endpointFrom } from '../../llm/endpoint.ts';
import { type ModelAccess, openLiveModel } from '../../llm/model-access.ts';
import { loadAgents } from '../../sandbox/agent-process.ts';
import { loadScenarios, type Scenario } from '../../scenario/scenario.ts';
import { makeDocuments } from '../../subject/shipped-documents.ts';
import { loadSubject, type Subject, subjectNames } from '../../subject/subject.ts';
import { type AddedTry, withAddedTries } from '../../try/added-to-comparison.ts';
import { readTry } from '../../try/stored-try.ts';
import type { CommandContext } from './context.ts';
import { assertConsent } from './model-consent.ts';
import { commaList, versionOf, wholeNumber } from './options.ts';

const AGENTS = ['oracle', 'retrieval', 'gullible'];
const MODEL_AGENT = 'llm';

interface CompareOptions {
  subjects: string[];
  sizes: string[];
  suite: string[];
  filter?: string;
  seed: number;
  runs: number;
  concurrency: number;
  minutes: number;
  yes?: boolean;
  fresh?: boolean;
  merge?: boolean;
  from?: string;
  record?: string;
  add: string[];
  timings: boolean;
  out: string;
}

export function addCompareCommand(program: Command, context: CommandContext): void {
  program
    .command('compare')
    .description('runs the same scenarios through several servers; continues an interrupted comparison')
    .option('--subjects <names>', 'files in harness/subjects, comma separated (default: all)', commaList, [])
    .option('--sizes <names>', `of ${SIZES.join(', ')}`, commaList, [...SIZES])
    .option('--suite <names>', 'only these suites, comma separated', commaList, [])
    .option('--filter <text>', 'only scenarios whose id contains the text')
    .option('--seed <n>', 'seed of the values in the intents', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--runs <n>', 'runs of each scenario, each with the next seed', wholeNumber(1, 100), 1)
    .option('--concurrency <n>', 'subjects at a time', wholeNumber(1, 16), 2)
    .option(
      '--minutes <n>',
      'a subject and size that takes longer for one run of its scenarios is too slow to be measured',
      wholeNumber(1, 600),
      20,
    )
    .option('--yes', 'ask a live model without a question first')
    .option('--fresh', 'discard earlier measurements')
    .option(
      '--merge',
      'measure nothing: every subject and size must be there already, as shards leave them in var/compare',
    )
    .option('--from <version>', 'measure nothing: the files again from reports/recordings/<version>', versionOf)
    .option('--record <version>', 'also store the rows in reports/recordings/<version>', versionOf)
    .option(
      '--add <file>',
      'also show the server of a try.json of `try --platforms ours`; repeatable',
      (file: string, files: string[]) => [...files, file],
      [] as string[],
    )
    .option('--no-timings', 'leave out start time, memory and latency')
    .option('--out <folder>', 'where comparison.json, .md and .html go', 'reports')
    .action(async (options: CompareOptions) => {
      context.exitWith(await compare(options, context));
    });
}

async function compare(options: CompareOptions, context: CommandContext): Promise<ExitCode> {
  const { root } = context;
  const added = await Promise.all(
    options.add.map(async (file) => ({ file, result: await readTry(resolve(file), '--add') })),
  );
  if (options.from !== undefined) return remake(options.from, added, options.out, context);
  const plan = await planFrom(options, context);
  if (options.fresh === true) await dropCells(plan.folder);
  const journals = options.merge === true ? await joined(plan, root) : await measured(plan, options, context);
  if (context.signal.aborted) {
    context.stderr.write('go on with the same command\n');
    return EXIT.interrupted;
  }
  const whole: Measured = {
    ...plan.asked,
    node: await readRuntime(plan.folder),
    subjects: plan.subjects.map(({ name, about, source, confirmation }) => ({ name, about, source, confirmation })),
    sizes: plan.sizes,
    cells: journals.flatMap(({ cell }) => cell ?? []),
    rows: journals.flatMap(({ rows }) => rows),
  };
  if (options.record === undefined || added.length > 0)
    return write(await comparisonFiles(withAddedTries(whole, added)), options.out, context);
  const stored = await storeComparison(root, options.record, whole);
  return write(await comparisonFiles(stored.measured, stored.recorded), options.out, context);
}

async function remake(
  release: string,
  added: readonly AddedTry[],
  out: string,
  context: CommandContext,
): Promise<ExitCode> {
  const stored = await readComparison(context.root, release);
  if (stored === undefined) {
    throw new HarnessError('RECORDING_INVALID', `reports/recordings/${release} should hold a comparison, got none`, {
      remedy: `npm run compare -- --record ${release}`,
    });
  }
  const recorded = added.length > 0 ? undefined : stored.recorded;
  return write(await comparisonFiles(withAddedTries(stored.measured, added), recorded), out, context);
}

async function write(files: Record<string, string>, out: string, context: CommandContext): Promise<ExitCode> {
  const folder = resolve(context.root, out);
  await writeComparison(folder, files);
  context.stdout.write(`wrote ${relative(context.root, join(folder, 'comparison.md'))}\n`);
  return EXIT.pass;
}

interface ComparePlan {
  asked: Asked;
  subjects: Subject[];
  sizes: Size[];
  scenarios: Scenario[];
  /** Where the journals are: another commit, change, scenario, seed, agent or model has another. */
  folder: string;
}

async function planFrom(options: CompareOptions, { root, env }: CommandContext): Promise<ComparePlan> {
  const names = known(options.subjects, await subjectNames(), 'subjects');
  const sizes = known(options.sizes, SIZES, 'sizes') as Size[];
  const all = await loadScenarios(root);
  const scenarios = selectScenarios(all, { suites: options.suite, filter: options.filter, tags: [] });
  if (scenarios.length === 0) {
    throw new HarnessError(
      'NOTHING_SELECTED',
      `--suite and --filter should leave a scenario of ${all.length}, got none`,
    );
  }
  const asked: Asked = {
    commit: await headCommit(root),
    methodology: METHODOLOGY,
    seed: options.seed,
    runs: options.runs,
    agents: isModelThere(env) ? [...AGENTS, MODEL_AGENT] : AGENTS,
    ...(isModelThere(env) ? { model: modelOf(endpointFrom(env)) } : {}),
    suites: [...new Set(scenarios.map(({ suite }) => suite))],
    timings: options.timings,
  };
  const key = JSON.stringify([asked, scenarios.map(({ digest }) => digest), await uncommitted(root)]);
  return {
    asked,
    subjects: await Promise.all(names.map(loadSubject)),
    sizes,
    scenarios,
    folder: join(root, 'var', 'compare', digestOf(key)),
  };
}

/** All that decides an answer, so that no row of another setting is taken for one of this. */
const modelOf = ({ settings, seed, extraBody }: Endpoint): NonNullable<Asked['model']> => ({
  ...settings,
  ...(seed === undefined ? {} : { seed }),
  ...(extraBody === undefined ? {} : { extraBody }),
});

const isModelThere = (env: Environment): boolean => (env['SVC_LLM_BASE_URL'] ?? '') !== '';

/** Name of a subject's journals: they are void once its file changes. */
async function journalName(root: string, { name }: Subject): Promise<string> {
  const file = await readFile(join(root, 'harness/subjects', `${name}.yaml`), 'utf8');
  return `${name}-${digestOf(file).slice(0, 8)}`;
}

/** What shards left. */
async function joined(
  { subjects, sizes, folder }: ComparePlan,
  root: string,
): Promise<Pick<CellJournal, 'rows' | 'cell'>[]> {
  const pairs = sizes.flatMap((size) => subjects.map((subject) => ({ size, subject })));
  return Promise.all(
    pairs.map(async ({ size, subject }) => {
      const journal = await readCell(folder, await journalName(root, subject), size);
      if (journal.cell !== undefined) return journal;
      throw new HarnessError(
        'MERGE_REFUSED',
        `${subject.name} at ${size} should be in ${relative(root, folder)}, got nothing`,
        { remedy: 'measure it with the same commit and options, without --merge' },
      );
    }),
  );
}

async function measured(plan: ComparePlan, options: CompareOptions, context: CommandContext): Promise<CellJournal[]> {
  const { asked, subjects, sizes, scenarios, folder } = plan;
  const { root, signal } = context;
  const agents = (await loadAgents())
    .filter(({ id }) => asked.agents.includes(id))
    .sort((a, b) => asked.agents.indexOf(a.id) - asked.agents.indexOf(b.id));
  await noteRuntime(folder, process.version);
  // Subjects are given the documents that the fake serves, which a fresh clone has yet to make.
  await makeDocuments(root);
  await using model = asked.model === undefined ? undefined : await modelFor(plan, options, context);
  const waiting = sizes.flatMap((size) => subjects.map((subject) => ({ size, subject })));
  const journals: CellJournal[] = [];
  const started = Date.now();
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const { size, subject } = next;
      const journal = await openCell(folder, await journalName(root, subject), size);
      journals.push(journal);
      // A server that could not start is tried again.
      if (journal.cell !== undefined && journal.cell.notRun === undefined) continue;
      const cell = await measureCell(
        {
          root,
          subject,
          size,
          scenarios: size === 'github' ? [] : scenariosAt(size, scenarios),
          agents,
          seed: asked.seed,
          runs: asked.runs,
          model,
          signal,
          timed: asked.timings,
          minutes: options.minutes * asked.runs,
        },
        journal,
      );
      if (cell === undefined) return;
      await journal.finish(cell);
      journal.cell = cell;
      const seconds = Math.round((Date.now() - started) / 1000);
      context.stderr.write(
        `${seconds} s: ${subject.name}, ${size}: ${cell.notRun ?? cell.absent ?? `${journal.rows.length} runs`}\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return journals;
}

/** One for all subjects. What is there already is asked for no more, and its cost is a part of the budget. */
async function modelFor(
  { asked, subjects, sizes, scenarios, folder }: ComparePlan,
  { yes }: CompareOptions,
  context: CommandContext,
): Promise<ModelAccess> {
  const pairs = sizes.flatMap((size) => (size === 'github' ? [] : subjects.map((subject) => ({ size, subject }))));
  const cells = await Promise.all(
    pairs.map(async ({ size, subject }) => {
      const { rows, cell } = await readCell(folder, await journalName(context.root, subject), size);
      const isOver = subject.absent !== undefined || (cell !== undefined && cell.notRun === undefined);
      const made = rows.filter(({ agent }) => agent === MODEL_AGENT);
      const planned = scenariosAt(size, scenarios).length * asked.runs;
      return { left: isOver ? 0 : planned - made.length, made };
    }),
  );
  const runs = cells.reduce((sum, { left }) => sum + left, 0);
  await assertConsent({ runs, yes }, context);
  const spent = cells.flatMap(({ made }) => made.flatMap(({ model }) => model ?? []));
  return openLiveModel(
    context.env,
    [],
    spent.map(({ prompt_tokens = 0, completion_tokens = 0 }) => ({ prompt_tokens, completion_tokens })),
  );
}

function known(wanted: readonly string[], all: readonly string[], option: string): string[] {
  const strange = wanted.find((name) => !all.includes(name));
  if (strange !== undefined) {
    throw new HarnessError(
      'USAGE',
      `--${option} should name one of ${all.join(', ')}, got ${got(strange)}${didYouMean(strange, all)}`,
    );
  }
  return all.filter((name) => wanted.length === 0 || wanted.includes(name));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
