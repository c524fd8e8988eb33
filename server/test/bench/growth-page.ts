/** How the figures grow with the installation, as one self-contained page: a plot and its table for each kind of figure. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { COLOURS, draw, pageOf, QUIET, shown } from './bench-page.ts';

/** One size of installation: `tools`, and any number of figures by name. */
export type Measured = { readonly tools: number } & Readonly<Record<string, number | undefined>>;

export interface Chart {
  title: string;
  caption: string;
  unit: string;
  /** Name of a figure → what the legend calls it. */
  lines: Readonly<Record<string, string>>;
}

export async function writeGrowthPage(
  file: string,
  command: string,
  charts: readonly Chart[],
  sizes: readonly Measured[],
): Promise<void> {
  const bySize = sizes.toSorted((a, b) => a.tools - b.tools);
  const figures = await Promise.all(charts.map((chart) => figureOf(chart, bySize)));
  mkdirSync(dirname(file), { recursive: true });
  const lead = `Our platform and a public document taken in again and again under other names. Remade with <code>${command}</code>.`;
  writeFileSync(file, pageOf('What a large installation costs', lead, figures));
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
