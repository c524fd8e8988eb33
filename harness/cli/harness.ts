/** The harness's one program; every command is a file in `commands/`. */
import type { ExitCode } from '../exit-codes.ts';
import { addBlessCommand } from './commands/bless.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import type { CommandContext } from './commands/context.ts';
import { addControlsCommand } from './commands/controls.ts';
import { addDiffCommand } from './commands/diff.ts';
import { addListCommand } from './commands/list-command.ts';
import { addMeasurePublishedCommand } from './commands/measure-published.ts';
import { addMergeCommand } from './commands/merge.ts';
import { addProveCommand } from './commands/prove.ts';
import { addRegradeCommand } from './commands/regrade.ts';
import { addReproduceCommand } from './commands/reproduce.ts';
import { addRunCommand } from './commands/run.ts';
import { addTryCommand } from './commands/try.ts';
import { addViewCommand } from './commands/view.ts';
import { runAsProcess, runProgram } from './program.ts';

const HARNESS = {
  name: 'harness',
  typed: 'npm run harness --',
  byDefault: 'run',
  description: 'Runs scenarios against an MCP server in front of the fake platform, and judges it.',
  commands: [
    addRunCommand,
    addTryCommand,
    addConformanceCommand,
    addListCommand,
    addMergeCommand,
    addProveCommand,
    addRegradeCommand,
    addReproduceCommand,
    addMeasurePublishedCommand,
    addDiffCommand,
    addBlessCommand,
    addCompareCommand,
    addViewCommand,
    addControlsCommand,
  ],
};

export const main = (argv: string[], outer: Partial<CommandContext> = {}): Promise<ExitCode> =>
  runProgram(HARNESS, argv, outer);

if (import.meta.main) await runAsProcess(HARNESS);
