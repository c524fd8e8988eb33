/** What a comparison has measured so far: one file per subject and size below `var/`, a line per run, so that a kill loses one run. */
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cell, Row } from './row.ts';

export interface CellJournal {
  rows: Row[];
  /** There once everything of the cell is measured. */
  cell: Cell | undefined;
  append: (row: Row) => void;
  finish: (cell: Cell) => Promise<void>;
}

export async function openCell(folder: string, subject: string, size: string): Promise<CellJournal> {
  await mkdir(folder, { recursive: true });
  const [lines, whole] = [join(folder, `${size}.${subject}.jsonl`), join(folder, `${size}.${subject}.json`)];
  const rows = await readWholeLines(lines);
  const cell = await readFile(whole, 'utf8')
    .then((text) => JSON.parse(text) as Cell)
    .catch(() => undefined);
  // What follows the last line break is torn, and nothing may be appended to it.
  await writeFile(lines, rows.map(lineOf).join(''));
  return {
    rows,
    cell,
    append: (row) => {
      appendFileSync(lines, lineOf(row));
      rows.push(row);
    },
    finish: async (done) => {
      await writeFile(`${whole}.new`, `${JSON.stringify(done)}\n`);
      await rename(`${whole}.new`, whole);
    },
  };
}

export const dropCells = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const lineOf = (row: Row): string => `${JSON.stringify(row)}\n`;

async function readWholeLines(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}
