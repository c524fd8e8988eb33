/** The comparison with plots: one page, no network, readable on a phone and in the dark. */
import { draw } from '../page/plots.ts';
import type { Comparison } from './comparison.ts';
import { type Entry, entriesAt, ROUTER } from './markdown.ts';
import { SIZE_TITLES } from './size.ts';
import { COLUMNS } from './table.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1c; --muted: #666; --line: #ddd; --paper: #fff; --series-1: #2b6cb0; --series-2: #a0aec0; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --muted: #aaa; --line: #444; --paper: #161616; --series-1: #63b3ed; --series-2: #718096; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 70rem; padding: 1rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; } figcaption { font-weight: 600; } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; } td, th { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
`;

export async function plottedPage(comparison: Comparison): Promise<string> {
  const sections = await Promise.all(
    comparison.sizes.map((size) => section(SIZE_TITLES[size], entriesAt(comparison, size))),
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Servers compared</title><style>${STYLE}</style></head>
<body>
<h1>Servers compared</h1>
<p>Commit ${escaped(comparison.commit ?? 'unknown')}, seed ${comparison.seed}. What was not run here, and why, stands in comparison.md. The router's own modes are blue.</p>
${sections.join('\n')}
</body>
</html>
`;
}

async function section(title: string, entries: readonly Entry[]): Promise<string> {
  if (entries.length === 0) return '';
  const figures: string[] = [];
  for (const [i, { title: column, better }] of COLUMNS.entries()) {
    const rows = entries.flatMap(({ subject, values }) =>
      typeof values[i] === 'number' ? [{ subject, value: values[i] }] : [],
    );
    if (rows.length === 0) continue;
    figures.push(
      `<figure><figcaption>${escaped(column)}, ${better} is better</figcaption>${await bars(rows)}</figure>`,
    );
  }
  return `<h2>Given ${escaped(title)}</h2>\n<div class="plots">${figures.join('\n')}</div>\n<div class="wide">${tableOf(entries)}</div>`;
}

function bars(rows: readonly { subject: string; value: number }[]): Promise<string> {
  const largest = Math.max(...rows.map(({ value }) => value));
  const smallest = Math.min(...rows.map(({ value }) => value));
  // Definitions differ by thousands: on a linear scale all but one would be nothing.
  const isWide = smallest > 0 && largest / smallest > 50;
  return draw({
    data: { values: rows.map((row) => ({ ...row, kind: row.subject.startsWith(ROUTER) ? 'own' : 'other' })) },
    width: 220,
    height: { step: 20 },
    mark: { type: 'bar', cornerRadiusEnd: 2 },
    encoding: {
      y: {
        field: 'subject',
        type: 'nominal',
        title: null,
        sort: rows.map(({ subject }) => subject),
        axis: { labelLimit: 220 },
      },
      x: {
        field: 'value',
        type: 'quantitative',
        title: isWide ? 'logarithmic' : null,
        ...(isWide ? { scale: { type: 'log' } } : {}),
        axis: { tickCount: 4 },
      },
      ...(isWide ? { x2: { datum: smallest / 2 } } : {}),
      color: {
        field: 'kind',
        type: 'nominal',
        scale: { domain: ['own', 'other'], range: ['var(--series-1)', 'var(--series-2)'] },
        legend: null,
      },
    },
  });
}

function tableOf(entries: readonly Entry[]): string {
  const head = ['server', ...COLUMNS.map(({ title }) => title)].map((cell) => `<th>${escaped(cell)}</th>`).join('');
  const rows = entries.map(({ subject, values }) => {
    const cells = COLUMNS.map(({ show }, i) => (typeof values[i] === 'number' ? show(values[i]) : '–'));
    return `<tr>${[subject, ...cells].map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
