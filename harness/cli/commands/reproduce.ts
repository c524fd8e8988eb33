/** `reproduce`: the results page of a version, from its stored recordings, offline and byte for byte. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { comparisonFiles } from '../../compare/compare-report.ts';
import { newestRelease, readComparison, type StoredComparison } from '../../compare/stored.ts';
import { judgeRecordings } from '../../execution/judgement.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { got, HarnessError } from '../../harness-errors.ts';
import {
  type Campaign,
  publishCampaign,
  publishedFolder,
  readCampaigns,
  readRun,
  VERSION,
} from '../../reporting/publication.ts';
import { type JudgedCampaign, resultsPage } from '../../reporting/results-page.ts';
import type { CommandContext } from './context.ts';
import { commaList } from './options.ts';

interface ReproduceOptions {
  from: string[];
  check?: boolean;
}

export function addReproduceCommand(program: Command, context: CommandContext): void {
  program
    .command('reproduce <version>')
    .description(
      'make docs/benchmark-results-<version>.md and reports/comparison.* again from reports/recordings/<version>',
    )
    .option('--from <runs>', 'first store these runs as recordings of the version, comma separated', commaList, [])
    .option('--check', 'write nothing; fail when the page is another')
    .action(async (version: string, options: ReproduceOptions) => {
      context.exitWith(await reproduce(version, options, context));
    });
}

async function reproduce(version: string, options: ReproduceOptions, context: CommandContext): Promise<ExitCode> {
  if (!VERSION.test(version)) {
    throw new HarnessError('USAGE', `version should be like 1.2.3, got ${got(version)}`);
  }
  const { root } = context;
  const folder = publishedFolder(root, version);
  for (const name of options.from) {
    const stored = await publishCampaign(folder, await readRun(root, name));
    context.stdout.write(`stored ${relative(root, folder)}/${stored}\n`);
  }
  const campaigns = await Promise.all((await readCampaigns(folder)).map(judged));
  const comparison = await readComparison(root, version);
  const page = resultsPage(version, campaigns, comparison?.measured);
  const files = {
    [join(root, 'docs', `benchmark-results-${version}.md`)]: page,
    ...(await comparisonOfNewest(version, comparison, context)),
  };
  for (const [file, text] of Object.entries(files)) {
    if (options.check !== true) {
      await writeFile(file, text);
      context.stdout.write(`wrote ${relative(root, file)}\n`);
    } else if ((await compared(text, file, context)) !== EXIT.pass) return EXIT.verdict;
  }
  return EXIT.pass;
}

/** File → text. The files lie once in the repository, so they are those of the newest version that has a comparison. */
async function comparisonOfNewest(
  version: string,
  stored: StoredComparison | undefined,
  { root, stdout }: CommandContext,
): Promise<Record<string, string>> {
  if (stored === undefined) return {};
  const newest = await newestRelease(root);
  if (newest !== version) {
    stdout.write(`reports/comparison.* are of ${newest}: those of ${version} are at its own commit\n`);
    return {};
  }
  const files = await comparisonFiles(stored.measured, stored.recorded);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [join(root, 'reports', name), text]));
}

/** Without a baseline: a results page says what was measured, not whether it got worse. */
async function judged(campaign: Campaign): Promise<JudgedCampaign> {
  const { recordings, meta } = campaign;
  return { ...campaign, report: await judgeRecordings({ recordings, baseline: undefined, meta }) };
}

async function compared(page: string, file: string, context: CommandContext): Promise<ExitCode> {
  const name = relative(context.root, file);
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored === page) {
    context.stdout.write(`${name} is equal to the report of its recordings, byte for byte\n`);
    return EXIT.pass;
  }
  const [before, after] = [stored.split('\n'), page.split('\n')];
  const at = after.findIndex((line, i) => line !== before[i]);
  const line = at < 0 ? after.length : at;
  context.stdout.write(`${name}:${line + 1} should be ${got(after[line])}, got ${got(before[line])}\n`);
  return EXIT.verdict;
}
