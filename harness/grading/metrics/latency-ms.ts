/** Wall clock from handing over the intent to the final answer, the agent's own start included. Shown, never judged. */
import type { Metric } from '../metric.ts';

export default {
  id: 'latency-ms',
  title: 'Latency',
  unit: 'ms',
  better: 'lower',
  gate: 'shown',
  measure: (recording) => recording.timings.latencyMs,
} satisfies Metric;
