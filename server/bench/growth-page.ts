/** How the figures grow with the estate, as one self-contained page: a plot and its table for each kind of figure. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** One size of estate: `tools`, and any number of figures by name. */
export type Measured = { readonly tools: number } & Readonly<Record<string, number | undefined>>;

export interface Chart {
  title: string;
  caption: string;
  unit: string;
  /** Name of a figure → what the legend calls it. */
  lines: Readonly<Record<string, string>>;
}

const QUIET = {
  labelColor: 'var(--muted)',
  titleColor: 'var(--muted)',
  gridColor: 'var(--line)',
  domainColor: 'var(--line)',
  tickColor: 'var(--line)',
};
const COLOURS = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--series-4)'];

export async function writeGrowthPage(
  file: string,
  command: string,
  charts: readonly Chart[],
  sizes: readonly Measured[],
): Promise<void> {
  const bySize = sizes.toSorted((a, b) => a.tools - b.tools);
  const figures = await Promise.all(charts.map((chart) => figureOf(chart, bySize)));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page(command, figures));
}

async function figureOf(chart: Chart, sizes: readonly Measured[]): Promise<string> {
  const names = Object.entries(chart.lines);
  const values = sizes.flatMap((size) =>
    names.flatMap(([name, label]) =>
      size[name] === undefined ? [] : [{ tools: size.tools, value: size[name], label }],
    ),
  );
  const labels = names.map(([, label]) => label);
  const svg = await draw({
    data: { values },
    width: 440,
    height: 220,
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'tools', type: 'quantitative', title: 'tools', scale: { zero: true } },
      y: { field: 'value', type: 'quantitative', title: chart.unit, scale: { zero: true } },
      color: {
        field: 'label',
        type: 'nominal',
        title: null,
        scale: { domain: labels, range: COLOURS.slice(0, labels.length) },
        legend: { orient: 'top', labelColor: 'var(--ink)', labelLimit: 0 },
      },
    },
    config: { background: 'transparent', view: { stroke: null }, axis: QUIET },
  });
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell, i) => `<${tag}${i === 0 ? '' : ' class="n"'}>${cell}</${tag}>`).join('')}</tr>`;
  const rows = sizes.map((size) =>
    row([size.tools.toLocaleString('en'), ...names.map(([name]) => shown(size[name]))], 'td'),
  );
  return `<figure><figcaption><h2>${chart.title}</h2><p>${chart.caption}</p></figcaption>
<div>${svg}</div><table>${row(['tools', ...labels.map((label) => `${label}, ${chart.unit}`)], 'th')}${rows.join('')}</table></figure>`;
}

async function draw(spec: TopLevelSpec): Promise<string> {
  const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });
  return view.toSVG();
}

const shown = (value: number | undefined) =>
  value === undefined ? 'not measured' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function page(command: string, figures: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>What a large estate costs</title>
<style>
:root { color-scheme: light dark; --paper: #fbfaf8; --card: #fff; --ink: #1d2126; --muted: #626b76; --line: #e2e0da;
  --series-1: #3b6fd4; --series-2: #2f9e6e; --series-3: #c4701f; --series-4: #8a57c2; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --card: #1c2026; --ink: #e8eaed; --muted: #9aa4b0; --line: #30363e;
  --series-1: #7aa5ff; --series-2: #5fcf9e; --series-3: #e79a52; --series-4: #b78cf0; } }
* { box-sizing: border-box; } body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; } h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.05rem; margin: 0; }
p { color: var(--muted); margin: 0 0 12px; } code { font-size: .9em; } svg { max-width: 100%; height: auto; }
figure { margin: 0 0 16px; padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  display: grid; gap: 20px; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } figcaption { grid-column: 1 / -1; }
@media (max-width: 760px) { figure { grid-template-columns: minmax(0, 1fr); } }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; align-self: start; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); } th { color: var(--muted); font-weight: 500; }
.n { text-align: right; }
</style></head><body><main>
<h1>What a large estate costs</h1><p>Our platform and a public document taken in again and again under other names. Remade with <code>${command}</code>.</p>
${figures.join('\n')}
</main></body></html>
`;
}
