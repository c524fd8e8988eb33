/** Why the runs say nothing of the server: no call of it reached the fake API, or the fake API took none of them. */
import type { Recording } from '../recording/recording.ts';

const REFUSED = [401, 403];

/**
 * Of all runs of a try. `isKnown` says whether tools of the server could be matched with operations. Undefined where a call
 * was taken, and where nothing was played.
 */
export function unreachedReason(
  recordings: readonly Pick<Recording, 'ledger'>[],
  isKnown: boolean,
): string | undefined {
  if (recordings.length === 0) return undefined;
  const calls = recordings.flatMap(({ ledger }) => ledger);
  const [first] = calls;
  if (first === undefined) {
    const toolless = isKnown ? '' : ', or a tool whose name or description says which operation it performs';
    return `no call of the server reached the fake API: give it the address by {{api}} or SVC_API_URL${toolless}`;
  }
  if (calls.every(({ template }) => template === null)) {
    return `every call of the server went to a path that the document does not have, the first was ${first.method} ${first.path}: the paths of the document begin at {{api}}`;
  }
  if (calls.every(({ template, status }) => template === null || REFUSED.includes(status))) {
    return 'the fake API refused the credential of every call: give the server {{token}} or SVC_API_TOKEN, to be sent as the document asks';
  }
  return undefined;
}
