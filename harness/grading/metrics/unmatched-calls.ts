/** Platform calls that no operation of the platform answers to. */
import { countedCalls } from '../../recording/call-class.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'unmatched-calls',
  title: 'Unmatched calls',
  unit: 'calls',
  better: 'lower',
  gate: 'shown',
  measure: (recording) => countedCalls(recording).filter((entry) => entry.template === null).length,
} satisfies Metric;
