/** A report that is run is on the list of its runs when it is done, and the report says when that was. */
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { newId } from '../stored-rows.ts';

const PLATFORM = 'mgmt';
const RUNS = 'report-runs';
const KEPT_MS = 30 * 86_400_000;
/** Of a report that was never run. */
const FIRST_RUN = { fileBytes: 240_000, pageCount: 4 };

function run(of: TaskCall, report: Subject | null): Values {
  if (report === null) return {};
  const now = isoSeconds(of.state.clock.ms);
  const runId = newId(of.state, PLATFORM, RUNS).uuid();
  const runs = of.state.rows(PLATFORM, RUNS).under([report.id]);
  const ready = runs.filter(({ value }) => value['runState'] === 'READY');
  const latest = ready.toSorted((a, b) => String(b.value['startedAt']).localeCompare(String(a.value['startedAt'])))[0];
  const { fileBytes, pageCount } = latest?.value ?? FIRST_RUN;
  const recipients = report.values['recipients'];
  addRow(of, RUNS, [report.id, runId], {
    runId,
    runState: 'READY',
    trigger: 'REQUEST',
    startedAt: now,
    finishedAt: now,
    expiresAt: isoSeconds(of.state.clock.ms + KEPT_MS),
    failReason: null,
    fileBytes: Number(fileBytes),
    pageCount: Number(pageCount),
    mailedTo: of.input['sendMail'] === true && Array.isArray(recipients) ? recipients.length : 0,
  });
  changeRow(of, 'reports', report.id, { lastRunState: 'READY', lastRunAt: now });
  return { runId, pages: Number(pageCount) };
}

/** By operation id in small letters. */
export const REPORT_DEEDS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['startreportrun', run],
]);
