/** `compare`: the same scenarios through several servers, at several sizes of what they are given. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadAgents } from '../agent-process.ts';
import { METHODOLOGY } from '../baseline.ts';
import { headCommit, uncommitted } from '../commit.ts';
import { measureCell } from '../compare/cell.ts';
import { type CellJournal, dropCells, openCell } from '../compare/journal.ts';
import { writeComparison } from '../compare/report.ts';
import { SIZES, type Size, scenariosAt } from '../compare/size.ts';
import { got, HarnessError } from '../errors.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { selectScenarios } from '../matrix.ts';
import { runToItsEnd } from '../prepare.ts';
import { loadScenarios } from '../scenario.ts';
import { loadSubject, subjectNames } from '../subject.ts';
import type { CommandContext } from './context.ts';
import { commaList, wholeNumber } from './options.ts';

const AGENTS = ['oracle', 'retrieval', 'gullible'];

interface CompareOptions {
  subjects: string[];
  sizes: string[];
  suite: string[];
  filter?: string;
  seed: number;
  concurrency: number;
  minutes: number;
  fresh?: boolean;
  merge?: boolean;
  timings: boolean;
  out: string;
}

export function addCompareCommand(program: Command, context: CommandContext): void {
  program
    .command('compare')
    .description('the same scenarios through several servers; goes on where it was cut short')
    .option('--subjects <names>', 'files in harness/subjects, comma separated (default: all)', commaList, [])
    .option('--sizes <names>', `of ${SIZES.join(', ')}`, commaList, [...SIZES])
    .option('--suite <names>', 'only these suites, comma separated', commaList, [])
    .option('--filter <text>', 'only scenarios whose id contains the text')
    .option('--seed <n>', 'seed of the values in the intents', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--concurrency <n>', 'subjects at a time', wholeNumber(1, 16), 2)
    .option('--minutes <n>', 'a subject and size that takes longer is too slow to be measured', wholeNumber(1, 600), 15)
    .option('--fresh', 'forget what was measured before')
    .option(
      '--merge',
      'measure nothing: every subject and size must be there already, as shards leave them in var/compare',
    )
    .option('--no-timings', 'leave out start time, memory and latency')
    .option('--out <folder>', 'where comparison.json, .md and .html go', 'reports')
    .action(async (options: CompareOptions) => {
      context.exitWith(await compare(options, context));
    });
}

async function compare(options: CompareOptions, context: CommandContext): Promise<ExitCode> {
  const { root, signal } = context;
  const names = known(options.subjects, await subjectNames(), 'subjects');
  const sizes = known(options.sizes, SIZES, 'sizes') as Size[];
  const subjects = await Promise.all(names.map(loadSubject));
  const all = await loadScenarios(root);
  const scenarios = selectScenarios(all, { suites: options.suite, filter: options.filter, tags: [] });
  if (scenarios.length === 0) {
    throw new HarnessError(
      'NOTHING_SELECTED',
      `--suite and --filter should leave a scenario of ${all.length}, got none`,
    );
  }
  const agents = (await loadAgents())
    .filter(({ id }) => AGENTS.includes(id))
    .sort((a, b) => AGENTS.indexOf(a.id) - AGENTS.indexOf(b.id));
  const commit = await headCommit(root);
  const plan = {
    commit,
    methodology: METHODOLOGY,
    seed: options.seed,
    scenarios: scenarios.map(({ digest }) => digest),
  };
  const folder = join(root, 'var', 'compare', digestOf(JSON.stringify([plan, await uncommitted(root)])));
  if (options.fresh === true) await dropCells(folder);
  // Subjects are given the documents that the fake serves, which a fresh clone has yet to make.
  await runToItsEnd('fake', ['node', 'fake-api/expand/main.ts', '--json'], root, {});
  const waiting = sizes.flatMap((size) => subjects.map((subject) => ({ size, subject })));
  const journals: CellJournal[] = [];
  const started = Date.now();
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const { size, subject } = next;
      const file = await readFile(join(root, 'harness/subjects', `${subject.name}.yaml`), 'utf8');
      const journal = await openCell(folder, `${subject.name}-${digestOf(file).slice(0, 8)}`, size);
      journals.push(journal);
      // What could not be started is tried again.
      if (journal.cell !== undefined && (options.merge === true || journal.cell.notRun === undefined)) continue;
      if (options.merge === true) {
        throw new HarnessError(
          'MERGE_REFUSED',
          `${subject.name} at ${size} should be in ${relative(root, folder)}, got nothing`,
        );
      }
      const at = size === 'github' ? [] : scenariosAt(size, scenarios);
      const cell = await measureCell(
        {
          root,
          subject,
          size,
          scenarios: at,
          agents,
          seed: options.seed,
          signal,
          timed: options.timings,
          minutes: options.minutes,
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
  if (signal.aborted) {
    context.stderr.write('go on with the same command\n');
    return EXIT.interrupted;
  }
  const page = await writeComparison(resolve(root, options.out), {
    commit,
    methodology: METHODOLOGY,
    seed: options.seed,
    node: process.version,
    subjects: subjects.map(({ name, about, source, confirmation }) => ({ name, about, source, confirmation })),
    sizes,
    suites: [...new Set(scenarios.map(({ suite }) => suite))],
    cells: journals.flatMap(({ cell }) => cell ?? []),
    rows: journals.flatMap(({ rows }) => rows),
  });
  context.stdout.write(`wrote ${relative(root, page)}\n`);
  return EXIT.pass;
}

function known(wanted: readonly string[], all: readonly string[], option: string): string[] {
  const strange = wanted.find((name) => !all.includes(name));
  if (strange !== undefined) {
    throw new HarnessError('USAGE', `--${option} should name one of ${all.join(', ')}, got ${got(strange)}`);
  }
  return all.filter((name) => wanted.length === 0 || wanted.includes(name));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
