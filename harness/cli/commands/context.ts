/** The parts of the process that a command may use, so that tests can run commands without a process. */
import type { ExitCode } from '../../exit-codes.ts';
import type { ProgressStream } from '../../reporting/progress.ts';

export interface CommandContext {
  root: string;
  argv: string[];
  /** `columns` only at a terminal. */
  stdout: { write: (text: string) => unknown; columns?: number };
  stderr: ProgressStream;
  /** Whether standard output shows colour: a terminal, and NO_COLOR unset. */
  color: boolean;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** The answer of the person at the terminal; undefined where nobody can be asked. */
  confirm: (question: string) => Promise<boolean | undefined>;
  exitWith: (code: ExitCode) => void;
}
