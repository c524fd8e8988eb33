/** Everything about one subject at one size, or why there is nothing. */
import { HarnessError } from '../errors.ts';
import type { CellJournal } from './journal.ts';
import { type MeasureOptions, measureTasks } from './measure.ts';
import { askRequests } from './requests.ts';
import type { Cell } from './row.ts';
import type { Size } from './size.ts';
import { measureTimings } from './timing.ts';

export type CellOptions = Omit<MeasureOptions, 'size' | 'done' | 'onRow'> & { size: Size; timed: boolean };

/** Undefined when it was interrupted; what was measured by then is in the journal. */
export async function measureCell(options: CellOptions, journal: CellJournal): Promise<Cell | undefined> {
  const { subject, size, signal } = options;
  const base = { subject: subject.name, size };
  if (subject.absent !== undefined) return { ...base, absent: subject.absent };
  try {
    const measured = size === 'github' ? await askRequests(options) : await tasksOf({ ...options, size }, journal);
    if (signal.aborted) return undefined;
    const timings = options.timed ? await measureTimings(options) : undefined;
    if (signal.aborted) return undefined;
    return { ...base, ...measured, ...(timings === undefined ? {} : { timings }) };
  } catch (error) {
    if (signal.aborted) return undefined;
    return { ...base, notRun: reasonOf(error) };
  }
}

function tasksOf(options: MeasureOptions | Omit<MeasureOptions, 'done' | 'onRow'>, journal: CellJournal) {
  const done = new Set(journal.rows.map(({ scenario, agent }) => `${scenario} ${agent}`));
  return measureTasks({ ...options, done, onRow: journal.append });
}

function reasonOf(error: unknown): string {
  const text = error instanceof HarnessError ? `${error.code}: ${error.message}` : String((error as Error).message);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
