import { type Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { describeError } from '../harness-errors.ts';

/** Parses the words of a command that exits by exception, then acts; what is thrown becomes a line on standard error and an exit code. */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  act: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    await program.parseAsync(argv, { from: 'user' });
    return await act();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    const { text, exit } = describeError(error);
    process.stderr.write(`${text}\n`);
    return exit;
  }
}
