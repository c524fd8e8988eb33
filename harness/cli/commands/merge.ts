/** `merge`: the shards of one campaign as one run, judged as a whole. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { judgeRecordings, writeReports } from '../../execution/judgement.ts';
import { publishedResults } from '../../execution/published-version.ts';
import { assertUntampered } from '../../execution/rebuilt-recordings.ts';
import { BASELINE_FILE, readBaseline } from '../../grading/baseline.ts';
import { mergeParts } from '../../recording/campaign-plan.ts';
import { newRunFolder, RUNS_FOLDER } from '../../recording/run-folder.ts';
import { readStoredRun, type StoredRun } from '../../reporting/stored-run.ts';
import type { CommandContext } from './context.ts';
import { NO_BASELINE } from './run-options.ts';
import { showReport } from './show.ts';

export function addMergeCommand(program: Command, context: CommandContext): void {
  program
    .command('merge <runs...>')
    .description('join the shards of one campaign; refuses when a run is missing or there twice')
    .option('--baseline <file>', `baseline to judge against, or ${NO_BASELINE}`, BASELINE_FILE)
    .option('--out <folder>', `where the reports go (default: ${RUNS_FOLDER}/<stamp>)`)
    .option('--json', 'print the report as one JSON object last')
    .action(async (names: string[], options: { baseline: string; out?: string; json?: boolean }) => {
      const { root } = context;
      const parts: StoredRun[] = [];
      for (const name of names) {
        const part = await readStoredRun(root, name);
        parts.push({ ...part, recordings: await assertUntampered(part, root) });
      }
      const { plan, recordings } = mergeParts(
        parts.map(({ name, meta, recordings: runs }) => ({ name, plan: meta, recordings: runs })),
      );
      const uncompared = options.baseline === NO_BASELINE;
      const baseline = uncompared ? undefined : await readBaseline(resolve(root, options.baseline));
      const subject = parts[0]!.meta.subject;
      const published = await publishedResults(root, { subject, recordings });
      const metas = parts.map((part) => part.meta);
      const { stopped: _stopped, shard: _shard, ...first } = metas[0]!;
      const report = await judgeRecordings({
        recordings,
        baseline,
        uncompared,
        published,
        meta: {
          ...first,
          ...plan,
          startedAt: metas.map((meta) => meta.startedAt).sort()[0]!,
          elapsedMs: metas.reduce((sum, meta) => sum + meta.elapsedMs, 0),
          command: `npm run harness -- ${context.argv.join(' ')}`,
          caveats: [...new Set(metas.flatMap((meta) => meta.caveats))],
        },
      });
      const folder = options.out === undefined ? await newRunFolder(root, new Date()) : resolve(root, options.out);
      const page = await writeReports(folder, report, recordings);
      await showReport(report, context, { json: options.json === true, page });
      context.exitWith(report.verdict.exit);
    });
}
