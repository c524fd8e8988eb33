/** `regrade`: judge a stored run again without running anything. */
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { BASELINE_FILE, readBaseline } from '../baseline.ts';
import { judgeRecordings, writeReports } from '../judgement.ts';
import terminal from '../reporters/terminal.ts';
import { readStoredRun } from '../stored-run.ts';
import type { CommandContext } from './context.ts';

export function addRegradeCommand(program: Command, context: CommandContext): void {
  program
    .command('regrade [run]')
    .description('grade a stored run again from its recordings (default: the latest)')
    .option('--baseline <file>', 'baseline to judge against', BASELINE_FILE)
    .option('--out <folder>', 'write the reports there')
    .option('--json', 'print the report as one JSON object last')
    .action(async (name: string | undefined, options: { baseline: string; out?: string; json?: boolean }) => {
      const stored = await readStoredRun(context.root, name);
      const baseline = await readBaseline(resolve(context.root, options.baseline));
      const report = await judgeRecordings({ recordings: stored.recordings, baseline, meta: stored.report.meta });
      const page =
        options.out === undefined
          ? undefined
          : await writeReports(resolve(context.root, options.out), report, stored.recordings);
      if (options.json === true) context.stdout.write(`${JSON.stringify({ ...report, traces: undefined })}\n`);
      else {
        context.stdout.write(`${await terminal.render(report, { color: context.color })}\n`);
        if (page !== undefined) context.stdout.write(`report: ${relative(context.root, page)}\n`);
      }
      context.exitWith(report.verdict.exit);
    });
}
