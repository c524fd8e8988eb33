/**
 * How many direct reads long a read through the subject is. It is the one figure of the verdict that is no count, so it is
 * judged over a whole campaign, as a multiple of what the same machine needed at the same time, and with a wide bound.
 */
import type { Recording } from '../recording/recording.ts';
import { median } from '../statistics/stats.ts';
import type { Finding } from './gate-finding.ts';

/** A subject that is as fast as today's is far below it under any load; one that waits 700 ms before each call is above it. */
export const MOST_TIMES = 100;
/** Fewer runs say nothing. */
const LEAST_RUNS = 5;

/** The median over all runs of the median read, in direct reads; undefined where too few runs have both. */
export function addedTime(recordings: readonly Recording[]): number | undefined {
  const times = recordings.flatMap((recording) => timesDirect(recording) ?? []);
  return times.length < LEAST_RUNS ? undefined : (median(times) ?? undefined);
}

export function addedTimeFindings(recordings: readonly Recording[]): Finding[] {
  const times = addedTime(recordings);
  if (times === undefined || times <= MOST_TIMES) return [];
  const expected = `a read takes at most ${MOST_TIMES} times as long as a direct one`;
  return [
    { key: 'all runs', gate: 'added_time', expected, actual: `${Math.round(times)} times, in the median of all runs` },
  ];
}

/** Only reads that lead to one request at the platform are compared with one; a change waits for a person as well. */
function timesDirect({ transcript, timings, subject }: Recording): number | undefined {
  const { directMs, messages } = timings;
  const [read] = subject.dispatchers;
  const direct = median(directMs ?? []);
  if (direct === null || direct <= 0) return undefined;
  const took = transcript.flatMap((message, i) =>
    message.kind === 'call' && message.tool === read && message.calls?.length === 1 ? (messages[i]?.tookMs ?? []) : [],
  );
  const middle = median(took);
  return middle === null ? undefined : middle / direct;
}
