/** What every harness command says to the shell. `--help` and docs/errors.md have their tables from here. */
export const EXIT = {
  pass: 0,
  verdict: 1,
  usage: 2,
  infrastructure: 3,
  baseline: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANING: Record<ExitCode, string> = {
  0: 'pass: nothing is worse than the baseline and nothing unsafe happened; or played, with --baseline none',
  1: 'verdict failed: something got worse, something unsafe happened, or a bless was refused',
  2: 'usage: a bad option, scenario, subject or recording',
  3: 'harness or infrastructure: a process did not start or died, so nothing was measured',
  4: 'not judged: no baseline, a stale one (fixture, scenarios or methodology changed), or one without these agents',
  130: 'interrupted',
};

/** Of `try` and `conformance`, which have no baseline. */
export const TRY_EXIT_MEANING: Partial<Record<ExitCode, string>> = {
  0: 'every gate that was asked for holds, or none was asked; conformance: no scenario failed',
  1: 'a gate does not hold; conformance: a scenario failed',
  2: 'usage: a bad option, document or scenario, or a server that cannot be reached',
  3: 'the server failed, or this command did, before everything was tried',
  130: 'interrupted',
};

/** The table as `--help` prints it. */
export function exitCodeHelp(meaning: Partial<Record<ExitCode, string>> = EXIT_MEANING): string {
  const lines = Object.entries(meaning).map(([code, means]) => `  ${code.padStart(3)}  ${means}`);
  return ['', 'Exit codes:', ...lines].join('\n');
}
