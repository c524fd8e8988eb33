/**
 * The rank of the needed tools among the hits: for each tool the best rank (1 is first) over all discovery calls, and
 * of these ranks the worst. Null if a tool was never found, or if the subject has no search.
 */
import { discoveryCalls } from '../../recording/tool-searches.ts';
import type { Metric } from '../metric.ts';

export default {
  id: 'discovery-rank',
  title: 'Discovery rank',
  unit: 'rank',
  better: 'lower',
  gate: 'shown',
  measure: (recording) => {
    // A look-up by the exact name of a tool is no search: it always finds the tool first.
    const lists = discoveryCalls(recording)
      .filter(({ message, found }) => !found.includes(queryOf(message.sent)))
      .map(({ found }) => found);
    const ranks = recording.task.expected_tools.map((tools) => {
      const places = lists
        .flatMap((names) => tools.map((tool) => names.indexOf(tool) + 1))
        .filter((place) => place > 0);
      return places.length === 0 ? null : Math.min(...places);
    });
    if (ranks.length === 0 || ranks.includes(null)) return null;
    return Math.max(...(ranks as number[]));
  },
} satisfies Metric;

function queryOf(sent: unknown): string {
  const { query } = (sent ?? {}) as { query?: unknown };
  return typeof query === 'string' ? query.trim() : '';
}
