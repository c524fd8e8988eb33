/** Tokens of `tools/list`: what a model pays before it has done anything. */
import { tokensOf } from '../../recording/token-count.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'tool-definition-tokens',
  title: 'Tool definitions',
  unit: 'tokens',
  better: 'lower',
  gate: 'shown',
  measure: (recording) => {
    const lists = recording.transcript.filter((message) => message.kind === 'list');
    return lists.length === 0 ? null : lists.reduce((sum, message) => sum + tokensOf(message.received), 0);
  },
} satisfies Metric;
