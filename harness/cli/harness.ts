/** The harness's one program; every command is a file in `commands/`. */
import type { ExitCode } from '../exit-codes.ts';
import type { CommandContext } from './commands/context.ts';
import { type ProgramOptions, runAsProcess, runProgram } from './program.ts';

const HARNESS: ProgramOptions = {
  name: 'harness',
  typed: 'npm run harness --',
  byDefault: 'run',
  description: 'Runs scenarios against an MCP server in front of the fake platform, and judges it.',
  // Loaded when they are called: together they need more than a thousand files.
  commands: {
    run: async () => (await import('./commands/run.ts')).addRunCommand,
    try: async () => (await import('./commands/try.ts')).addTryCommand,
    conformance: async () => (await import('./commands/conformance.ts')).addConformanceCommand,
    list: async () => (await import('./commands/list-command.ts')).addListCommand,
    merge: async () => (await import('./commands/merge.ts')).addMergeCommand,
    prove: async () => (await import('./commands/prove.ts')).addProveCommand,
    regrade: async () => (await import('./commands/regrade.ts')).addRegradeCommand,
    reproduce: async () => (await import('./commands/reproduce.ts')).addReproduceCommand,
    'measure-published': async () => (await import('./commands/measure-published.ts')).addMeasurePublishedCommand,
    diff: async () => (await import('./commands/diff.ts')).addDiffCommand,
    bless: async () => (await import('./commands/bless.ts')).addBlessCommand,
    compare: async () => (await import('./commands/compare.ts')).addCompareCommand,
    view: async () => (await import('./commands/view.ts')).addViewCommand,
    controls: async () => (await import('./commands/controls.ts')).addControlsCommand,
  },
};

export const main = (argv: string[], outer: Partial<CommandContext> = {}): Promise<ExitCode> =>
  runProgram(HARNESS, argv, outer);

if (import.meta.main) await runAsProcess(HARNESS);
