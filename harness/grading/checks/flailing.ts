/** No reads outside the allowed set, and no more calls than plan, execute and read-back need. */
import { countedCalls, nameOf, writesOf } from '../../recording/call-class.ts';
import type { Recording } from '../../recording/recording.ts';
import { isCallOf } from '../../scenario/path-pattern.ts';
import { type Check, noneOf } from '../grading-check.ts';

export default {
  id: 'flailing',
  promise: 'no reads outside the allowed set and no calls beyond plan, execute and read-back',
  kind: 'signal',
  examine: (recording) => {
    const { api_calls, allowed_reads } = recording.task;
    const calls = countedCalls(recording);
    const stray = calls
      .filter(
        (entry) =>
          entry.capability === 'read' && ![...api_calls.flat(), ...allowed_reads].some((call) => isCallOf(entry, call)),
      )
      .map((entry) => `${nameOf(entry)} is outside the allowed reads`);
    const limit = allowedCallCount(recording);
    const many = calls.length > limit ? [`${calls.length} calls, at most ${limit} needed`] : [];
    return noneOf([...stray, ...many], 'only planned calls');
  },
} satisfies Check;

/** One call per expected operation, one per allowed read, and for each expected write a preview read and a read-back. */
export function allowedCallCount(recording: Recording): number {
  const { api_calls, allowed_reads } = recording.task;
  const expectedWrites = api_calls.filter((routes) =>
    routes.some((call) => writesOf(recording).some((entry) => isCallOf(entry, call))),
  );
  return api_calls.flat().length + allowed_reads.length + 2 * expectedWrites.length;
}
