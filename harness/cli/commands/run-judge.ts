/** Fourth stage of `run`: the grades of all runs against the baseline, as a report. */
import { judgeGraded } from '../../execution/judgement.ts';
import { publishedResults } from '../../execution/published-version.ts';
import { modelCaveats } from '../../llm/caveats.ts';
import { plannedKeys } from '../../recording/campaign-plan.ts';
import type { Report, ReportMeta } from '../../reporting/run-report.ts';
import type { CommandContext } from './context.ts';
import type { Executed } from './run-execute.ts';
import { NO_BASELINE, type RunOptions } from './run-options.ts';
import type { PlannedRuns } from './run-plan.ts';
import type { Prepared } from './run-prepare.ts';
import { columnsOf } from './show.ts';

export async function judgeRuns(
  planned: PlannedRuns,
  prepared: Prepared,
  executed: Executed,
  options: RunOptions,
  context: CommandContext,
): Promise<Report> {
  const { grader, baseline } = prepared;
  const meta = metaOf(planned, prepared, executed, context);
  const against = await columnsOf(context.root, options.against);
  const recordings = executed.runs.map(({ recording }) => recording);
  const published = await publishedResults(context.root, { subject: meta.subject, recordings });
  return judgeGraded({
    runs: executed.runs,
    grader,
    baseline,
    meta,
    against,
    published,
    uncompared: options.baseline === NO_BASELINE,
  });
}

function metaOf(
  { plan, started }: PlannedRuns,
  prepared: Prepared,
  { runs, stopped }: Executed,
  { argv }: CommandContext,
): Omit<ReportMeta, 'fixtures' | 'node'> {
  return {
    ...plan,
    startedAt: started.toISOString(),
    elapsedMs: Date.now() - started.getTime(),
    command: `npm run harness -- ${argv.join(' ')}`.trim(),
    ...(stopped ? { stopped: `stopped at the first red: ${runs.length} of ${plannedKeys(plan).length} runs` } : {}),
    caveats: [...prepared.caveats, ...modelCaveats(runs.map(({ recording }) => recording))],
  };
}
