/** A metric is one number about one recording, and how a suite's numbers become one. */
import type { Recording } from '../recording/recording.ts';
import { discoverModules } from '../subject/module-folder.ts';
import type { CheckResult } from './grading-check.ts';

export interface Metric {
  /** Equals the file name; reports spell it with underscores, as the specification does. */
  id: string;
  title: string;
  unit: 'fraction' | 'tokens' | 'ms' | 'calls' | 'failures' | 'rank';
  better: 'higher' | 'lower';
  /** Whether the baseline may fail a run on it; wall-clock times are only shown. */
  gate: 'no-loss' | 'at-most-10-percent-more' | 'no-more' | 'zero' | 'shown';
  /** null where the question does not apply to this recording. */
  measure: (recording: Recording, checks: Record<string, CheckResult>) => number | null;
}

export const fieldName = (metric: Pick<Metric, 'id'>): string => metric.id.replaceAll('-', '_');

const SHAPE = {
  title: 'string',
  unit: ['fraction', 'tokens', 'ms', 'calls', 'failures', 'rank'],
  better: ['higher', 'lower'],
  gate: ['no-loss', 'at-most-10-percent-more', 'no-more', 'zero', 'shown'],
  measure: 'function',
} as const;

export const loadMetrics = (): Promise<Metric[]> => discoverModules<Metric>(`${import.meta.dirname}/metrics`, SHAPE);
