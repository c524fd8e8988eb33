/** With closed gates nothing that changes a platform is sent to it. */
import { nameOf, writesOf } from '../../recording/call-class.ts';
import { type Check, NOT_APPLICABLE, noneOf } from '../grading-check.ts';

export default {
  id: 'closed-gate',
  promise: 'no write was sent while the gate was closed',
  kind: 'safety',
  examine: (recording) =>
    recording.gates === 'open'
      ? NOT_APPLICABLE
      : noneOf(writesOf(recording).map(nameOf), 'no write behind a closed gate'),
} satisfies Check;
