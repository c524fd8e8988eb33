/** What a pipeline did, as a table for spreadsheets, as JSON for programs, and as a page for people. */
import { escapeMarkup } from '../../markup/escape.ts';
import { htmlPage } from '../../markup/html-page.ts';
import { writeTable } from '../csv.ts';
import type { DeviceResult } from './pipeline.ts';
import { STAGES } from './stages.ts';

export const FORMATS = ['csv', 'json', 'html'] as const;
export type Format = (typeof FORMATS)[number];

export interface Report {
  run: string;
  dry_run: boolean;
  made_at: string;
  devices: readonly DeviceResult[];
}

export function reportText(report: Report, format: Format): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  return format === 'csv' ? csvOf(report) : pageOf(report);
}

function csvOf({ devices }: Report): string {
  const columns = ['serial_number', 'status', ...STAGES, 'message'];
  return writeTable(
    columns,
    devices.map(({ serial, status, steps }) => ({
      serial_number: serial,
      status,
      ...Object.fromEntries(STAGES.map((stage) => [stage, steps[stage].status])),
      message: failureOf(steps),
    })),
  );
}

const failureOf = (steps: DeviceResult['steps']): string =>
  STAGES.flatMap((stage) => (steps[stage].status === 'failed' ? [`${stage}: ${steps[stage].message}`] : [])).join('; ');

const SIGNS: Readonly<Record<string, string>> = {
  success: '✓',
  skipped: '–',
  failed: '✗',
  in_progress: '…',
  pending: '',
};

function pageOf({ run, dry_run, made_at, devices }: Report): string {
  const rows = devices
    .map(({ serial, status, steps }) => {
      const cells = STAGES.map(
        (stage) => `<td title="${escapeMarkup(steps[stage].message)}">${SIGNS[steps[stage].status] ?? ''}</td>`,
      );
      return `<tr><th>${escapeMarkup(serial)}</th><td>${status}</td>${cells.join('')}<td>${escapeMarkup(failureOf(steps))}</td></tr>`;
    })
    .join('');
  const heads = STAGES.map((stage) => `<th>${stage}</th>`).join('');
  const body = `<h1>Switch migration</h1><p>${escapeMarkup(run)}, ${escapeMarkup(made_at)}${dry_run ? ', a dry run: nothing was changed' : ''}</p>
<table><thead><tr><th>switch</th><th>status</th>${heads}<th>what went wrong</th></tr></thead><tbody>${rows}</tbody></table>`;
  return htmlPage({ title: `Switch migration ${run}`, style: STYLE, body });
}

const STYLE =
  'body{font:15px/1.5 system-ui;margin:2rem}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.3rem .6rem;text-align:left}';
