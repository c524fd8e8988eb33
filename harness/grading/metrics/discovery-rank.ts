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
    const lists = discoveryCalls(recording).map(({ found }) => found);
    const ranks = recording.task.expected_tools.map((tool) => {
      const places = lists.map((names) => names.indexOf(tool) + 1).filter((place) => place > 0);
      return places.length === 0 ? null : Math.min(...places);
    });
    if (ranks.length === 0 || ranks.includes(null)) return null;
    return Math.max(...(ranks as number[]));
  },
} satisfies Metric;
