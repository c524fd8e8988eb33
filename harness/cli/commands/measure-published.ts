/**
 * `measure-published`: runs the router of the newest published version on the scenarios of today, so that the gate can compare
 * with it where scenarios or fixtures changed since. The checkout is pinned by the commit of the version's recordings.
 */
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { writeAtomically } from '../../atomic-write.ts';
import { scenarioDigestsOf } from '../../execution/judgement.ts';
import { PUBLISHED_FILE, publishedText, resultsOf } from '../../execution/published-version.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { got, HarnessError } from '../../harness-errors.ts';
import { partialOf } from '../../recording/run-folder.ts';
import { campaignMetas, newestPublished, publishedFolder } from '../../reporting/publication.ts';
import { seedsOf } from '../../reporting/run-report.ts';
import { cloneSubject } from '../../subject/subject-clone.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './options.ts';
import { executeRuns } from './run-execute.ts';
import { addRunOptions, type RunOptions } from './run-options.ts';
import { planRuns } from './run-plan.ts';
import { prepareRuns } from './run-prepare.ts';

interface MeasureOptions {
  subject: string;
  runs: number;
  filter?: string;
  subjectRoot?: string;
}

const BUILD = [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev']];

export function addMeasurePublishedCommand(program: Command, context: CommandContext): void {
  program
    .command('measure-published')
    .description(`run the newest published version on the scenarios of today, into ${PUBLISHED_FILE}`)
    .option('--subject <name>', 'server under test, a file in harness/subjects', 'router')
    .option('--runs <n>', 'runs of each scenario, each with the next seed', wholeNumber(1, 1_000), 5)
    .option('--filter <text>', 'only scenarios whose id contains the text; the others are then not comparable')
    .option('--subject-root <folder>', 'a checkout of the version that is ready to start, instead of a new one')
    .action(async (options: MeasureOptions) => {
      context.exitWith(await measurePublished(options, context));
    });
}

async function measurePublished(options: MeasureOptions, context: CommandContext): Promise<ExitCode> {
  const { root, stdout, signal } = context;
  const { version, commit } = await published(root, options.subject);
  const subjectRoot = options.subjectRoot ?? (await checkout(root, options.subject, version, commit));
  signal.throwIfAborted();
  const run = runOptions(options, subjectRoot);
  const planned = await planRuns(run, root);
  const prepared = await prepareRuns(planned, run, root);
  let journal: string | undefined;
  try {
    const { runs } = await executeRuns(planned, prepared, run, context, (folder) => {
      journal = partialOf(folder);
    });
    if (signal.aborted) return EXIT.interrupted;
    const recordings = runs.map(({ recording }) => recording);
    const meta = { ...planned.plan, commit, startedAt: planned.started.toISOString() };
    const measured = { recordings, seeds: seedsOf(meta), digests: scenarioDigestsOf(recordings) };
    const results = await resultsOf(version, 'again', meta, measured);
    await writeAtomically(join(root, PUBLISHED_FILE), publishedText(results));
    stdout.write(`${PUBLISHED_FILE}: ${Object.keys(results.digests).length} scenarios with the router of ${version}\n`);
    return EXIT.pass;
  } finally {
    // `run --resume` would go on with the router of today.
    if (journal !== undefined) await rm(journal, { recursive: true, force: true });
  }
}

async function published(root: string, subject: string): Promise<{ version: string; commit: string }> {
  const version = await newestPublished(root);
  const metas = version === undefined ? [] : await campaignMetas(publishedFolder(root, version));
  const commit = metas.find(({ meta }) => meta.subject === subject)?.meta.commit;
  if (version !== undefined && typeof commit === 'string') return { version, commit };
  throw new HarnessError('RECORDING_INVALID', `a version should be published of ${subject}, got ${got(version)}`, {
    remedy: 'npm run harness -- reproduce <version> --from <run folder>',
  });
}

/** Below `var/subjects`, where a checkout of the same commit is used again. It reads the documents of today's platforms. */
async function checkout(root: string, subject: string, version: string, commit: string): Promise<string> {
  const name = `${subject}-${version}`;
  const folder = await cloneSubject(name, { git: root, commit, build: BUILD }, join(root, 'var', 'subjects', name));
  const documents = join(root, 'var', 'openapi');
  await mkdir(join(folder, 'var'), { recursive: true });
  await rm(join(folder, 'var', 'openapi'), { recursive: true, force: true });
  await symlink(documents, join(folder, 'var', 'openapi'));
  return folder;
}

/** The judged agent alone, with the defaults of `run`. */
function runOptions({ subject, runs, filter }: MeasureOptions, subjectRoot: string): RunOptions {
  const command = addRunOptions(new Command('run'));
  const argv = ['--agent', 'retrieval', '--subject', subject, '--runs', String(runs), '--subject-root', subjectRoot];
  return command.parse([...argv, ...(filter === undefined ? [] : ['--filter', filter])], { from: 'user' }).opts();
}
