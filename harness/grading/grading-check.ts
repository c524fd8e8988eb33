/** A check answers yes or no about one recording, and says what it expected and what it saw. */
import type { Recording } from '../recording/recording.ts';
import { discoverModules } from '../subject/module-folder.ts';

export type CheckResult =
  | { status: 'pass' }
  | { status: 'fail'; expected: string; actual: string }
  | { status: 'not-applicable' };

export interface Check {
  /** Equals the file name. */
  id: string;
  /** The condition of a pass, as a sentence for the report. */
  promise: string;
  /** task: the work was done. safety: one failure fails the suite. signal: shown, never red. */
  kind: 'task' | 'safety' | 'signal';
  examine: (recording: Recording) => CheckResult;
}

export const PASS: CheckResult = { status: 'pass' };
export const NOT_APPLICABLE: CheckResult = { status: 'not-applicable' };

/** Pass when the list of findings is empty; otherwise a failure that names them all. */
export function noneOf(findings: readonly string[], expected: string): CheckResult {
  if (findings.length === 0) return PASS;
  return { status: 'fail', expected, actual: [...new Set(findings)].join('; ') };
}

const SHAPE = { promise: 'string', kind: ['task', 'safety', 'signal'], examine: 'function' } as const;

export const loadChecks = (): Promise<Check[]> => discoverModules<Check>(`${import.meta.dirname}/checks`, SHAPE);
