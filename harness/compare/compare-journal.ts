/**
 * The journal of a comparison: one file per subject and size below `var/`, one line per run, so that a kill loses one
 * run.
 */
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';
import { type Cell, isUnanswered, type Row } from './row.ts';

export interface CellJournal {
  rows: Row[];
  /** There once everything of the cell is measured. */
  cell: Cell | undefined;
  append: (row: Row) => void;
  finish: (cell: Cell) => Promise<void>;
}

/** Of one run among those of a cell. */
export const rowKey = ({ scenario, agent, seed }: Pick<Row, 'scenario' | 'agent' | 'seed'>): string =>
  `${scenario} ${agent} ${seed}`;

export async function openCell(folder: string, subject: string, size: string): Promise<CellJournal> {
  await mkdir(folder, { recursive: true });
  const files = filesOf(folder, subject, size);
  const { rows: stored, cell: whole } = await readCell(folder, subject, size);
  // An endpoint that was down is asked again.
  const rows = stored.filter((row) => !isUnanswered(row));
  const cell = rows.length < stored.length ? undefined : whole;
  if (cell === undefined) await rm(files.whole, { force: true });
  // Text after the last line break is an incomplete line. It must be cut before the next append.
  await writeAtomically(files.lines, rows.map(lineOf).join(''));
  return {
    rows,
    cell,
    append: (row) => {
      appendFileSync(files.lines, lineOf(row));
      rows.push(row);
    },
    finish: async (done) => {
      await writeAtomically(files.whole, `${JSON.stringify(done)}\n`);
    },
  };
}

/** The stored part of a cell. It writes nothing. */
export async function readCell(
  folder: string,
  subject: string,
  size: string,
): Promise<Pick<CellJournal, 'rows' | 'cell'>> {
  const { lines, whole } = filesOf(folder, subject, size);
  const text = await readFile(lines, 'utf8').catch(() => '');
  const cell = await readFile(whole, 'utf8')
    .then((json) => JSON.parse(json) as Cell)
    .catch(() => undefined);
  const rows = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
  return { rows, cell };
}

export const dropCells = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** The version of Node that measures: the rows are joined by whatever runs later. */
export async function noteRuntime(folder: string, node: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeAtomically(join(folder, RUNTIME), `${node}\n`);
}

export const readRuntime = async (folder: string): Promise<string> =>
  (await readFile(join(folder, RUNTIME), 'utf8').catch(() => 'unknown')).trim();

const RUNTIME = 'node-version';

function filesOf(folder: string, subject: string, size: string): { lines: string; whole: string } {
  return { lines: join(folder, `${size}.${subject}.jsonl`), whole: join(folder, `${size}.${subject}.json`) };
}

const lineOf = (row: Row): string => `${JSON.stringify(row)}\n`;
