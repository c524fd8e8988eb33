/** One digest per recording, in a file beside them: it finds an edit that the recordings themselves do not show. */
import { createHash } from 'node:crypto';
import type { Recording } from './recording.ts';

export const DIGESTS_FILE = 'recordings.sha256';

/** Without times, so that equal runs have equal digests; of all grades only the latency that is shown depends on them. */
export function digestOf({ timings: _timings, ...recording }: Recording): string {
  return createHash('sha256').update(JSON.stringify(recording)).digest('hex');
}

/** One line per recording, in their order. */
export const digestLines = (recordings: readonly Recording[]): string =>
  recordings.map((recording) => `${digestOf(recording)}\n`).join('');
