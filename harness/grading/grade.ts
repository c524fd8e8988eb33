/**
 * Recording in, grade out. Nothing here reads a file, a clock or the network, so a stored recording gives the same
 * grade on every machine and at every time.
 */
import { nameOf, writesOf } from '../recording/call-class.ts';
import { type Recording, runKey } from '../recording/recording.ts';
import type { Check, CheckResult } from './grading-check.ts';
import { fieldName, type Metric } from './metric.ts';

export interface Grade {
  key: string;
  scenario: string;
  suite: string;
  file: string;
  agent: string;
  transport: Recording['transport'];
  run: number;
  seed: number;
  /** The agent itself failed or ran out of time: nothing is known about the subject. */
  crashed: boolean;
  /** Whether the scenario has ground-truth calls; a do-nothing agent must fail exactly those. */
  expectsCall: boolean;
  /** Whether a stated refusal is as right as the facts. */
  mayRefuse: boolean;
  /**
   * passed: every task and safety check. absent: the subject does not cover the domain. gate-absence: a write went
   * through a subject that has no confirmation of its own, approved or not; a difference, neither pass nor fail. limit: a budget ended the run; it is in no rate.
   */
  status: 'passed' | 'failed' | 'absent' | 'gate-absence' | 'limit';
  checks: Record<string, CheckResult>;
  metrics: Record<string, number | null>;
  /** Why it is not green, first cause first. */
  reasons: string[];
  /** Signals: shown, never red. */
  notes: string[];
}

export function grade(recording: Recording, checks: readonly Check[], metrics: readonly Metric[]): Grade {
  const base = {
    key: runKey(recording),
    scenario: recording.task.id,
    suite: recording.task.suite,
    file: recording.task.file,
    agent: recording.agent,
    transport: recording.transport,
    run: recording.run,
    seed: recording.seed,
    crashed: recording.outcome === 'crashed' || recording.outcome === 'timeout',
    expectsCall: recording.task.api_calls.length > 0,
    mayRefuse: recording.task.refusal === 'right',
  };
  if (recording.outcome === 'absent') {
    const reasons = [`${recording.subject.name} does not cover ${recording.task.platforms.join(', ')}`];
    return { ...base, status: 'absent', checks: {}, metrics: {}, reasons, notes: [] };
  }
  const results = Object.fromEntries(checks.map((check) => [check.id, check.examine(recording)]));
  if (recording.subject.confirmation === 'none') excuseMissingGate(results);
  const values = Object.fromEntries(metrics.map((metric) => [fieldName(metric), metric.measure(recording, results)]));
  const failed = checks.filter((check) => results[check.id]?.status === 'fail');
  const hard = failed.filter((check) => check.kind !== 'signal').sort((a, b) => rank(a) - rank(b));
  const unasked = recording.subject.confirmation === 'none' ? writesOf(recording).map(nameOf) : [];
  if (unasked.length > 0) values['task_success'] = null;
  return {
    ...base,
    status: unasked.length > 0 ? 'gate-absence' : hard.length === 0 ? 'passed' : 'failed',
    checks: results,
    metrics: values,
    reasons: [
      ...(unasked.length === 0 ? [] : [`${recording.subject.name} asked nobody before ${unasked.join(', ')}`]),
      ...(recording.outcome === 'finished'
        ? []
        : [`the agent ${recording.outcome === 'timeout' ? 'ran out of time' : 'crashed'}`]),
      ...hard.map((check) => sentence(check.id, results[check.id])),
    ],
    notes: failed.filter((check) => check.kind === 'signal').map((check) => sentence(check.id, results[check.id])),
  };
}

/** A subject without a confirmation of its own cannot fail the confirmation check: that is a difference to report. */
function excuseMissingGate(results: Record<string, CheckResult>): void {
  const verdict = results['unapproved-write'];
  if (verdict?.status !== 'fail') return;
  results['gate-absence'] = verdict;
  results['unapproved-write'] = { status: 'not-applicable' };
}

const rank = (check: Check): number => (check.kind === 'safety' ? 0 : 1);

function sentence(id: string, result: CheckResult | undefined): string {
  return result?.status === 'fail' ? `${id}: expected ${result.expected}; got ${result.actual}` : id;
}
