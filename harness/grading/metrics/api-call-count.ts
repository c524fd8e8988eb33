/** Platform calls the task cost, as counted by the fake: neither token calls nor polling. */
import { countedCalls } from '../../recording/call-class.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'api-call-count',
  title: 'Platform calls',
  unit: 'calls',
  better: 'lower',
  gate: 'no-more',
  measure: (recording) => countedCalls(recording).length,
} satisfies Metric;
