/** The answer satisfies the schema and every expected endpoint was called. */
import type { Metric } from '../metric.ts';

export default {
  id: 'task-success',
  title: 'Task success',
  unit: 'fraction',
  better: 'higher',
  gate: 'no-loss',
  measure: (_recording, checks) =>
    checks['result-schema']?.status === 'pass' && checks['calls-made']?.status !== 'fail' ? 1 : 0,
} satisfies Metric;
