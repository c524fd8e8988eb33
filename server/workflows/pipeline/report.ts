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
const LEGEND = '✓ done, – skipped, ✗ failed, … in progress, empty: not begun. Point at a sign to read what was done.';

function pageOf({ run, dry_run, made_at, devices }: Report): string {
  const rows = devices
    .map(({ serial, status, steps }) => {
      const cells = STAGES.map((stage) => stageCell(steps[stage]));
      return `<tr><th scope="row">${escapeMarkup(serial)}</th><td>${status}</td>${cells.join('')}<td>${escapeMarkup(failureOf(steps))}</td></tr>`;
    })
    .join('');
  const heads = ['switch', 'status', ...STAGES, 'what went wrong']
    .map((head) => `<th scope="col">${head}</th>`)
    .join('');
  const body = `<main><h1>Switch migration</h1><p>${escapeMarkup(run)}, ${escapeMarkup(made_at)}${dry_run ? ', a dry run: nothing was changed' : ''}</p>
<p>${LEGEND}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Switches and stages"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div></main>`;
  return htmlPage({ title: `Switch migration ${run}`, style: STYLE, body });
}

function stageCell({ status, message }: DeviceResult['steps'][(typeof STAGES)[number]]): string {
  const said = escapeMarkup(message === '' ? status : `${status}: ${message}`);
  const sign = SIGNS[status] ?? '';
  return sign === '' ? '<td></td>' : `<td><span role="img" aria-label="${said}" title="${said}">${sign}</span></td>`;
}

const STYLE =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:1rem}.scroll{overflow-x:auto}table{border-collapse:collapse}td,th{border:1px solid #8886;padding:.3rem .6rem;text-align:left;vertical-align:top}td:last-child{min-width:14rem;overflow-wrap:anywhere}';
