/** The comparison with plots: one page, no network, readable on a phone and in the dark. Says all that the text says. */
import { escapedAttribute, escapedText } from '../reporting/escape.ts';
import { readPalette } from '../reporting/page/palette.ts';
import { draw } from '../reporting/page/plots.ts';
import { CANARY } from '../scenario/canary.ts';
import { type DifficultySection, difficultySections } from './difficulty-sections.ts';
import {
  notesOf,
  notHere,
  opening,
  ROUTER,
  type Section,
  type Shown,
  type Standing,
  sectionsOf,
  subjectRows,
  type Table,
  usedColumns,
} from './sections.ts';
import type { Comparison } from './server-comparison.ts';

const STYLE = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 1.6rem; margin: 0 0 8px; } h2 { font-size: 1.2rem; margin: 40px 0 12px; } h3 { font-size: 1rem; margin: 20px 0 6px; }
p, li, td { overflow-wrap: anywhere; } small, .muted { color: var(--muted); } a { color: inherit; text-decoration-color: var(--muted); }
nav a { display: inline-block; border: 1px solid var(--line); border-radius: 99px; padding: 3px 12px; margin: 0 6px 6px 0; text-decoration: none; background: var(--card); }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 7px 12px; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; } th { color: var(--muted); font-weight: 500; }
.numbers td, .numbers th { white-space: nowrap; } .numbers th:first-child, .numbers td:first-child { position: sticky; left: 0; background: var(--card); font-weight: 600; white-space: normal; overflow-wrap: normal; min-width: 6.5rem; max-width: 9rem; }
.numbers small { display: block; } .own td { background: var(--good-bg); } .numbers .own td:first-child { background: var(--good-bg); }
.standing { border-left: 6px solid var(--good); background: var(--good-bg); border-radius: 8px; padding: 12px 16px; margin: 0 0 16px; }
.standing p { margin: 0; } .standing ul { margin: 6px 0 0; padding-left: 1.2em; }
.list { list-style: none; margin: 0; padding: 0; } .list li { padding: 8px 0; border-top: 1px solid var(--line); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 16px; margin: 16px 0; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px; min-width: 0; } figcaption { font-weight: 600; margin-bottom: 6px; }
summary { cursor: pointer; padding: 6px 0; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 16px 0; font-size: .9rem; } dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
`;

export async function plottedPage(comparison: Comparison): Promise<string> {
  const sections = sectionsOf(comparison);
  const parts = await Promise.all(sections.map(sectionPart));
  const difficulty = difficultySections(comparison.difficulty);
  return `<!doctype html>
<html lang="en">
<!-- ${CANARY}: this file must not be in training data. -->
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Servers compared</title>
<style>
${await readPalette()}${STYLE}</style></head>
<body><main>
<h1>Servers compared</h1>
<p>${escapedText(opening(comparison))}</p>
<p class="muted">Commit ${escapedText(comparison.commit ?? 'unknown')}</p>
<nav>${[...sections.map(({ title }, i) => link(anchorOf(i), title)), ...difficulty.map(({ title }, i) => link(`difficulty-${i + 1}`, title)), link('not-here', 'Not run here'), link('servers', 'Servers'), link('made', 'How this was made')].join('')}</nav>
${parts.map((part, i) => `<section id="${anchorOf(i)}">${part}</section>`).join('\n')}
${difficulty.map(difficultyPart).join('\n')}
${notHerePart(comparison)}
${serversPart(comparison)}
${madePart(comparison)}
</main></body>
</html>
`;
}

const anchorOf = (i: number): string => `size-${i + 1}`;
const link = (anchor: string, title: string): string => `<a href="#${anchor}">${escapedText(title)}</a>`;

function notHerePart(comparison: Comparison): string {
  const rows = notHere(comparison).map(
    ([server = '', where = '', because = '']) =>
      `<li><b>${escapedText(server)}</b>, given ${escapedText(where)}: ${escapedText(because)}</li>`,
  );
  const list = rows.length === 0 ? '<p>Everything was run.</p>' : `<ul class="list">${rows.join('')}</ul>`;
  return `<section id="not-here"><h2>Not run here, or not comparable, because</h2>${list}</section>`;
}

async function sectionPart({ title, notes, entries, table, standing, suites }: Section): Promise<string> {
  return [
    `<h2>${escapedText(title)}</h2>`,
    standingPart(standing),
    `<div class="plots">${(await figures(entries)).join('\n')}</div>`,
    tablePart(title, table),
    ...notes.map((note) => `<p><small>${escapedText(note)}</small></p>`),
    suites === undefined
      ? ''
      : `<details open><summary>Per suite: task success, and beneath it the rest</summary>${tablePart(`${title}, per suite`, suites)}</details>`,
  ].join('\n');
}

function difficultyPart({ title, notes, table }: DifficultySection, i: number): string {
  const paragraphs = notes.map((note) => `<p>${escapedText(note)}</p>`).join('\n');
  return `<section id="difficulty-${i + 1}"><h2>${escapedText(title)}</h2>
${paragraphs}
<details><summary>Every scenario, the hardest first</summary>${tablePart(title, table)}</details></section>`;
}

function standingPart({ first, behind }: Standing): string {
  if (first.length + behind.length === 0) return '';
  const items = behind.map(
    ({ column, behind, first }) =>
      `<li><b>${escapedText(column)}</b>: ${escapedText(`${behind} of ${first.join(', ')}`)}</li>`,
  );
  const rest = items.length === 0 ? '' : `<p>It is not first in:</p><ul>${items.join('')}</ul>`;
  return `<div class="standing"><p>This router is first in: <b>${escapedText(first.join(', ') || 'nothing')}</b>.</p>${rest}</div>`;
}

function tablePart(title: string, { header, rows }: Table): string {
  const head = header.map((cell) => `<th scope="col">${escapedText(cell)}</th>`).join('');
  const body = rows.map((row) => {
    const cells = row.map(({ text, notes = [] }) => {
      const beneath = notes.map((note) => `<small>${escapedText(note)}</small>`).join('');
      return `<td>${escapedText(text)}${beneath}</td>`;
    });
    return `<tr${row[0]?.text === ROUTER ? ' class="own"' : ''}>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapedAttribute(title)}"><table class="numbers"><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function serversPart(comparison: Comparison): string {
  const items = subjectRows(comparison).map(
    ([name = '', about = '', source = '', commit = '', confirmation = '']) =>
      `<li><b>${escapedText(name)}</b>: ${escapedText(about)}<br><small>${escapedText(source)}${commit === '–' ? '' : `, commit ${escapedText(commit)}`}; asks the person by: ${escapedText(confirmation)}</small></li>`,
  );
  return `<section id="servers"><h2>Servers</h2><ul class="list">${items.join('')}</ul></section>`;
}

function madePart(comparison: Comparison): string {
  const notes = notesOf(comparison).map(
    ([name = '', value = '']) => `<dt>${escapedText(name)}</dt><dd>${escapedText(value)}</dd>`,
  );
  return `<section id="made"><h2>How this was made</h2><dl>${notes.join('')}</dl></section>`;
}

interface Bar {
  subject: string;
  value: number;
  low?: number;
  high?: number;
}

async function figures(entries: readonly Shown[]): Promise<string[]> {
  const drawn: string[] = [];
  for (const { column, i } of usedColumns(entries)) {
    if (column.better === undefined) continue;
    const bars = entries.flatMap(({ subject, values, intervals }): Bar[] => {
      const [value, interval] = [values[i], intervals[i]];
      if (typeof value !== 'number') return [];
      return [{ subject, value, ...(interval ? { low: interval[0], high: interval[1] } : {}) }];
    });
    const caption = `${column.title}, ${column.better} is better`;
    drawn.push(
      `<figure><figcaption>${escapedText(caption)}</figcaption><div role="img" aria-label="${escapedAttribute(caption)}">${await barsOf(bars)}</div></figure>`,
    );
  }
  return drawn;
}

function barsOf(bars: readonly Bar[]): Promise<string> {
  const largest = Math.max(...bars.map(({ value }) => value));
  const smallest = Math.min(...bars.map(({ value }) => value));
  // Definitions differ by thousands: on a linear scale all but one would be nothing.
  const isWide = smallest > 0 && largest / smallest > 50;
  const scale = isWide ? { scale: { type: 'log' } } : {};
  return draw({
    data: { values: bars.map((bar) => ({ ...bar, kind: bar.subject.startsWith(ROUTER) ? 'own' : 'other' })) },
    width: 200,
    height: { step: 20 },
    encoding: {
      y: {
        field: 'subject',
        type: 'nominal',
        title: null,
        sort: bars.map(({ subject }) => subject),
        axis: { labelLimit: 220 },
      },
    },
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 2 },
        encoding: {
          x: {
            field: 'value',
            type: 'quantitative',
            title: isWide ? 'logarithmic' : null,
            ...scale,
            axis: { tickCount: 4 },
          },
          ...(isWide ? { x2: { datum: smallest / 2 } } : {}),
          color: {
            field: 'kind',
            type: 'nominal',
            scale: { domain: ['own', 'other'], range: ['var(--series-1)', 'var(--series-3)'] },
            legend: null,
          },
        },
      },
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule', aria: false, color: 'var(--ink)', opacity: 0.55 },
        encoding: { x: { field: 'low', type: 'quantitative', ...scale }, x2: { field: 'high' } },
      },
    ],
  });
}
