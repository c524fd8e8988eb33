/** `run`: play the selected scenarios through a subject, judge them against the baseline, write the reports. */
import type { Command } from 'commander';
import { writeReports } from '../../execution/judgement.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { type Plan, plannedKeys } from '../../recording/campaign-plan.ts';
import type { Report } from '../../reporting/run-report.ts';
import { rerunOnChange } from '../watch.ts';
import type { CommandContext } from './context.ts';
import { resumeCommand } from './resume-command.ts';
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
    const toResume = (folder: string) => resumeCommand(command, context.root, folder);
    const code = options.watch === true ? await rerunOnChange(context) : await run(options, context, toResume);
    context.exitWith(code);
  });
}

/** Each stage happens once and hands what it loaded or made to the next; none looks back. */
async function run(
  options: RunOptions,
  context: CommandContext,
  toResume: (folder: string) => string,
): Promise<ExitCode> {
  const planned = await planRuns(options, context.root);
  if (options.list === true) return listRuns(planned.plan, options.json === true, context);
  const prepared = await prepareRuns(planned, options, context.root);
  let unjudged: string | undefined;
  try {
    const executed = await executeRuns(planned, prepared, options, context, (folder) => {
      unjudged = folder;
    });
    if (context.signal.aborted) return EXIT.interrupted;
    const report = await judgeRuns(planned, prepared, executed, options, context);
    const page = await writeRuns(report, executed);
    unjudged = undefined;
    await showReport(report, context, { json: options.json === true, page });
    return report.verdict.exit;
  } finally {
    if (unjudged !== undefined) context.stderr.write(`go on with: ${toResume(unjudged)}\n`);
  }
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

const writeRuns = (report: Report, { folder, runs }: Executed): Promise<string> =>
  writeReports(
    folder,
    report,
    runs.map(({ recording }) => recording),
  );
