/** A program of commands: its context, its errors and its exit codes. Each program of the harness is one of these. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError, Option } from 'commander';
import { EXIT, type ExitCode, exitCodeHelp } from '../exit-codes.ts';
import { describeError, didYouMean, got } from '../harness-errors.ts';
import { surviveClosedOutput } from './closed-output.ts';
import type { CommandContext } from './commands/context.ts';
import { completionScript, SHELLS, type Shell } from './completion.ts';
import { addExamples } from './help-examples.ts';

const COMPLETION = 'harness.completion';

export type AddCommand = (program: Command, context: CommandContext) => void;

export interface ProgramOptions {
  name: string;
  /** How a person calls it, for the examples of its help. */
  typed: string;
  description: string;
  /** What its exit codes mean, where that is not what those of the harness mean. */
  exits?: Partial<Record<ExitCode, string>>;
  /** Takes its options without its name. */
  byDefault?: string;
  /** By name, in the order of the help. */
  commands: Readonly<Record<string, () => Promise<AddCommand>>>;
}

/** Of the package or the checkout, whichever holds this file. */
const PACKAGE = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

/** Only where somebody sits at both ends; a pipe or a job has nobody to ask. */
async function askTerminal(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

export async function runProgram(
  { name, typed, description, commands, byDefault, exits }: ProgramOptions,
  argv: string[],
  outer: Partial<CommandContext> = {},
): Promise<ExitCode> {
  let code: ExitCode = EXIT.pass;
  const context: CommandContext = {
    root: PACKAGE,
    argv,
    stdout: process.stdout,
    stderr: process.stderr,
    color: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
    env: process.env,
    signal: new AbortController().signal,
    confirm: askTerminal,
    ...outer,
    exitWith: (value) => {
      code = value;
    },
  };
  const program = new Command(name)
    .description(description)
    .version(version)
    .addHelpText('after', exitCodeHelp(exits))
    .configureOutput({ writeOut: (text) => context.stdout.write(text), writeErr: (text) => context.stderr.write(text) })
    .addOption(new Option('--completion <shell>', 'print what completes this command').choices(SHELLS))
    .on('option:completion', (shell: Shell) => {
      context.stdout.write(completionScript(program, shell, byDefault));
      throw new CommanderError(0, COMPLETION, shell);
    })
    .exitOverride();
  for (const load of neededFor(argv, commands, byDefault)) (await load())(program, context);
  addExamples(program, typed);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.exitOverride().configureOutput(program.configureOutput());
  }
  try {
    assertCommand(program, argv[0]);
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (context.signal.aborted) return EXIT.interrupted;
    // Commander has said what was wrong; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    const { text, exit } = describeError(error);
    context.stderr.write(`${text}\n`);
    return exit;
  }
}

/** The command that is called, alone; every command where the program itself answers, with its help or with what it does not know. */
function neededFor(
  argv: readonly string[],
  commands: ProgramOptions['commands'],
  byDefault: string | undefined,
): ProgramOptions['commands'][string][] {
  const [word = ''] = argv;
  const named = Object.hasOwn(commands, word);
  const called = named || /^[^-]/.test(word) ? word : byDefault;
  // The help of a default command that is not named is that of the program.
  const ofProgram = argv.some((arg) => /^--completion\b/.test(arg) || (!named && /^(-h|--help)$/.test(arg)));
  const load = called === undefined || ofProgram || !Object.hasOwn(commands, called) ? undefined : commands[called];
  return load === undefined ? Object.values(commands) : [load];
}

/** A default command takes any first argument as one of its own, and would then say that it takes none. */
function assertCommand(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-')) return;
  const known = [...program.commands.flatMap((one) => [one.name(), ...one.aliases()]), 'help'];
  if (!known.includes(word)) program.error(`error: unknown command ${got(word)}${didYouMean(word, known)}`);
}

/** As the whole of a process: the first signal ends what was started, the second ends at once. */
export async function runAsProcess(options: ProgramOptions): Promise<void> {
  surviveClosedOutput();
  const interrupt = new AbortController();
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted); // asked twice: the watchdog ends the children
    process.stderr.write('\ninterrupted: stopping the started processes\n');
    interrupt.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.exitCode = await runProgram(options, process.argv.slice(2), { signal: interrupt.signal });
}
