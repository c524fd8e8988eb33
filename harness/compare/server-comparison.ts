/** A comparison as it is stored: what was asked, what was counted, and apart from that what depends on the machine. */
import type { Endpoint, EndpointSettings } from '../llm/endpoint.ts';
import type { Subject } from '../subject/subject.ts';
import type { Cell, Row } from './row.ts';
import { type Difficulty, difficultyOf } from './scenario-difficulty.ts';
import type { Size } from './size.ts';
import { type Comparable, comparability, type Score, type Speed, scoresOf, speedOf } from './subject-score.ts';

export const COMPARISON_VERSION = 2;

/** The settings that all cells of a comparison share. A change of one makes another comparison. */
export interface Asked {
  commit: string | null;
  methodology: string;
  /** Seeds seed … seed + runs − 1, each scenario once with each. */
  seed: number;
  runs: number;
  agents: string[];
  /** Of the agents that ask a language model, where there is one. */
  model?: EndpointSettings & Partial<Pick<Endpoint, 'seed' | 'extraBody'>>;
  suites: string[];
  timings: boolean;
}

export interface Measured extends Asked {
  node: string;
  subjects: Pick<Subject, 'name' | 'about' | 'source' | 'confirmation'>[];
  sizes: Size[];
  cells: Cell[];
  rows: Row[];
}

/** The rows that a comparison is made of, where they are stored with a version. */
export interface Recorded {
  release: string;
  /** Of the rows before compression. */
  sha256: string;
}

export interface Comparison extends Omit<Measured, 'cells' | 'rows' | 'timings'> {
  version: typeof COMPARISON_VERSION;
  recorded?: Recorded;
  /** The initial state of the fake depends on its platforms, so each size has its own. */
  fixtures: (Row['fixture'] & { size: string })[];
  /** The endpoint's own description, if a model was used. */
  answered?: { as: string[]; fingerprints: string[]; seedHonoured: string; requests: number; retries: number };
  cells: (Omit<Cell, 'timings'> & { oracle?: Comparable })[];
  /** Per size on which scenarios play. */
  difficulty: Difficulty[];
  /** Of comparable subjects and of those that are not, which no chart shows. */
  scores: Score[];
  /** Everything above is the same in every run of the same commits; this is not. */
  timings: { subject: string; size: string; speed: Speed }[];
}

export function comparisonOf({ cells, rows, timings: _, ...rest }: Measured, recorded?: Recorded): Comparison {
  // Of a cell that was cut off, what it had done by then says nothing about the rest.
  const of = (cell: Cell) =>
    cell.notRun === undefined ? rows.filter(({ subject, size }) => subject === cell.subject && size === cell.size) : [];
  const ordered = inOrder(cells, rest);
  const whole = ordered.flatMap(of);
  const answered = answeredIn(rows);
  return {
    version: COMPARISON_VERSION,
    ...(recorded === undefined ? {} : { recorded }),
    ...rest,
    fixtures: fixturesOf(rows, rest.sizes),
    ...(answered === undefined ? {} : { answered }),
    cells: ordered.map((cell) => {
      const { timings: _, ...kept } = cell;
      const own = of(cell);
      return own.length === 0 ? kept : { ...kept, oracle: comparability(own) };
    }),
    difficulty: difficultyOf(whole, rest.sizes),
    scores: ordered.flatMap((cell) => scoresOf(of(cell), rest.seed)),
    timings: ordered.flatMap((cell) => {
      const speed = speedOf(cell, rest.seed);
      return speed === undefined ? [] : [{ subject: cell.subject, size: cell.size, speed }];
    }),
  };
}

/** By size, then by subject, whichever was measured first. */
export function inOrder(cells: readonly Cell[], { sizes, subjects }: Pick<Measured, 'sizes' | 'subjects'>): Cell[] {
  const names = subjects.map(({ name }) => name);
  const place = (cell: Cell) => sizes.indexOf(cell.size as Size) * 1_000 + names.indexOf(cell.subject);
  return [...cells].sort((a, b) => place(a) - place(b));
}

function fixturesOf(rows: readonly Row[], sizes: readonly string[]): Comparison['fixtures'] {
  return sizes.flatMap((size) => {
    const own = rows.filter((row) => row.size === size).map(({ fixture }) => fixture);
    const known = new Map(own.map((fixture) => [`${fixture.bundle} ${fixture.version} ${fixture.digest}`, fixture]));
    return [...known].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, fixture]) => ({ size, ...fixture }));
  });
}

function answeredIn(rows: readonly Row[]): Comparison['answered'] {
  const asked = rows.flatMap(({ model }) => model ?? []);
  if (asked.length === 0) return undefined;
  const all = (texts: readonly string[]) => [...new Set(texts)].sort();
  return {
    as: all(asked.flatMap(({ answeredAs }) => answeredAs)),
    fingerprints: all(asked.flatMap(({ fingerprints }) => fingerprints)),
    seedHonoured: all(asked.map(({ seedHonoured }) => seedHonoured)).join(', '),
    requests: asked.reduce((sum, { requests }) => sum + requests, 0),
    retries: asked.reduce((sum, { retries }) => sum + retries, 0),
  };
}
