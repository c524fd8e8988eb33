/** A run folder read back: its recordings, checked, and what was known when they were made. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HarnessError } from '../harness-errors.ts';
import { type Recording, readRecordings } from '../recording/recording.ts';
import { RECORDINGS_FILE, runFolderOf } from '../recording/run-folder.ts';
import { REPORT_VERSION, type Report, type ReportMeta } from './run-report.ts';

export interface StoredRun {
  folder: string;
  name: string;
  recordings: Recording[];
  meta: ReportMeta;
}

type StoredReport = Omit<Report, 'meta'> & {
  meta: Omit<ReportMeta, keyof Timings>;
  timings: Timings;
};
type Timings = Pick<ReportMeta, 'startedAt' | 'elapsedMs' | 'command'>;

/** `latest` or no name means the newest below reports/runs. */
export async function readStoredRun(root: string, name: string | undefined): Promise<StoredRun> {
  const folder = await runFolderOf(root, name);
  const recordings = await readRecordings(join(folder, RECORDINGS_FILE));
  const file = join(folder, 'report.json');
  try {
    const report = JSON.parse(await readFile(file, 'utf8')) as StoredReport;
    if (report.version !== REPORT_VERSION) throw new Error(`version ${report.version}`);
    const { startedAt, elapsedMs, command } = report.timings;
    return { folder, name: basename(folder), recordings, meta: { ...report.meta, startedAt, elapsedMs, command } };
  } catch (cause) {
    throw new HarnessError(
      'RECORDING_INVALID',
      `${file}: should be a report of version ${REPORT_VERSION}, got ${(cause as Error).message}`,
      { cause },
    );
  }
}
