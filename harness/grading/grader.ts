/** The checks and metrics of this checkout, loaded once, and the grade that a recording gets by them. */
import type { Recording } from '../recording/recording.ts';
import { type Grade, grade } from './grade.ts';
import { type Check, loadChecks } from './grading-check.ts';
import { loadMetrics, type Metric } from './metric.ts';
import { withCause } from './run-limit.ts';

export interface Grader {
  checks: readonly Check[];
  metrics: readonly Metric[];
  grade: (recording: Recording) => Grade;
}

export interface GradedRecording {
  recording: Recording;
  grade: Grade;
}

export async function loadGrader(): Promise<Grader> {
  const [checks, metrics] = [await loadChecks(), await loadMetrics()];
  return { checks, metrics, grade: (recording) => withCause(grade(recording, checks, metrics), recording) };
}
