/**
 * Tokens a model would have read and written: instructions and tool definitions once, the intent, and every call's
 * arguments and result once, in the o200k_base encoding. A count without a model, the same on every machine.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
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

const seen = new Map<string, number>();

function tokensOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length < 200) return countTokens(text);
  // Tool lists and instructions repeat in every recording of a run.
  const known = seen.get(text) ?? countTokens(text);
  if (seen.size < 2_000) seen.set(text, known);
  return known;
}
