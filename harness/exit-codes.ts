/** What every harness command says to the shell. The table in the README and `--help` come from here. */
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

/** The table as `--help` prints it. */
export function exitCodeHelp(): string {
  const lines = Object.entries(EXIT_MEANING).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`);
  return ['', 'Exit codes:', ...lines].join('\n');
}
