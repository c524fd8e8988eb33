/** Figures of earlier nightly runs in one JSON file: by job, newest run last. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeAtomically } from '../../../files/atomic-write.ts';
import type { Figure } from './nightly-job.ts';
import type { Outcome } from './nightly-run.ts';

export interface NightlyRun {
  at: string;
  /** 40 hex digits, with `-changed` behind them where the tree was not that of the commit. */
  commit: string;
  cores: number;
  /** By job id. A figure with the value null was not printed. */
  lines: Record<string, { state: Outcome['state']; seconds: number; figures: Record<string, Figure['value']> }>;
}

const MOST_RUNS = 90;

export function readHistory(file: string): NightlyRun[] {
  if (!existsSync(file)) return [];
  const { version, nights } = JSON.parse(readFileSync(file, 'utf8')) as { version: number; nights: NightlyRun[] };
  if (version !== 1) throw new Error(`${file} should be of version 1, got ${version}`);
  return nights;
}

/** Appends the run. A run of the same commit is merged, because shards record their jobs one after the other. */
export function withRun(runs: readonly NightlyRun[], run: NightlyRun): NightlyRun[] {
  const last = runs.at(-1);
  if (last?.commit !== run.commit) return [...runs, run].slice(-MOST_RUNS);
  return [...runs.slice(0, -1), { ...run, lines: { ...last.lines, ...run.lines } }];
}

export function runOf(outcomes: readonly Outcome[], commit: string, cores: number): NightlyRun {
  const lines = outcomes
    .filter(({ kind, state }) => kind === 'job' && state !== 'not-run')
    .map(({ id, state, seconds, figures }) => [
      id,
      { state, seconds, figures: Object.fromEntries(figures.map(({ name, value }) => [name, value])) },
    ]);
  return { at: new Date().toISOString(), commit, cores, lines: Object.fromEntries(lines) };
}

export function writeHistory(file: string, nights: readonly NightlyRun[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, `${JSON.stringify({ version: 1, nights }, null, 1)}\n`, { mode: 0o644 });
}
