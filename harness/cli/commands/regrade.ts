/** `regrade`: judge a stored run again without running anything. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { judgeRecordings, writeReports } from '../../execution/judgement.ts';
import { publishedResults } from '../../execution/published-version.ts';
import { assertUntampered } from '../../execution/rebuilt-recordings.ts';
import { BASELINE_FILE, METHODOLOGY, readBaseline } from '../../grading/baseline.ts';
import { readRun } from '../../reporting/publication.ts';
import type { CommandContext } from './context.ts';
import { commaList } from './options.ts';
import { NO_BASELINE } from './run-options.ts';
import { columnsOf, showReport } from './show.ts';

interface RegradeOptions {
  baseline: string;
  against: string[];
  out?: string;
  json?: boolean;
}

export function addRegradeCommand(program: Command, context: CommandContext): void {
  program
    .command('regrade [run]')
    .description('grade a stored run or a published version again from its recordings (default: the latest run)')
    .option('--baseline <file>', `baseline to judge against, or ${NO_BASELINE}`, BASELINE_FILE)
    .option(
      '--against <runs>',
      'stored runs or published versions to show beside this one, comma separated',
      commaList,
      [],
    )
    .option('--out <folder>', 'write the reports there')
    .option('--json', 'print the report as one JSON object last')
    .action(async (name: string | undefined, options: RegradeOptions) => {
      const { root } = context;
      const stored = await readRun(root, name);
      const { meta } = stored;
      const recordings = await assertUntampered(stored, root);
      const uncompared = options.baseline === NO_BASELINE;
      const baseline = uncompared ? undefined : await readBaseline(resolve(root, options.baseline));
      const against = await columnsOf(root, options.against);
      const now = { ...meta, methodology: METHODOLOGY };
      const published = await publishedResults(root, { subject: meta.subject, recordings });
      const report = await judgeRecordings({ recordings, baseline, uncompared, meta: now, against, published });
      const page =
        options.out === undefined ? undefined : await writeReports(resolve(root, options.out), report, recordings);
      await showReport(report, context, { json: options.json === true, page });
      context.exitWith(report.verdict.exit);
    });
}
