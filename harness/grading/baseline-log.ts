/** The log of blesses: one line of JSON for each, oldest first. The last line describes the baseline that is in force. */
import { got } from '../harness-errors.ts';
import type { Baseline } from './baseline.ts';

export const BLESS_LOG_FILE = 'reports/blesses.jsonl';

export interface BaselineCounts {
  scenarios: number;
  agents: string[];
  transports: string[];
  seeds: number[];
  /** Runs of agents that are compared, and how many of them passed. */
  runs: number;
  passed: number;
}

export interface AcceptedLoss {
  /** A scenario, or `seed 3`, `agent retrieval`, `transport stdio`. */
  name: string;
  reason: string;
  /** Successes that were lost; 0 where the whole is gone. */
  lost: number;
}

export interface BlessRecord {
  at: string;
  commit: string | null;
  reason: string;
  before: BaselineCounts | null;
  after: BaselineCounts;
  accepted: AcceptedLoss[];
  /** Successes of the baseline before that this one lacks, of a bless from the time when nothing had to be accepted. */
  unaccounted?: number;
}

/** Counts of the judged agent: what controls pass says nothing about the server. */
export function countsOf({ entries, seeds }: Pick<Baseline, 'entries' | 'seeds'>): BaselineCounts {
  const keys = Object.keys(entries).map((key) => key.split('/'));
  const part = (at: number) => [...new Set(keys.map((parts) => parts[at] ?? ''))].sort();
  const judged = Object.entries(entries).filter(([key]) => key.startsWith('retrieval/'));
  const passed = judged.flatMap(([, entry]) => entry.passed);
  return {
    scenarios: new Set(keys.map((parts) => parts.slice(2).join('/'))).size,
    agents: part(0),
    transports: part(1),
    seeds,
    runs: passed.length,
    passed: passed.filter((bit) => bit === 1).length,
  };
}

export const logLine = (record: BlessRecord): string => `${JSON.stringify(record)}\n`;

export function parseBlessLog(text: string): BlessRecord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BlessRecord);
}

/** What does not fit between the log and the baseline; nothing where they agree. */
export function logProblems(log: readonly BlessRecord[], baseline: Baseline): string[] {
  const last = log.at(-1);
  if (last === undefined) return ['the log should have a line for the baseline, got none'];
  const { at, reason, commit } = baseline.blessed;
  const compare = (name: string, expected: unknown, actual: unknown) =>
    JSON.stringify(expected) === JSON.stringify(actual)
      ? []
      : [`the last line's \`${name}\` should be ${got(expected)}, got ${got(actual)}`];
  const breaks = log.slice(1).flatMap((record, i) => {
    const same = JSON.stringify(record.before) === JSON.stringify(log[i]?.after);
    return same ? [] : [`line ${i + 2}: \`before\` should be what line ${i + 1} left, got ${got(record.before)}`];
  });
  return [
    ...compare('at', at, last.at),
    ...compare('reason', reason, last.reason),
    ...compare('commit', commit, last.commit),
    ...compare('after', countsOf(baseline), last.after),
    ...breaks,
  ];
}
