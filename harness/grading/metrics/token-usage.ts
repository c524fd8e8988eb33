/**
 * Tokens a model would have read and written: instructions and tool definitions once, the intent, and every call's
 * arguments and result once, in the o200k_base encoding. A count without a model, the same on every machine.
 */
import { tokensOf } from '../../recording/token-count.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'token-usage',
  title: 'Token usage',
  unit: 'tokens',
  better: 'lower',
  gate: 'at-most-10-percent-more',
  measure: (recording) => {
    const parts = recording.transcript.flatMap((message) => {
      if (message.kind === 'call') return [message.sent, message.received];
      return message.kind === 'elicitation' ? [] : [message.received];
    });
    return [recording.task.intent, ...parts].reduce<number>((sum, part) => sum + tokensOf(part), 0);
  },
} satisfies Metric;
