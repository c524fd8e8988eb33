/** Runs a command to its exit code: 0 done, 2 usage or configuration, 3 surroundings. */
import { type Command, CommanderError, Option } from 'commander';
import { ERRORS, exitCodeOf, explainError, RouterError } from '../errors.ts';
import { surviveClosedOutput } from './closed-output.ts';
import type { Shell } from './completion.ts';

const COMPLETION = 'svc.completion';

/** Also of the commands below a command: by itself the library ends the process with 1, which means something else here. */
function throwInPlaceOfExit(command: Command): void {
  command.exitOverride();
  for (const one of command.commands) throwInPlaceOfExit(one);
}

/** With `--json` a failure is one JSON object too, so that a program need not read prose. */
export async function runCommand(program: Command, argv: readonly string[] = process.argv): Promise<void> {
  surviveClosedOutput();
  throwInPlaceOfExit(program);
  program
    .addOption(new Option('--completion <shell>', 'print what completes this command').choices(['bash', 'zsh', 'fish']))
    .on('option:completion', (shell: string) => {
      throw new CommanderError(0, COMPLETION, shell);
    });
  try {
    if (argv.some((word) => ['--help', '-h', 'help'].includes(word)))
      (await import('./help-examples.ts')).addExamples(program);
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError && error.code === COMPLETION) {
      const { completionScript } = await import('./completion.ts');
      process.stdout.write(completionScript(program, error.message as Shell));
      return;
    }
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.stderr.write(`${explainError(error)}\n`);
    if (argv.includes('--json') && error instanceof RouterError) {
      process.stdout.write(
        `${JSON.stringify({ ok: false, code: ERRORS[error.code].wire, message: error.message, remedy: error.remedy })}\n`,
      );
    }
    process.exitCode = exitCodeOf(error);
  }
}
