/**
 * Every tool chosen was needed and none was missing. Chosen = named in any dispatcher call, dry runs and refusals
 * included, so choosing a destructive tool that nobody needed counts even when it was never applied.
 */

import type { Recording } from '../../recording/recording.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'tool-selection-accuracy',
  title: 'Tool selection',
  unit: 'fraction',
  better: 'higher',
  gate: 'shown',
  measure: (recording) => {
    const needed = new Set(recording.task.expected_tools);
    if (needed.size === 0 && recording.task.api_calls.length > 0) return null; // nobody wrote down this subject's tools
    const chosen = chosenTools(recording);
    return chosen.size === needed.size && [...chosen].every((tool) => needed.has(tool)) ? 1 : 0;
  },
} satisfies Metric;

export function chosenTools(recording: Recording): Set<string> {
  const { dispatchers } = recording.subject;
  const calls = recording.transcript.filter((message) => message.kind === 'call');
  const names = calls.flatMap((message) => {
    if (dispatchers.length === 0) return [message.tool ?? ''];
    if (!dispatchers.includes(message.tool ?? '')) return [];
    const name = (message.sent as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? [name] : [];
  });
  return new Set(names);
}
