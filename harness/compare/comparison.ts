/** A comparison as it is stored: what was asked, what was counted, and apart from that what depends on the machine. */
import type { Subject } from '../subject.ts';
import type { Cell, Row } from './row.ts';
import type { Size } from './size.ts';
import { type Comparable, comparability, type Score, type Speed, scoresOf, speedOf } from './table.ts';

export const COMPARISON_VERSION = 1;

export interface Measured {
  commit: string | null;
  methodology: string;
  seed: number;
  node: string;
  subjects: Pick<Subject, 'name' | 'about' | 'source' | 'confirmation'>[];
  sizes: Size[];
  suites: string[];
  cells: Cell[];
  rows: Row[];
}

export interface Comparison extends Omit<Measured, 'cells' | 'rows'> {
  version: typeof COMPARISON_VERSION;
  cells: (Omit<Cell, 'timings'> & { oracle?: Comparable })[];
  /** Of comparable subjects and of those that are not, which no chart shows. */
  scores: Score[];
  /** Everything above is the same in every run of the same commits; this is not. */
  timings: { subject: string; size: string; speed: Speed }[];
}

export function comparisonOf({ cells, rows, ...rest }: Measured): Comparison {
  // Of a cell that was cut off, what it had done by then says nothing about the rest.
  const of = (cell: Cell) =>
    cell.notRun === undefined ? rows.filter(({ subject, size }) => subject === cell.subject && size === cell.size) : [];
  const ordered = [...cells].sort(
    bySizeAndName(
      rest.sizes,
      rest.subjects.map(({ name }) => name),
    ),
  );
  return {
    version: COMPARISON_VERSION,
    ...rest,
    cells: ordered.map((cell) => {
      const { timings: _, ...kept } = cell;
      const own = of(cell);
      return own.length === 0 ? kept : { ...kept, oracle: comparability(own) };
    }),
    scores: ordered.flatMap((cell) => scoresOf(of(cell), rest.seed)),
    timings: ordered.flatMap((cell) => {
      const speed = speedOf(cell, rest.seed);
      return speed === undefined ? [] : [{ subject: cell.subject, size: cell.size, speed }];
    }),
  };
}

function bySizeAndName(sizes: readonly string[], names: readonly string[]) {
  const place = (cell: Cell) => sizes.indexOf(cell.size) * 1_000 + names.indexOf(cell.subject);
  return (a: Cell, b: Cell) => place(a) - place(b);
}
