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
    const needed = recording.task.expected_tools;
    if (needed.length === 0 && recording.task.api_calls.length > 0) return null; // nobody wrote down this subject's tools
    const chosen = chosenTools(recording);
    const routes = new Set(needed.flat());
    const isComplete = needed.every((tools) => tools.some((tool) => chosen.has(tool)));
    return isComplete && [...chosen].every((tool) => routes.has(tool)) ? 1 : 0;
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
