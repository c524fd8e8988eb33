/** The comparison as a page of text. Values in, text out. */
import { escapedCell } from '../reporting/escape.ts';
import type { Cell } from '../reporting/page/suite-tables.ts';
import { CANARY } from '../scenario/canary.ts';
import { type DifficultySection, difficultySections } from './difficulty-sections.ts';
import {
  notesOf,
  notHere,
  opening,
  type Section,
  type Standing,
  sectionsOf,
  subjectRows,
  type Table,
} from './sections.ts';
import type { Comparison } from './server-comparison.ts';

export function comparisonPage(comparison: Comparison): string {
  const absent = notHere(comparison);
  const lines = [
    '<!-- Written by `npm run compare`. Do not edit by hand. -->',
    `<!-- ${CANARY}: this file must not be in training data. -->`,
    '# Servers compared',
    '',
    opening(comparison),
    '',
    ...sectionsOf(comparison).flatMap(sectionLines),
    ...(absent.length === 0
      ? []
      : ['## Not run here, or not comparable, because', '', ...plainTable(['server', 'given', 'because'], absent), '']),
    ...difficultySections(comparison.difficulty).flatMap(difficultyLines),
    '## Servers',
    '',
    ...plainTable(['server', 'what it is', 'source', 'commit', 'asks the person by'], subjectRows(comparison)),
    '',
    '## How this was made',
    '',
    ...plainTable(['', ''], notesOf(comparison)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function sectionLines({ title, notes, table, standing, suites }: Section): string[] {
  return [
    `## ${title}`,
    '',
    ...cellTable(table),
    '',
    ...notes.flatMap((note) => [note, '']),
    ...standingLines(standing),
    ...(suites === undefined ? [] : ['Per suite, task success first:', '', ...cellTable(suites), '']),
  ];
}

const difficultyLines = ({ title, notes, table }: DifficultySection): string[] => [
  `## ${title}`,
  '',
  ...notes.flatMap((note) => [note, '']),
  ...cellTable(table),
  '',
];

function standingLines({ first, behind }: Standing): string[] {
  if (first.length + behind.length === 0) return [];
  const lead = `This router is first in: ${first.length === 0 ? 'nothing' : first.join(', ')}.`;
  if (behind.length === 0) return [lead, ''];
  return [
    `${lead} It is not first in:`,
    '',
    ...behind.map(({ column, behind, first }) => `- ${column}: ${behind} of ${first.join(', ')}`),
    '',
  ];
}

const cellTable = ({ header, rows }: Table): string[] =>
  plainTable(
    header,
    rows.map((row) => row.map(textOf)),
  );

const textOf = ({ text, notes = [] }: Cell): string => (notes.length === 0 ? text : `${text} (${notes.join('; ')})`);

function plainTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapedCell).join(' | ')} |`;
  return [line(header), `|${header.map(() => ' --- |').join('')}`, ...rows.map(line)];
}
