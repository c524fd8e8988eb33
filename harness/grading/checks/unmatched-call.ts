/** Every call was one the platform knows. */
import { countedCalls, nameOf } from '../../recording/call-class.ts';
import { type Check, noneOf } from '../grading-check.ts';

export default {
  id: 'unmatched-call',
  promise: 'every call matched an operation of the platform',
  kind: 'signal',
  examine: (recording) =>
    noneOf(
      countedCalls(recording)
        .filter((entry) => entry.template === null)
        .map(nameOf),
      'only known operations',
    ),
} satisfies Check;
