/** Platform calls beyond the expected ones, the allowed reads, and a preview and a read-back per write. */
import { countedCalls } from '../../recording/call-class.ts';
import { allowedCallCount } from '../checks/flailing.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'calls-beyond-plan',
  title: 'Calls beyond plan',
  unit: 'calls',
  better: 'lower',
  gate: 'shown',
  measure: (recording) => Math.max(0, countedCalls(recording).length - allowedCallCount(recording)),
} satisfies Metric;
