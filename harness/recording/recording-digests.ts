/** One digest per recording, in a file beside them: it finds an edit that the recordings themselves do not show. */
import { createHash } from 'node:crypto';
import type { Recording } from './recording.ts';
import { lineOf } from './run-journal.ts';

export const DIGESTS_FILE = 'recordings.sha256';

export const digestOf = (recording: Recording): string => createHash('sha256').update(lineOf(recording)).digest('hex');

/** One line per recording, in their order. */
export const digestLines = (recordings: readonly Recording[]): string =>
  recordings.map((recording) => `${digestOf(recording)}\n`).join('');
