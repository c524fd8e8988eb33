/** Every ground-truth endpoint was called, as counted by the fake. */
import { countedCalls, nameOf } from '../../recording/call-class.ts';
import { isCallOf } from '../../scenario/path-pattern.ts';
import { type Check, NOT_APPLICABLE, PASS } from '../grading-check.ts';

export default {
  id: 'calls-made',
  promise: 'every expected platform operation was called',
  kind: 'task',
  examine: (recording) => {
    const wanted = recording.task.api_calls;
    if (wanted.length === 0) return NOT_APPLICABLE;
    const missing = wanted.filter((call) => !recording.ledger.some((entry) => isCallOf(entry, call)));
    if (missing.length === 0) return PASS;
    const made = [...new Set(countedCalls(recording).map(nameOf))];
    return {
      status: 'fail',
      expected: missing.join(', '),
      actual: made.length === 0 ? 'no platform call' : made.join(', '),
    };
  },
} satisfies Check;
