/** `run`: play the selected scenarios through a subject, judge them against the baseline, write the reports. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import { writeReports } from '../../execution/judgement.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { type Plan, plannedKeys } from '../../recording/campaign-plan.ts';
import type { Report } from '../../reporting/run-report.ts';
import { rerunOnChange } from '../watch.ts';
import type { CommandContext } from './context.ts';
import { type Executed, executeRuns } from './run-execute.ts';
import { judgeRuns } from './run-judge.ts';
import { addRunOptions, type RunOptions } from './run-options.ts';
import { planRuns } from './run-plan.ts';
import { prepareRuns } from './run-prepare.ts';
import { showReport } from './show.ts';

export function addRunCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('run', { isDefault: true })
    .description('run the golden scenarios and judge them against the baseline');
  addRunOptions(command).action(async (options: RunOptions) => {
    const code = options.watch === true ? await rerunOnChange(context) : await run(options, context);
    context.exitWith(code);
  });
}

/** Each stage happens once and hands what it loaded or made to the next; none looks back. */
async function run(options: RunOptions, context: CommandContext): Promise<ExitCode> {
  const planned = await planRuns(options, context.root);
  if (options.list === true) return listRuns(planned.plan, options.json === true, context);
  const prepared = await prepareRuns(planned, options, context.root);
  const executed = await executeRuns(planned, prepared, options, context);
  if (context.signal.aborted) return interrupted(executed, context);
  const report = await judgeRuns(planned, prepared, executed, options, context);
  await reportRuns(report, executed, options, context);
  return report.verdict.exit;
}

function listRuns(plan: Plan, json: boolean, context: CommandContext): ExitCode {
  const runs = plannedKeys(plan).map((key) => {
    const [scenario = '', agent = '', transport = '', run] = key.split(' ');
    return { scenario, agent, transport, seed: plan.seed + Number(run) };
  });
  if (json) context.stdout.write(`${JSON.stringify({ plan, runs })}\n`);
  else {
    const line = (run: (typeof runs)[number]) => `${run.scenario} ${run.agent} ${run.transport} seed ${run.seed}\n`;
    context.stdout.write(`${runs.map(line).join('')}${runs.length} runs\n`);
  }
  return EXIT.pass;
}

/** The recordings are on disk; it judges nothing. */
function interrupted({ folder, runs }: Executed, { root, stderr }: CommandContext): ExitCode {
  if (runs.length > 0)
    stderr.write(`go on with: npm run harness -- run --resume ${relative(root, folder) || folder}\n`);
  return EXIT.interrupted;
}

async function reportRuns(
  report: Report,
  { folder, runs }: Executed,
  options: RunOptions,
  context: CommandContext,
): Promise<void> {
  const page = await writeReports(
    folder,
    report,
    runs.map(({ recording }) => recording),
  );
  await showReport(report, context, { json: options.json === true, page });
}
