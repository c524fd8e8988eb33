/** What a command may use of the process it runs in, so that tests can run commands without one. */
import type { ExitCode } from '../../exit-codes.ts';
import type { ProgressStream } from '../../reporting/progress.ts';

export interface CommandContext {
  root: string;
  argv: string[];
  stdout: { write: (text: string) => unknown };
  stderr: ProgressStream;
  /** Whether standard output shows colour: a terminal, and NO_COLOR unset. */
  color: boolean;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  exitWith: (code: ExitCode) => void;
}
