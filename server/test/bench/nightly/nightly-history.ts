/** What earlier nights found, as one JSON file: figures by line, newest night last. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeAtomically } from '../../../files/atomic-write.ts';
import type { Figure } from './nightly-job.ts';
import type { Outcome } from './nightly-run.ts';

export interface Night {
  at: string;
  /** 40 hex digits, with `-changed` behind them where the tree was not that of the commit. */
  commit: string;
  cores: number;
  /** By line; a figure without a value was not printed. */
  lines: Record<string, { state: Outcome['state']; seconds: number; figures: Record<string, Figure['value']> }>;
}

const KEPT = 90;

export function readHistory(file: string): Night[] {
  if (!existsSync(file)) return [];
  const { version, nights } = JSON.parse(readFileSync(file, 'utf8')) as { version: number; nights: Night[] };
  if (version !== 1) throw new Error(`${file} should be of version 1, got ${version}`);
  return nights;
}

/** The night is added, or takes the place of the one of the same commit where it was told in parts. */
export function withNight(nights: readonly Night[], night: Night): Night[] {
  const last = nights.at(-1);
  if (last?.commit !== night.commit) return [...nights, night].slice(-KEPT);
  return [...nights.slice(0, -1), { ...night, lines: { ...last.lines, ...night.lines } }];
}

export function nightOf(outcomes: readonly Outcome[], commit: string, cores: number): Night {
  const lines = outcomes
    .filter(({ kind, state }) => kind === 'line' && state !== 'not-run')
    .map(({ id, state, seconds, figures }) => [
      id,
      { state, seconds, figures: Object.fromEntries(figures.map(({ name, value }) => [name, value])) },
    ]);
  return { at: new Date().toISOString(), commit, cores, lines: Object.fromEntries(lines) };
}

export function writeHistory(file: string, nights: readonly Night[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, `${JSON.stringify({ version: 1, nights }, null, 1)}\n`, { mode: 0o644 });
}
