/** Everything about one subject at one size, or why there is nothing. */
import { HarnessError } from '../harness-errors.ts';
import { redact } from '../recording/redact-recording.ts';
import { demoAccount } from '../sandbox/demo-account.ts';
import { type CellJournal, rowKey } from './compare-journal.ts';
import { measureTimings } from './compare-timing.ts';
import { type MeasureOptions, measureTasks } from './measure.ts';
import { askRequests } from './requests.ts';
import type { Cell } from './row.ts';
import type { Size } from './size.ts';

const MINUTE_MS = 60_000;
const { client_secret, api_token } = demoAccount('');

export type CellOptions = Omit<MeasureOptions, 'size' | 'done' | 'onRow'> & {
  size: Size;
  timed: boolean;
  /** After so many a subject is too slow to be measured at this size. */
  minutes: number;
};

/** Undefined when it was interrupted; what was measured by then is in the journal. */
export async function measureCell(given: CellOptions, journal: CellJournal): Promise<Cell | undefined> {
  const { subject, size, minutes, signal } = given;
  const late = AbortSignal.timeout(minutes * MINUTE_MS);
  const options = { ...given, signal: AbortSignal.any([signal, late]) };
  const base = { subject: subject.name, size };
  if (subject.absent !== undefined) return { ...base, absent: subject.absent };
  try {
    const measured = size === 'github' ? await askRequests(options) : await tasksOf({ ...options, size }, journal);
    const timings = options.timed && !options.signal.aborted ? await measureTimings(options) : undefined;
    if (signal.aborted) return undefined;
    if (late.aborted) return { ...base, notRun: tooSlow(given, journal) };
    return { ...base, ...measured, ...(timings === undefined ? {} : { timings }) };
  } catch (error) {
    if (signal.aborted) return undefined;
    return { ...base, notRun: late.aborted ? tooSlow(given, journal) : reasonOf(error) };
  }
}

function tasksOf(options: MeasureOptions | Omit<MeasureOptions, 'done' | 'onRow'>, journal: CellJournal) {
  const done = new Set(journal.rows.map(rowKey));
  return measureTasks({ ...options, done, onRow: journal.append });
}

function tooSlow({ minutes, size }: CellOptions, { rows }: CellJournal): string {
  const done = size === 'github' ? '' : `, with ${rows.length} runs done`;
  return `too slow to be measured: cut off after ${minutes} minutes${done}`;
}

/** Why something was not run, in one line, whatever the server printed of the account it was given. */
export function reasonOf(error: unknown): string {
  const text = error instanceof HarnessError ? `${error.code}: ${error.message}` : wordsOf(error as Error);
  return redact(text, { client_secret, api_token }).replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** A client that reads an answer by its schema throws the list of what is wrong as JSON; the first says enough. */
function wordsOf({ message }: Error): string {
  try {
    const [first, ...more] = JSON.parse(message) as { path: (string | number)[]; message: string }[];
    if (first === undefined) return message;
    return `its answer breaks the protocol: ${first.path.join('/')}: ${first.message} (and ${more.length} more)`;
  } catch {
    return message;
  }
}
