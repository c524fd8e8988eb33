/**
 * Fits the rule by which an answer is said to be doubtful: a logistic regression of "no right tool among the hits". Wrong answers
 * to questions that a tool fits and answers to requests that none fits weigh half of the right answers each.
 */
import { type Calibration, type Evidence, featuresOf } from '../../../search/confidence.ts';
import { quantile } from '../statistics.ts';

export interface Case {
  evidence: Evidence;
  /** A right tool in the first two hits, none although there is one, none because there is none. */
  kind: 'right' | 'wrong' | 'nothing';
}

/** Share of right answers that get no note. */
const SILENT = 0.9;
/** Weight of the squared coefficients, in answers. */
const PENALTY = 3;
const STEPS = 50;

export function fitConfidence(cases: readonly Case[]): Calibration {
  const counts = { right: 0, wrong: 0, nothing: 0 };
  for (const { kind } of cases) counts[kind]++;
  if (counts.right === 0 || counts.wrong + counts.nothing === 0)
    throw new Error('fit-confidence: cases should hold right answers and others');
  const rows = cases.map(({ evidence }) => featuresOf(evidence));
  const scales = [0, 1, 2].map((i) => scaleOf(rows.map((row) => row[i] as number)));
  const points = cases.map(({ kind }, i) => ({
    x: [...scales.map(({ mean, spread }, f) => ((rows[i]?.[f] as number) - mean) / spread), 1],
    y: kind === 'right' ? 0 : 1,
    weight: kind === 'right' ? 1 : counts.right / 2 / counts[kind],
  }));
  let fitted: number[] = [0, 0, 0, 0];
  for (let step = 0; step < STEPS; step++) fitted = improved(fitted, points);
  const [strength = 0, coverage = 0, unknown = 0] = scales.map(({ spread }, f) => (fitted[f] as number) / spread);
  const raw = [strength, coverage, unknown];
  const intercept = (fitted[3] as number) - scales.reduce((sum, { mean }, f) => sum + (raw[f] as number) * mean, 0);
  const scores = rows.filter((_, i) => cases[i]?.kind === 'right').map((row) => dot(row, raw) + intercept);
  return { strength, coverage, unknown, intercept, bound: quantile(scores, SILENT) };
}

interface Point {
  x: readonly number[];
  y: number;
  weight: number;
}

/** One step of Newton's method on the penalised likelihood; the intercept has no penalty. */
function improved(at: readonly number[], points: readonly Point[]): number[] {
  const penalties = at.map((_, i) => (i < at.length - 1 ? PENALTY : 0));
  const slope = at.map((value, i) => (penalties[i] as number) * value);
  const bend = at.map((_, i) => at.map((__, j) => (i === j ? (penalties[i] as number) + 1e-9 : 0)));
  for (const { x, y, weight } of points) {
    const p = 1 / (1 + Math.exp(-dot(x, at)));
    for (const [i, xi] of x.entries()) {
      slope[i] = (slope[i] as number) + weight * (p - y) * xi;
      const row = bend[i] as number[];
      for (const [j, xj] of x.entries()) row[j] = (row[j] as number) + weight * p * (1 - p) * xi * xj;
    }
  }
  const step = solved(bend, slope);
  return at.map((value, i) => value - (step[i] as number));
}

/** Gaussian elimination; the matrix is symmetric and positive definite, so no row has to move. */
function solved(matrix: number[][], vector: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i] as number]);
  for (const [i, row] of rows.entries()) {
    const lead = row[i] as number;
    for (let k = i; k < row.length; k++) row[k] = (row[k] as number) / lead;
    for (const [j, other] of rows.entries()) {
      const factor = other[i] as number;
      if (j !== i) for (let k = i; k < row.length; k++) other[k] = (other[k] as number) - factor * (row[k] as number);
    }
  }
  return rows.map((row) => row.at(-1) as number);
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);

function scaleOf(values: readonly number[]): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.sqrt(variance) || 1 };
}
