/** A report as one self-contained page: plots of what matters, and every figure beside them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { escapeMarkup } from '../../../markup/escape.ts';
import { COLOURS, draw, pageOf, QUIET, shown } from '../bench-page.ts';
import { type Figures, LABELS } from './find-figures.ts';
import type { PartReport, QuestionSetReport, Report } from './find-report.ts';
import { percent } from './find-table.ts';

type Cell = string | number | undefined;

export async function writeFindPage(file: string, command: string, report: Report): Promise<void> {
  const figures: string[] = [];
  for (const questionSet of report.questionSets)
    for (const part of questionSet.parts) figures.push(await questionSetFigure(questionSet, part));
  const own = report.questionSets[0];
  for (const part of own?.parts ?? []) figures.push(await platformFigure(part));
  if (report.growth.length > 0) {
    figures.push(await growthFigure(report, 'r1', 'Right tool first, among more and more tools', 'R@1, %', 100));
    figures.push(await growthFigure(report, 'p95Ms', 'Time of a search, among more and more tools', 'ms at p95', 1));
  }
  if (report.speeds.length > 0) figures.push(speedFigure(report));
  figures.push(safetyFigure(report));
  const lead = `The ranker of this project beside five libraries that get the same tools, texts, analyser and, where they take them, weights, and beside plain BM25 over what a client is shown. Remade with <code>${command}</code>.`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, pageOf('Finding the right tool', lead, figures));
}

function figure(title: string, caption: string, plot: string, table: string): string {
  return `<figure class="wide"><figcaption><h2>${escapeMarkup(title)}</h2><p>${escapeMarkup(caption)}</p></figcaption>\n${plot === '' ? '' : `<div>${plot}</div>`}${table}</figure>`;
}

function tableOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell, i) => `<${tag}${i === 0 ? '' : ' class="n"'}>${typeof cell === 'string' ? escapeMarkup(cell) : shown(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${line(head, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table>`;
}

const FIGURES = ['r1', 'r5', 'all10', 'ndcg10', 'escalation', 'writeForRead'] as const;
const HEAD = FIGURES.map((name) => LABELS[name]);
const shares = (figures: Figures) => FIGURES.map((name) => percent(figures[name]));

async function questionSetFigure({ id, tools }: QuestionSetReport, part: PartReport): Promise<string> {
  const titles = part.rows.map(({ title }) => title);
  const plot = await draw({
    data: {
      values: part.rows.flatMap(({ title, figures }) => [
        { title, at: 'R@1', share: figures.r1 * 100 },
        { title, at: 'R@5', share: figures.r5 * 100 },
      ]),
    },
    width: 360,
    height: { step: 13 },
    mark: 'bar',
    encoding: {
      y: { field: 'title', type: 'nominal', title: null, sort: titles },
      yOffset: { field: 'at', type: 'nominal' },
      x: { field: 'share', type: 'quantitative', title: 'per cent', scale: { domain: [0, 100] } },
      color: {
        field: 'at',
        type: 'nominal',
        title: null,
        scale: { domain: ['R@1', 'R@5'], range: COLOURS.slice(0, 2) },
        legend: { orient: 'top', labelColor: 'var(--ink)' },
      },
    },
    config: { background: 'transparent', view: { stroke: null }, axis: QUIET },
  });
  const leads = part.leads.map(
    ({ figure: name, than, difference, low, high }) =>
      `${LABELS[name]} ${percent(difference)} points over ${than} (95 % bootstrap interval ${percent(low)} to ${percent(high)})`,
  );
  const caption = `${part.rows[0]?.figures.queries} questions on ${tools.toLocaleString('en')} tools. ${leads.join('; ')}.`;
  const tableOfRows = (engine: string, rows: PartReport['rows']) =>
    tableOf(
      [engine, ...HEAD],
      rows.map(({ title, figures }) => [title, ...shares(figures)]),
    );
  const table = part.written
    ? `${tableOfRows('by what readers judged right', part.rows)}${tableOfRows("by the writer's own answers only", part.written.rows)}`
    : tableOfRows('engine', part.rows);
  return figure(`${id}, ${part.part} part`, caption, plot, table);
}

async function platformFigure({ part, traits }: PartReport): Promise<string> {
  const groups = Object.entries(traits).flatMap(([, values]) => Object.entries(values));
  const platforms = Object.entries(traits.platform);
  const plot = await draw({
    data: { values: platforms.map(([name, figures]) => ({ name, share: figures.r5 * 100 })) },
    width: 360,
    height: { step: 20 },
    mark: { type: 'bar', color: COLOURS[0] as string },
    encoding: {
      y: { field: 'name', type: 'nominal', title: null, sort: platforms.map(([name]) => name) },
      x: { field: 'share', type: 'quantitative', title: 'R@5, %', scale: { domain: [0, 100] } },
    },
    config: { background: 'transparent', view: { stroke: null }, axis: QUIET },
  });
  return figure(
    `Ours by platform, by what is asked for, by wording and style, ${part} part`,
    'Explicit questions say in technical words what is wanted; fuzzy ones are as people say them in a hurry.',
    plot,
    tableOf(
      ['questions', 'asked', ...HEAD],
      groups.map(([name, figures]) => [name, String(figures.queries), ...shares(figures)]),
    ),
  );
}

async function growthFigure(
  { growth }: Report,
  field: 'r1' | 'p95Ms',
  title: string,
  unit: string,
  times: number,
): Promise<string> {
  const titles = [...new Set(growth.map((grown) => grown.title))];
  const sizes = [...new Set(growth.map(({ tools }) => tools))];
  const plot = await draw({
    data: { values: growth.map((grown) => ({ ...grown, value: Math.max(grown[field] * times, 0.001) })) },
    width: 360,
    height: 240,
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'tools', type: 'quantitative', title: 'tools', scale: { type: 'log' }, axis: { values: sizes } },
      y: {
        field: 'value',
        type: 'quantitative',
        title: unit,
        scale: { type: field === 'p95Ms' ? 'log' : 'linear' },
        axis: { tickCount: 5 },
      },
      color: {
        field: 'title',
        type: 'nominal',
        title: null,
        scale: { domain: titles, range: COLOURS.slice(0, titles.length) },
        legend: { orient: 'top', columns: 4, labelColor: 'var(--ink)', labelLimit: 0 },
      },
    },
    config: { background: 'transparent', view: { stroke: null }, axis: QUIET },
  });
  const rows = titles.map((name) => [
    name,
    ...sizes.map((size) => {
      const found = growth.find((grown) => grown.tools === size && grown.title === name);
      return found ? shown(found[field] * times) : '–';
    }),
  ]);
  const caption =
    'The same questions each time; what is added is the rest of our installation, then a public document under other names.';
  return figure(title, caption, plot, tableOf([unit, ...sizes.map((size) => size.toLocaleString('en'))], rows));
}

function speedFigure({ speeds }: Report): string {
  return figure(
    'Time',
    'In one process, over many questions by turns; building is from the tools in memory.',
    '',
    tableOf(
      ['engine', 'p50 ms', 'p95 ms', 'build ms'],
      speeds.map(({ title, p50Ms, p95Ms, buildMs }) => [title, p50Ms, p95Ms, buildMs]),
    ),
  );
}

function safetyFigure({ attacks, refusals, reachability, gate }: Report): string {
  const won = attacks.filter(({ succeeded }) => succeeded).length;
  const kinds = [...Map.groupBy(refusals, ({ kind }) => kind)].map(([kind, own]) => [
    `${kind}: said so`,
    `${own.filter(({ said }) => said).length} of ${own.length}`,
  ]);
  const reach = Object.entries(reachability ?? {}).map(([name, { asked, top1, top5 }]) => [
    `tools by their own ${name}: first, among five`,
    `${percent(top1)} %, ${percent(top5)} % of ${asked}`,
  ]);
  const goals = gate.map(({ name, count, of, goal, reached, bound, kind }) => [
    `${reached ? 'reached' : 'not yet'}: ${name}`,
    `${count} of ${of} (goal ${kind === 'least' ? 'at least' : 'at most'} ${goal}, kept ${bound})`,
  ]);
  return figure(
    'Attacks, refusals, reach and goals',
    'Goals are counted on the published part.',
    '',
    tableOf(['what', 'count'], [['look-alikes that won', `${won} of ${attacks.length}`], ...kinds, ...reach, ...goals]),
  );
}
