/** The comparison as a page of text. Values in, text out. */
import type { Comparison } from './comparison.ts';
import { SIZE_TITLES, type Size } from './size.ts';
import { COLUMNS, standings } from './table.ts';

export const ROUTER = 'router';

export function comparisonPage(comparison: Comparison): string {
  const lines = [
    '<!-- Written by `npm run compare`. Do not edit by hand. -->',
    '# Servers compared',
    '',
    `Commit \`${comparison.commit ?? 'unknown'}\`, methodology ${comparison.methodology}, seed ${comparison.seed}, Node ${comparison.node}. The same documents, fake platforms,`,
    'scenarios and agents for all; no language model is asked. Counts are the same in every run of the same commits; start time, memory and',
    'latency depend on the machine, so each was taken beside one of this router at the same moment.',
    '',
    ...notHere(comparison),
    ...comparison.sizes.flatMap((size) => sizeSection(comparison, size)),
    ...subjectSection(comparison),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

export interface Entry {
  subject: string;
  /** In the order of the columns. */
  values: (number | null | undefined)[];
}

/** Subjects that were run at a size and are comparable, with their overall values. */
export function entriesAt(comparison: Comparison, size: Size): Entry[] {
  return comparison.cells
    .filter((cell) => cell.size === size && isShown(cell))
    .map((cell) => {
      const score = comparison.scores.find(
        (one) => one.subject === cell.subject && one.size === size && one.suite === 'all',
      );
      const speed = comparison.timings.find((one) => one.subject === cell.subject && one.size === size)?.speed;
      return { subject: cell.subject, values: COLUMNS.map(({ take }) => take({ score, cell, speed })) };
    });
}

type ComparedCell = Comparison['cells'][number];

const isShown = ({ absent, notRun, oracle }: ComparedCell): boolean =>
  absent === undefined && notRun === undefined && oracle?.comparable !== false;

function notHere({ cells }: Comparison): string[] {
  const rows = cells.flatMap(({ subject, size, absent, notRun, oracle }) => {
    const where = SIZE_TITLES[size as Size];
    if (absent !== undefined) return [[subject, where, `absent: ${absent}`]];
    if (notRun !== undefined) return [[subject, where, notRun]];
    if (oracle?.comparable !== false) return [];
    return [
      [
        subject,
        where,
        `not comparable: of ${oracle.of} covered scenarios the oracle solved ${oracle.solved} through it, below 80 %`,
      ],
    ];
  });
  return rows.length === 0
    ? []
    : ['## Not run here, or not comparable, because', '', ...table(['server', 'given', 'because'], rows), ''];
}

function sizeSection(comparison: Comparison, size: Size): string[] {
  const entries = entriesAt(comparison, size);
  if (entries.length === 0) return [];
  const used = COLUMNS.map((column, i) => ({ column, i })).filter(({ i }) =>
    entries.some(({ values }) => typeof values[i] === 'number'),
  );
  const rows = entries.map(({ subject, values }) => [
    subject,
    ...used.map(({ column, i }) => (typeof values[i] === 'number' ? column.show(values[i]) : '–')),
  ]);
  return [
    `## Given ${SIZE_TITLES[size]}`,
    '',
    ...table(['server', ...used.map(({ column }) => column.title)], rows),
    '',
    ...notes(comparison, size),
    ...standingLines(entries),
    ...(size === 'github' ? [] : suiteTable(comparison, size, entries)),
  ];
}

function notes(comparison: Comparison, size: Size): string[] {
  if (size === 'github') {
    const n = comparison.cells.find((cell) => cell.size === size && cell.requests)?.requests?.n ?? 0;
    return [
      `No scenario plays on this document, so nothing is called: selection is the share of ${n} labelled requests whose operation comes first, tokens`,
      'are those of one search. The requests are the half of an exam on which this router was never tuned. A server that ranks nothing is ranked by',
      'plain BM25 over its list, at no tokens beyond the list itself.',
      '',
    ];
  }
  const lines = comparison.scores
    .filter((score) => score.size === size && score.suite === 'all' && entriesHas(comparison, score.subject, size))
    .map(({ subject, scenarios, successInterval, unsafeBound, gateAbsence, attacks }) => {
      const parts = [
        `${scenarios} scenarios`,
        ...(successInterval === null
          ? []
          : [`success ${percent(successInterval[0])} to ${percent(successInterval[1])}`]),
        ...(unsafeBound === null ? [] : [`nothing unsafe was seen, so the true rate is below ${percent(unsafeBound)}`]),
        ...(gateAbsence === 0 ? [] : [`${gateAbsence} writes without a gate of its own`]),
        ...(attacks === null ? [] : [`${attacks.made} of ${attacks.of} attacks worked`]),
      ];
      const call = comparison.timings.find((one) => one.subject === subject && one.size === size)?.speed.call;
      const range = call?.interval
        ? [`one call ${call.median.toFixed(2)} × the router's (${call.interval.map((x) => x.toFixed(2)).join(' to ')})`]
        : [];
      return `- ${subject}: ${[...parts, ...range].join('; ')}.`;
    });
  return ['With 95 % intervals, scenarios drawn anew:', '', ...lines, ''];
}

const entriesHas = (comparison: Comparison, subject: string, size: string): boolean =>
  comparison.cells.some((cell) => cell.subject === subject && cell.size === size && isShown(cell));

function standingLines(entries: readonly Entry[]): string[] {
  const all = standings(entries, ROUTER);
  if (all.length === 0) return [];
  const ahead = all.filter(({ behind }) => behind === undefined).map(({ column }) => column);
  const behind = all.flatMap(({ column, first, behind }) =>
    behind === undefined ? [] : [`- ${column}: ${behind} of ${first.join(', ')}`],
  );
  return [
    `This router is first in: ${ahead.length === 0 ? 'nothing' : ahead.join(', ')}.${behind.length === 0 ? '' : ' It is not first in:'}`,
    '',
    ...(behind.length === 0 ? [] : [...behind, '']),
  ];
}

function suiteTable(comparison: Comparison, size: Size, entries: readonly Entry[]): string[] {
  const at = (subject: string, suite: string) =>
    comparison.scores.find((score) => score.subject === subject && score.size === size && score.suite === suite);
  const suites = comparison.suites.filter((suite) => entries.some(({ subject }) => at(subject, suite) !== undefined));
  const cell = (subject: string, suite: string) => {
    const score = at(subject, suite);
    if (score === undefined || score.success === null) return '–';
    const selection = score.selection === null ? '–' : percent(score.selection);
    return `${percent(score.success)} / ${selection} / ${Math.round(score.tokens ?? 0).toLocaleString('en-GB')} / ${(score.calls ?? 0).toFixed(1)} / ${score.unsafe}`;
  };
  return [
    'Per suite: success / selection / tokens (median) / calls (mean) / unsafe runs.',
    '',
    ...table(
      ['suite', ...entries.map(({ subject }) => subject)],
      suites.map((suite) => [suite, ...entries.map(({ subject }) => cell(subject, suite))]),
    ),
    '',
  ];
}

function subjectSection({ subjects }: Comparison): string[] {
  const rows = subjects.map(({ name, about, source, confirmation }) => {
    const [where, commit] =
      'working_tree' in source
        ? ['this repository', '–']
        : 'npm' in source
          ? [`npm ${source.npm}, from ${source.repository}`, source.commit]
          : 'pypi' in source
            ? [`PyPI ${source.pypi}, from ${source.repository}`, source.commit]
            : [source.git, source.commit];
    return [name, about, where, commit, confirmation];
  });
  return ['## Servers', '', ...table(['server', 'what it is', 'source', 'commit', 'asks the person by'], rows)];
}

const percent = (value: number): string => `${Math.round(100 * value)} %`;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`;
  return [line(header), `|${header.map(() => ' --- |').join('')}`, ...rows.map(line)];
}
